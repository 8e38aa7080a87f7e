import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import type { Callback } from "../api/types.ts"

type State = Callback["state"]

/** How far a call to an address of the business is: of a callback and of a webhook alike. */
export function DeliveryBadge({ state }: { readonly state: State }) {
  const { i18n } = useLingui()
  return <span className={`badge ${LOOKS[state]}`}>{sayState(i18n, state)}</span>
}

/** What came of each attempt, in its order. */
export function Attempts({
  attempts,
  messages,
}: {
  readonly attempts: number
  readonly messages: readonly string[]
}) {
  const { i18n } = useLingui()
  if (messages.length === 0) return null
  return (
    <details className="col-span-2 text-sm">
      <summary className="min-h-6 py-1 font-semibold text-(--accent)">
        {i18n._("{attempts, plural, one {# attempt} other {# attempts}}", { attempts })}
      </summary>
      <ol className="ml-5 list-decimal text-(--muted)">
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only ever appended
          <li key={index}>{message}</li>
        ))}
      </ol>
    </details>
  )
}

const LOOKS: Readonly<Record<State, string>> = {
  OPEN: "bg-(--warn-soft) text-(--warn)",
  COMPLETED: "bg-(--good-soft) text-(--good)",
  RESIGNED: "bg-(--danger-soft) text-(--danger)",
}

function sayState(i18n: I18n, state: State): string {
  switch (state) {
    case "OPEN":
      return i18n._("Under way")
    case "COMPLETED":
      return i18n._("Delivered")
    case "RESIGNED":
      return i18n._("Given up")
  }
}
