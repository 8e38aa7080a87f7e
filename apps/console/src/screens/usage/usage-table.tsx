import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { sayMonth } from "../../parts/said.ts"
import { QUALITIES, type Row } from "./figures.ts"

type UsageTableProps = { readonly caption: string; readonly rows: readonly Row[] }

const QUALITY_NAMES = { SES: "SES", AES: "AES", AES_MINIMAL: "AES min.", QES: "QES" } as const

/** The same as the picture above, in figures; for everybody who cannot or does not want to read bars. */
export function UsageTable({ caption, rows }: UsageTableProps) {
  const { i18n } = useLingui()
  const number = new Intl.NumberFormat(i18n.locale)
  const head = "px-3 py-2 text-right font-semibold whitespace-nowrap text-(--muted)"
  return (
    <section
      aria-label={i18n._("Table: {what}", { what: caption })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="-mx-5 max-h-[28rem] overflow-auto"
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-(--sheet) shadow-[inset_0_-1px_0_var(--line)]">
          <tr>
            <th scope="col" className={`${head} !pl-5 !text-left`}>
              {i18n._("When")}
            </th>
            <th scope="col" className={head}>
              {i18n._("Requests")}
            </th>
            <th scope="col" className={head}>
              {i18n._("Documents")}
            </th>
            {QUALITIES.map((quality) => (
              <th key={quality} scope="col" className={head}>
                <span className="sr-only">{i18n._("Signatures")} </span>
                {QUALITY_NAMES[quality]}
              </th>
            ))}
            <th scope="col" className={head}>
              {i18n._("Declined")}
            </th>
            <th scope="col" className={head}>
              {i18n._("Seals")}
            </th>
            <th scope="col" className={`${head} !pr-5`}>
              {i18n._("E-mails")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ when, counts }) => (
            <tr key={when} className="border-b border-(--line) last:border-0">
              <th scope="row" className="py-2 pr-3 pl-5 text-left font-medium whitespace-nowrap">
                {when.length === 7 ? sayMonth(i18n, when) : sayDate(i18n, when)}
              </th>
              {[
                counts.requests,
                counts.documents,
                ...QUALITIES.map((quality) => counts.signatures[quality]),
                counts.declined,
                counts.seals,
                counts.mails,
              ].map((value, index) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                  key={index}
                  className={`px-3 py-2 text-right last:pr-5 ${value === 0 ? "text-(--muted)" : ""}`}
                >
                  {number.format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const sayDate = (i18n: I18n, day: string): string =>
  new Intl.DateTimeFormat(i18n.locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  }).format(new Date(day))
