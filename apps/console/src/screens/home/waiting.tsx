import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { FilePen, type LucideIcon, MailX, PenLine } from "lucide-react"
import type { ReactNode } from "react"
import { requestList, toSign } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { calledOf } from "../../parts/people.ts"
import { sayAgo } from "../../parts/said.ts"
import { useSession } from "../../session/session.tsx"

/** What does not go on without me: my own signature, mails that came back, drafts. Without any, no empty box. */
export function Waiting() {
  const { i18n } = useLingui()
  const { account } = useSession()
  const mine = useQuery(toSign(account.email)).data ?? []
  const open = useQuery(requestList({ status_overall: "OPEN" })).data?.requests ?? []
  const drafts = useQuery(requestList({ status_overall: "DRAFT" })).data?.requests ?? []
  const returned = open.filter(({ signatures }) => signatures.some(hasComeBack))
  const count = mine.length + returned.length + drafts.length
  if (count === 0) return null
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="display mb-2 flex min-h-11 items-center text-lg">
        {i18n._("Waiting for you")}
      </h2>
      <ul className="card divide-y divide-(--line) overflow-hidden">
        {mine.map((request) => (
          <Item key={request.id} Sign={PenLine} look="accent" why={i18n._("Your signature is needed.")}>
            <a href={request.signing_url} className={TITLE}>
              {request.title}
            </a>
          </Item>
        ))}
        {returned.map((request) => (
          <Item
            key={request.id}
            Sign={MailX}
            look="bad"
            why={i18n._("The mail to {who} came back.", { who: returnedTo(request) })}
          >
            <Link to="/requests/$id" params={{ id: request.id }} className={TITLE}>
              {request.title}
            </Link>
          </Item>
        ))}
        {drafts.slice(0, DRAFTS).map(({ id, title, updated_at: at }) => (
          <Item
            key={id}
            Sign={FilePen}
            look="quiet"
            why={i18n._("A draft, changed {when}.", { when: sayAgo(i18n, at) })}
          >
            <Link to="/send/$id" params={{ id }} search={{ step: "documents" }} className={TITLE}>
              {title}
            </Link>
          </Item>
        ))}
      </ul>
    </section>
  )
}

const DRAFTS = 3
const TITLE = "block truncate font-semibold after:absolute after:inset-0"

type Entry = SignatureRequest["signatures"][number]
const hasComeBack = ({ mail_problem, status_code }: Entry): boolean =>
  mail_problem !== null && status_code === "OPEN"

const returnedTo = ({ signatures }: SignatureRequest): string =>
  signatures.filter(hasComeBack).map(calledOf).join(", ")

type ItemProps = {
  readonly Sign: LucideIcon
  readonly look: keyof typeof LOOKS
  readonly why: string
  readonly children: ReactNode
}

function Item({ Sign, look, why, children }: ItemProps) {
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-(--accent-soft) sm:px-5">
      <span
        aria-hidden="true"
        className={`grid size-9 shrink-0 place-items-center rounded-full ${LOOKS[look]}`}
      >
        <Sign size={18} />
      </span>
      <div className="min-w-0">
        {children}
        <p className="truncate text-sm text-(--muted)">{why}</p>
      </div>
    </li>
  )
}

const LOOKS = {
  accent: "bg-(--accent) text-(--on-accent)",
  bad: "bg-(--danger-soft) text-(--danger)",
  quiet: "bg-(--quiet-soft) text-(--muted)",
} as const
