import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useState } from "react"
import { type UsageAnswer, usageSince } from "../../api/usage.ts"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { Section } from "../../parts/section.tsx"
import type { Kind } from "../../session/account.ts"
import { useSession } from "../../session/session.tsx"
import { Chart } from "./chart.tsx"
import { csvOf, monthBefore, type Row, signaturesIn } from "./figures.ts"
import { Tiles } from "./tiles.tsx"
import { UsageTable } from "./usage-table.tsx"

const SPANS = [3, 6, 12, 24] as const

/** What was used, as it is counted for good: deleting a request changes nothing about the past. */
export function Usage() {
  const { i18n } = useLingui()
  const session = useSession()
  const [kind, setKind] = useState<Kind>(session.kind)
  const [span, setSpan] = useState<number>(6)
  // One more than is shown: where the reader is, it may be another month already, or still.
  const usage = useQuery(usageSince(monthBefore(new Date(), span)))
  return (
    <>
      <ScreenTitle title={i18n._("Usage")}>
        <label>
          <span className="sr-only">{i18n._("Period")}</span>
          <select className="field" value={span} onChange={({ target }) => setSpan(Number(target.value))}>
            {SPANS.map((months) => (
              <option key={months} value={months}>
                {i18n._("{months, plural, one {# month} other {# months}}", { months })}
              </option>
            ))}
          </select>
        </label>
        <KindSwitch kind={kind} onChange={setKind} />
      </ScreenTitle>
      <Wrong error={usage.error} />
      {usage.isPending && <Loading />}
      {usage.data && <Shown usage={usage.data} kind={kind} span={span} />}
    </>
  )
}

type ShownProps = { readonly usage: UsageAnswer; readonly kind: Kind; readonly span: number }

function Shown({ usage, kind, span }: ShownProps) {
  const { i18n } = useLingui()
  const months: readonly Row[] = usage.months
    .slice(-span)
    .map((each) => ({ when: each.month, counts: each[kind] }))
  const days: readonly Row[] = usage.days.map((each) => ({ when: each.day, counts: each[kind] }))
  const [view, setView] = useState<"days" | "months">("days")
  const rows = view === "days" ? days : months
  const name = view === "days" ? i18n._("Last 31 days") : i18n._("By month")
  const save = () => saveText(csvOf(rows, view === "days" ? "day" : "month"), `usage-${kind}-${view}.csv`)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Tiles months={months} />
      <Section
        title={name}
        action={
          <div className="flex gap-1">
            <Choice isOn={view === "days"} onPress={() => setView("days")} name={i18n._("Days")} />
            <Choice isOn={view === "months"} onPress={() => setView("months")} name={i18n._("Months")} />
          </div>
        }
      >
        <Chart
          label={name}
          rows={rows}
          series={[
            { name: i18n._("Requests"), colour: "--chart-1", of: ({ requests }) => requests },
            { name: i18n._("Signatures"), colour: "--chart-2", of: signaturesIn },
          ]}
        />
      </Section>
      <Section
        title={i18n._("The figures")}
        action={
          <Button look="bare" onClick={save}>
            <Download aria-hidden="true" size={18} />
            {i18n._("Download as CSV")}
          </Button>
        }
      >
        <UsageTable rows={rows.toReversed()} caption={name} />
      </Section>
    </div>
  )
}

type KindSwitchProps = { readonly kind: Kind; readonly onChange: (kind: Kind) => void }

function KindSwitch({ kind, onChange }: KindSwitchProps) {
  const { i18n } = useLingui()
  return (
    <div className="flex gap-1">
      <Choice
        isOn={kind === "production"}
        onPress={() => onChange("production")}
        name={i18n._("Production")}
      />
      <Choice isOn={kind === "demo"} onPress={() => onChange("demo")} name={i18n._("Test")} />
    </div>
  )
}

type ChoiceProps = { readonly isOn: boolean; readonly onPress: () => void; readonly name: string }

function Choice({ isOn, onPress, name }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className="min-h-11 rounded-full px-4 text-sm font-semibold text-(--muted) hover:bg-(--accent-soft) hover:text-(--accent) aria-pressed:bg-(--accent) aria-pressed:text-(--on-accent)"
      onClick={onPress}
    >
      {name}
    </button>
  )
}

function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
