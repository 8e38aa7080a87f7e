import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import {
  ChevronRight,
  KeyRound,
  type LucideIcon,
  Palette,
  Send,
  ShieldCheck,
  UserPlus,
  X,
} from "lucide-react"
import { useState } from "react"
import { keyList } from "../../api/keys.ts"
import { memberList } from "../../api/members.ts"
import { requestList } from "../../api/requests.ts"
import { ownSettings } from "../../api/settings.ts"
import { Button } from "../../parts/button.tsx"
import { focusTitle } from "../../parts/screen-title.tsx"
import { builds, managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"

type Step = {
  readonly to: string
  readonly Sign: LucideIcon
  readonly name: string
  readonly why: string
  /** Not known yet: undefined. */
  readonly isDone: boolean | undefined
}

/** What a new business does first, until it is done or nobody wants to see it any more. */
export function FirstSteps() {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const kept = `paraph.first-steps.${membership.businessId}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(kept) === "hidden")
  const steps = useSteps()
  const done = steps.filter(({ isDone }) => isDone).length
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  if (isHidden || !isKnown || done === steps.length) return null
  const hide = () => {
    localStorage.setItem(kept, "hidden")
    setHidden(true)
    focusTitle()
  }
  return (
    <section aria-labelledby="first-steps" className="card overflow-hidden">
      <div className="flex items-center justify-between gap-x-4 px-5 pt-3 pb-1">
        <h2 id="first-steps" className="display text-lg">
          {i18n._("First steps")}
          <span className="ml-3 font-sans text-sm font-normal text-(--muted)">
            {i18n._("{done} of {all} done", { done, all: steps.length })}
          </span>
        </h2>
        <Button
          look="icon"
          className="-mr-3"
          aria-label={i18n._("Hide the first steps")}
          title={i18n._("Hide the first steps")}
          onClick={hide}
        >
          <X aria-hidden="true" size={18} />
        </Button>
      </div>
      <progress
        className="upload mx-5 mb-3 w-[calc(100%-2.5rem)]"
        aria-labelledby="first-steps"
        max={steps.length}
        value={done}
      />
      <ol className="divide-y divide-(--line) border-t border-(--line)">
        {steps
          .filter(({ isDone }) => !isDone)
          .map((step) => (
            <StepLine key={step.to} step={step} />
          ))}
      </ol>
    </section>
  )
}

function useSteps(): readonly Step[] {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const manages = managesBusiness(membership.role)
  const isBuilding = builds(membership.role)
  const requests = useQuery(requestList({})).data?.requests
  const members = useQuery({ ...memberList, enabled: manages }).data
  const keys = useQuery({ ...keyList, enabled: isBuilding }).data
  const branding = useQuery({ ...ownSettings, enabled: manages }).data?.branding
  const { passkeys, totp } = account.factors
  return [
    {
      to: "/send",
      Sign: Send,
      name: i18n._("Send your first document"),
      why: i18n._("As a test: nothing is real, and you see how it works."),
      isDone: requests && requests.length > 0,
    },
    ...(manages
      ? [
          {
            to: "/members",
            Sign: UserPlus,
            name: i18n._("Invite your colleagues"),
            why: i18n._("Each with an account and a role of their own."),
            isDone: members && members.length > 1,
          },
          {
            to: "/settings/branding",
            Sign: Palette,
            name: i18n._("Show your logo"),
            why: i18n._("On the signing pages, and in the e-mails to your signers."),
            isDone: branding && (branding.logo || branding.accent !== null),
          },
        ]
      : []),
    ...(isBuilding
      ? [
          {
            to: "/developers/keys",
            Sign: KeyRound,
            name: i18n._("Create an API key"),
            why: i18n._("Send from your own programs."),
            isDone: keys && keys.length > 0,
          },
        ]
      : []),
    {
      to: "/account/security",
      Sign: ShieldCheck,
      name: i18n._("Protect your account"),
      why: i18n._("With a passkey, or with codes from an authenticator app."),
      isDone: passkeys > 0 || totp,
    },
  ]
}

function StepLine({ step: { to, Sign, name, why } }: { readonly step: Step }) {
  const look = "block font-semibold after:absolute after:inset-0"
  return (
    <li className="relative flex items-center gap-3 px-5 py-3 hover:bg-(--accent-soft)">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-(--accent-soft) text-(--accent)"
      >
        <Sign size={18} />
      </span>
      <div className="min-w-0 grow">
        {to.startsWith("/account/") ? (
          <a href={to} className={look}>
            {name}
          </a>
        ) : (
          <Link to={to} className={look}>
            {name}
          </Link>
        )}
        <p className="text-sm text-(--muted)">{why}</p>
      </div>
      <ChevronRight aria-hidden="true" size={18} className="shrink-0 text-(--muted)" />
    </li>
  )
}
