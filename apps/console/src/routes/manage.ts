import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { at } from "./root.ts"

/** What holds for a business as a whole. */
const settings = createRoute({
  ...at("/settings"),
  component: lazyRouteComponent(() => import("../screens/settings/settings.tsx"), "Settings"),
})
const inSettings = <Path extends string>(path: Path) => ({ getParentRoute: () => settings, path })

const toBusiness = createRoute({
  ...inSettings("/"),
  beforeLoad: () => {
    throw redirect({ to: "/settings/business" })
  },
})
const business = createRoute({
  ...inSettings("/business"),
  component: lazyRouteComponent(() => import("../screens/settings/business.tsx"), "Business"),
})
const branding = createRoute({
  ...inSettings("/branding"),
  component: lazyRouteComponent(() => import("../screens/settings/branding.tsx"), "Branding"),
})
const retention = createRoute({
  ...inSettings("/retention"),
  component: lazyRouteComponent(() => import("../screens/settings/retention.tsx"), "Retention"),
})
const origins = createRoute({
  ...inSettings("/origins"),
  component: lazyRouteComponent(() => import("../screens/settings/origins.tsx"), "Origins"),
})
const singleSignOn = createRoute({
  ...inSettings("/single-sign-on"),
  component: lazyRouteComponent(() => import("../screens/settings/single-sign-on.tsx"), "SingleSignOn"),
})

const templates = createRoute({
  ...at("/templates"),
  component: lazyRouteComponent(() => import("../screens/templates/templates.tsx"), "Templates"),
})
const newTemplate = createRoute({
  ...at("/templates/new"),
  component: lazyRouteComponent(() => import("../screens/templates/new-template.tsx"), "NewTemplate"),
})
const template = createRoute({
  ...at("/templates/$id"),
  component: lazyRouteComponent(() => import("../screens/templates/template.tsx"), "TemplateEditor"),
})

/** Alone with the library that draws: no other screen pays for it. */
const usage = createRoute({
  ...at("/usage"),
  component: lazyRouteComponent(() => import("../screens/usage/usage.tsx"), "Usage"),
})

const seals = createRoute({
  ...at("/seals"),
  component: lazyRouteComponent(() => import("../screens/seals/seals.tsx"), "Seals"),
})

const validate = createRoute({
  ...at("/validate"),
  component: lazyRouteComponent(() => import("../screens/validate/validate.tsx"), "Validate"),
})

export const manageRoutes = [
  settings.addChildren([toBusiness, business, branding, retention, origins, singleSignOn]),
  templates,
  newTemplate,
  template,
  seals,
  validate,
  usage,
] as const
