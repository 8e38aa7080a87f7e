import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { at } from "./root.ts"

/** For those who run the service. What they may see is guarded by the server; here it is only not offered to others. */
const operator = createRoute({
  ...at("/operator"),
  component: lazyRouteComponent(() => import("../screens/operator/operator.tsx"), "Operator"),
})
const inOperator = <Path extends string>(path: Path) => ({ getParentRoute: () => operator, path })

const toOverview = createRoute({
  ...inOperator("/"),
  beforeLoad: () => {
    throw redirect({ to: "/operator/overview" })
  },
})
const overview = createRoute({
  ...inOperator("/overview"),
  component: lazyRouteComponent(() => import("../screens/operator/overview.tsx"), "Overview"),
})
const businesses = createRoute({
  ...inOperator("/businesses"),
  component: lazyRouteComponent(() => import("../screens/operator/businesses.tsx"), "Businesses"),
})
const business = createRoute({
  ...inOperator("/businesses/$id"),
  component: lazyRouteComponent(() => import("../screens/operator/business.tsx"), "Business"),
})
const mails = createRoute({
  ...inOperator("/mails"),
  component: lazyRouteComponent(() => import("../screens/operator/mails.tsx"), "Mails"),
})
const jobs = createRoute({
  ...inOperator("/jobs"),
  component: lazyRouteComponent(() => import("../screens/operator/jobs.tsx"), "Jobs"),
})
const audit = createRoute({
  ...inOperator("/audit"),
  component: lazyRouteComponent(() => import("../screens/operator/audit.tsx"), "Audit"),
})

export const operateRoutes = [
  operator.addChildren([toOverview, overview, businesses, business, mails, jobs, audit]),
] as const
