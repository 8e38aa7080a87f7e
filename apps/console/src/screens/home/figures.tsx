import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { thisMonth } from "../../api/usage.ts"
import { sayMonth } from "../../parts/said.ts"
import { useSession } from "../../session/session.tsx"

/** This month in four numbers. Where they cannot be had, nothing is missing on the screen. */
export function Figures() {
  const { i18n } = useLingui()
  const { kind } = useSession()
  const { data } = useQuery(thisMonth)
  if (data === undefined || data === null) return null
  const counts = data[kind]
  const signatures = Object.values(counts.signatures).reduce((sum, each) => sum + each, 0)
  return (
    <section aria-labelledby="figures">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-3">
        <h2 id="figures" className="display text-lg">
          {sayMonth(i18n, data.month)}
        </h2>
        <Link to="/usage" className="link flex min-h-11 items-center">
          {i18n._("Usage")}
        </Link>
      </div>
      <dl className="card grid grid-cols-2 overflow-hidden lg:grid-cols-4">
        <Figure name={i18n._("Requests sent")} value={counts.requests} />
        <Figure name={i18n._("Signatures made")} value={signatures} />
        <Figure name={i18n._("Declined")} value={counts.declined} />
        <Figure name={i18n._("E-mails sent")} value={counts.mails} />
      </dl>
    </section>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  const { i18n } = useLingui()
  return (
    <div className="-mb-px -ml-px flex flex-col-reverse justify-end border-b border-l border-(--line) px-5 py-4">
      <dt className="text-sm text-(--muted)">{name}</dt>
      <dd className="display text-3xl tabular-nums">{new Intl.NumberFormat(i18n.locale).format(value)}</dd>
    </div>
  )
}
