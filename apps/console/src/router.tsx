import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router"
import { readFilters } from "./screens/requests/filters.ts"
import { readStep } from "./screens/send/steps.ts"
import { NotFound } from "./shell/not-found.tsx"
import { Shell } from "./shell/shell.tsx"

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

const home = createRoute({
  ...at("/"),
  beforeLoad: () => {
    throw redirect({ to: "/requests" })
  },
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

const toWebhooks = createRoute({
  getParentRoute: () => developers,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/developers/webhooks" })
  },
})

const webhooks = createRoute({
  getParentRoute: () => developers,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./screens/developers/webhooks.tsx"), "Webhooks"),
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

export const router = createRouter({
  basepath: "/console",
  routeTree: root.addChildren([
    home,
    requestsRoute,
    requestRoute,
    send,
    draft,
    developers.addChildren([toWebhooks, webhooks, events, position]),
  ]),
  defaultPreload: "intent",
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
