import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import {
  BookUser,
  ChartColumn,
  Code,
  Files,
  LayoutDashboard,
  LayoutTemplate,
  type LucideIcon,
  ScrollText,
  Send,
  ServerCog,
  Settings,
  ShieldCheck,
  Stamp,
  UsersRound,
} from "lucide-react"
import { builds, managesBusiness } from "../session/roles.ts"
import { type Session, useSession, worksForBusiness } from "../session/session.tsx"

export type Destination = { readonly to: string; readonly Sign: LucideIcon; readonly name: string }
export type Destinations = {
  /** What everybody does every day; on a phone it is within reach of the thumb. */
  readonly daily: readonly Destination[]
  readonly others: readonly { readonly name: string; readonly destinations: readonly Destination[] }[]
}

/** Where somebody with this role can go; to what is not theirs, no way is shown. */
export function useDestinations(): Destinations {
  const { i18n } = useLingui()
  const session = useSession()
  if (!worksForBusiness(session)) return { daily: technical(i18n, session), others: [] }
  const others = [
    { name: i18n._("Business"), destinations: ofBusiness(i18n, session) },
    { name: i18n._("Technology"), destinations: technical(i18n, session) },
  ]
  return {
    daily: [
      { to: "/", Sign: LayoutDashboard, name: i18n._("Overview") },
      { to: "/requests", Sign: Files, name: i18n._("Requests") },
      { to: "/send", Sign: Send, name: i18n._("Send") },
    ],
    others: others.filter(({ destinations }) => destinations.length > 0),
  }
}

function ofBusiness(i18n: I18n, { membership: { role } }: Session): readonly Destination[] {
  return [
    { to: "/validate", Sign: ShieldCheck, name: i18n._("Validate") },
    { to: "/templates", Sign: LayoutTemplate, name: i18n._("Templates") },
    { to: "/groups", Sign: BookUser, name: i18n._("Groups") },
    { to: "/members", Sign: UsersRound, name: i18n._("Members") },
    ...(builds(role) ? [{ to: "/seals", Sign: Stamp, name: i18n._("Seals") }] : []),
    ...(builds(role) ? [{ to: "/usage", Sign: ChartColumn, name: i18n._("Usage") }] : []),
    ...(managesBusiness(role)
      ? [
          { to: "/audit", Sign: ScrollText, name: i18n._("Audit log") },
          { to: "/settings", Sign: Settings, name: i18n._("Settings") },
        ]
      : []),
  ]
}

function technical(i18n: I18n, { membership: { role }, account }: Session): readonly Destination[] {
  return [
    ...(builds(role) ? [{ to: "/developers", Sign: Code, name: i18n._("Developers") }] : []),
    ...(account.operator ? [{ to: "/operator", Sign: ServerCog, name: i18n._("Operator") }] : []),
  ]
}
