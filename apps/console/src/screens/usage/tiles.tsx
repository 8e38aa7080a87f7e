import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { ArrowDownRight, ArrowUpRight, Minus } from "lucide-react"
import type { Counts } from "../../api/usage.ts"
import { sayMonth } from "../../parts/said.ts"
import { type Row, signaturesIn } from "./figures.ts"

/** This month at a glance, and whether it is more or less than the one before had. */
export function Tiles({ months }: { readonly months: readonly Row[] }) {
  const { i18n } = useLingui()
  const current = months.at(-1)
  const before = months.at(-2)
  if (current === undefined) return null
  const tiles: readonly (readonly [string, (counts: Counts) => number])[] = [
    [i18n._("Requests"), ({ requests }) => requests],
    [i18n._("Signatures"), signaturesIn],
    [i18n._("Documents"), ({ documents }) => documents],
    [i18n._("E-mails"), ({ mails }) => mails],
  ]
  return (
    <section aria-label={sayMonth(i18n, current.when)}>
      <h2 className="mb-2 text-sm font-semibold text-(--muted)">{sayMonth(i18n, current.when)}</h2>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {tiles.map(([name, of]) => (
          <div key={name} className="card px-4 py-4 sm:px-5">
            <dt className="text-sm text-(--muted)">{name}</dt>
            <dd className="display text-3xl">
              {new Intl.NumberFormat(i18n.locale).format(of(current.counts))}
            </dd>
            {before && (
              <dd className="mt-1">
                <Change
                  from={of(before.counts)}
                  to={of(current.counts)}
                  month={sayMonthAlone(i18n, before.when)}
                />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

const sayMonthAlone = (i18n: I18n, month: string): string =>
  new Intl.DateTimeFormat(i18n.locale, { month: "long", timeZone: "UTC" }).format(new Date(`${month}-01`))

type ChangeProps = { readonly from: number; readonly to: number; readonly month: string }

function Change({ from, to, month }: ChangeProps) {
  const { i18n } = useLingui()
  const Sign = to > from ? ArrowUpRight : to < from ? ArrowDownRight : Minus
  return (
    <span className="flex items-start gap-1 text-xs text-(--muted)">
      <Sign aria-hidden="true" size={14} className="mt-px shrink-0" />
      {i18n._("{count} in {month}", { count: new Intl.NumberFormat(i18n.locale).format(from), month })}
    </span>
  )
}
