import { useLingui } from "@lingui/react"
import { Link } from "@tanstack/react-router"
import { TriangleAlert } from "lucide-react"
import type { SignatureRequest } from "../../api/types.ts"
import { calledOf, signedCount } from "../../parts/people.ts"
import { sayAgo, sayTime } from "../../parts/said.ts"
import { StatusBadge } from "../../parts/status-badge.tsx"

/** One line of the list: what, who, how far, since when. The whole line leads there. */
export function RequestRow({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const { id, title, status_overall: status, signatures, updated_at: at } = request
  const hasProblem = status === "OPEN" && signatures.some((each) => each.mail_problem !== null)
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-(--accent-soft) sm:px-5 md:grid-cols-[minmax(0,1fr)_auto_7rem_8.5rem]">
      <div className="min-w-0">
        <RowLink id={id} title={title} isDraft={status === "DRAFT"} />
        <p className="truncate text-sm text-(--muted)">
          {signatures.length === 0 ? i18n._("No signers yet") : signatures.map(calledOf).join(", ")}
        </p>
      </div>
      <div className="md:order-last md:justify-self-end">
        <StatusBadge status={status} />
      </div>
      <div className="col-span-2 flex flex-wrap justify-between gap-x-4 text-sm md:contents">
        {hasProblem ? (
          <p className="flex items-center gap-1.5 font-semibold text-(--danger)">
            <TriangleAlert aria-hidden="true" size={16} />
            {i18n._("A mail came back")}
          </p>
        ) : (
          <Progress request={request} />
        )}
        <time dateTime={at} title={sayTime(i18n, at)} className="ml-auto text-right text-(--muted)">
          {sayAgo(i18n, at)}
        </time>
      </div>
    </li>
  )
}

type RowLinkProps = { readonly id: string; readonly title: string; readonly isDraft: boolean }

function RowLink({ id, title, isDraft }: RowLinkProps) {
  const look = "line-clamp-2 font-semibold after:absolute after:inset-0 md:line-clamp-1"
  return isDraft ? (
    <Link to="/send/$id" params={{ id }} search={{ step: "documents" }} className={look}>
      {title}
    </Link>
  ) : (
    <Link to="/requests/$id" params={{ id }} className={look}>
      {title}
    </Link>
  )
}

function Progress({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const { signatures, status_overall: status } = request
  if (signatures.length === 0 || status === "DRAFT") return <span />
  const done = signedCount(request)
  return (
    <div className="flex items-center gap-2.5">
      <span aria-hidden="true" className="h-1.5 w-12 shrink-0 overflow-hidden rounded-full bg-(--line)">
        <span
          className="block h-full rounded-full bg-(--good)"
          style={{ width: `${(100 * done) / signatures.length}%` }}
        />
      </span>
      <span className="whitespace-nowrap">
        {i18n._("{done} of {all} signed", { done, all: signatures.length })}
      </span>
    </div>
  )
}
