import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { manageRoutes } from "./routes/manage.ts"
import { operateRoutes } from "./routes/operate.ts"
import { at, root } from "./routes/root.ts"
import { readMailFilter } from "./screens/developers/mail-filter.ts"
import { readFilters } from "./screens/requests/filters.ts"
import { readStep } from "./screens/send/steps.ts"

const home = createRoute({
  ...at("/"),
  component: lazyRouteComponent(() => import("./screens/home/home.tsx"), "Home"),
})

const requestsRoute = createRoute({
  ...at("/requests"),
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import("./screens/requests/requests.tsx"), "Requests"),
})

const requestRoute = createRoute({
  ...at("/requests/$id"),
  component: lazyRouteComponent(() => import("./screens/request/request.tsx"), "Request"),
})

const send = createRoute({
  ...at("/send"),
  component: lazyRouteComponent(() => import("./screens/send/begin.tsx"), "Begin"),
})

const draft = createRoute({
  ...at("/send/$id"),
  validateSearch: readStep,
  component: lazyRouteComponent(() => import("./screens/send/prepare.tsx"), "Prepare"),
})

const developers = createRoute({
  ...at("/developers"),
  component: lazyRouteComponent(() => import("./screens/developers/developers.tsx"), "Developers"),
})

const toKeys = createRoute({
  getParentRoute: () => developers,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/developers/keys" })
  },
})

const keys = createRoute({
  getParentRoute: () => developers,
  path: "/keys",
  component: lazyRouteComponent(() => import("./screens/developers/keys.tsx"), "Keys"),
})

const mails = createRoute({
  getParentRoute: () => developers,
  path: "/mails",
  validateSearch: readMailFilter,
  component: lazyRouteComponent(() => import("./screens/developers/mails.tsx"), "Mails"),
})

const mail = createRoute({
  getParentRoute: () => developers,
  path: "/mails/$id",
  component: lazyRouteComponent(() => import("./screens/developers/mail.tsx"), "OneMail"),
})

const webhooks = createRoute({
  getParentRoute: () => developers,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./screens/developers/webhooks.tsx"), "Webhooks"),
})

const webhook = createRoute({
  getParentRoute: () => developers,
  path: "/webhooks/$id",
  component: lazyRouteComponent(() => import("./screens/developers/webhook.tsx"), "WebhookDeliveries"),
})

const events = createRoute({
  getParentRoute: () => developers,
  path: "/events",
  component: lazyRouteComponent(() => import("./screens/developers/events.tsx"), "Events"),
})

const position = createRoute({
  getParentRoute: () => developers,
  path: "/position",
  component: lazyRouteComponent(() => import("./screens/developers/position.tsx"), "PositionHelper"),
})

const groups = createRoute({
  ...at("/groups"),
  component: lazyRouteComponent(() => import("./screens/groups/groups.tsx"), "Groups"),
})

const group = createRoute({
  ...at("/groups/$id"),
  component: lazyRouteComponent(() => import("./screens/groups/group.tsx"), "OneGroup"),
})

const members = createRoute({
  ...at("/members"),
  component: lazyRouteComponent(() => import("./screens/members/members.tsx"), "Members"),
})

const audit = createRoute({
  ...at("/audit"),
  component: lazyRouteComponent(() => import("./screens/audit/audit.tsx"), "AuditLog"),
})

export const router = createRouter({
  basepath: "/console",
  routeTree: root.addChildren([
    home,
    requestsRoute,
    requestRoute,
    send,
    draft,
    groups,
    group,
    members,
    audit,
    ...manageRoutes,
    ...operateRoutes,
    developers.addChildren([toKeys, keys, mails, mail, webhooks, webhook, events, position]),
  ]),
  defaultPreload: "intent",
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
