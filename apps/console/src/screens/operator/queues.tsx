import { useLingui } from "@lingui/react"
import type { Queue } from "../../api/operator.ts"
import { Section } from "../../parts/section.tsx"

/** What waits to be done, by kind, and for how long the first of it has been waiting. */
export function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  const { i18n } = useLingui()
  const head = "px-2 py-2 text-right font-semibold text-(--muted) [overflow-wrap:normal]"
  return (
    <Section title={i18n._("Queue")}>
      {queues.length === 0 ? (
        <p className="text-(--muted)">{i18n._("Nothing is waiting.")}</p>
      ) : (
        <section
          aria-label={i18n._("Table: {what}", { what: i18n._("Queue") })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          className="-mx-5 overflow-x-auto"
        >
          <table className="w-full text-sm tabular-nums">
            <caption className="sr-only">{i18n._("Queue")}</caption>
            <thead className="border-b border-(--line)">
              <tr>
                <th scope="col" className={`${head} !pl-5 !text-left`}>
                  {i18n._("Job")}
                </th>
                <th scope="col" className={head}>
                  {i18n._("Waiting")}
                </th>
                <th scope="col" className={head}>
                  {i18n._("Under way")}
                </th>
                <th scope="col" className={head}>
                  {i18n._("Failed")}
                </th>
                <th scope="col" className={`${head} !pr-5`}>
                  {i18n._("Oldest")}
                </th>
              </tr>
            </thead>
            <tbody>
              {queues.map((queue) => (
                <tr key={queue.name} className="border-b border-(--line) last:border-0">
                  <th scope="row" className="py-2 pr-2 pl-5 text-left font-mono text-xs font-medium">
                    {queue.name}
                  </th>
                  <td className="px-2 text-right">{queue.waiting}</td>
                  <td className="px-2 text-right">{queue.active}</td>
                  <td
                    className={`px-2 text-right ${queue.failed > 0 ? "font-semibold text-(--danger)" : ""}`}
                  >
                    {queue.failed}
                  </td>
                  <td className="pr-5 pl-2 text-right whitespace-nowrap">
                    {queue.waiting === 0
                      ? "–"
                      : new Intl.NumberFormat(i18n.locale, { style: "unit", unit: "second" }).format(
                          queue.oldest_seconds,
                        )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  )
}
