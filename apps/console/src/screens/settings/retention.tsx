import { useLingui } from "@lingui/react"
import { useState } from "react"
import { type Settings, useChangeSettings, useMayManage } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { RadioCard } from "../../parts/radio-cards.tsx"
import { sayDay } from "../../parts/said.ts"
import { Form } from "./form.tsx"
import { WithSettings } from "./settings.tsx"

const USUAL_DAYS = [30, 90, 180, 365] as const
const FIRST_DAYS = 90
const MAX_DAYS = 36_500
const DAY_MS = 86_400_000

export function Retention() {
  return (
    <WithSettings>
      {(settings) => (
        <div className="max-w-3xl">
          <RetentionForm settings={settings} />
        </div>
      )}
    </WithSettings>
  )
}

function RetentionForm({ settings }: { readonly settings: Settings }) {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  const before = settings.retention_days
  const [isKept, setKept] = useState(before === null)
  const [typed, setTyped] = useState(String(before ?? FIRST_DAYS))
  const days = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
  const isWrong = !isKept && !(days >= 1 && days <= MAX_DAYS)
  const wanted = isKept ? null : days
  const save = useChangeSettings(() => announce(i18n._("Saved.")))
  return (
    <Form
      title={i18n._("How long requests are kept")}
      about={i18n._(
        "A request is deleted together with its documents, its signatures and its evidence. Download what you need to keep.",
      )}
      isBusy={save.isPending}
      error={save.error}
      isChanged={wanted !== before}
      onSave={mayManage ? () => !isWrong && save.mutate({ retention_days: wanted }) : null}
    >
      <div className="grid max-w-2xl gap-2">
        <RadioCard
          group="retention"
          isChosen={isKept}
          onChoose={() => setKept(true)}
          name={i18n._("Until somebody deletes them")}
          meaning={i18n._("Nothing is deleted by itself.")}
        />
        <RadioCard
          group="retention"
          isChosen={!isKept}
          onChoose={() => setKept(false)}
          name={i18n._("For a number of days")}
          meaning={i18n._("Counted from the day on which the request is created.")}
        />
      </div>
      {!isKept && (
        <div className="mt-4 grid max-w-2xl gap-3 rounded-xl bg-(--paper) p-4">
          <div className="flex flex-wrap items-end gap-3">
            <Labelled
              className="w-32"
              label={i18n._("Days")}
              error={isWrong ? i18n._("From 1 to {max} days.", { max: MAX_DAYS }) : null}
            >
              {(described) => (
                <input
                  {...described}
                  className="field"
                  inputMode="numeric"
                  maxLength={5}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                />
              )}
            </Labelled>
            <ul className="flex flex-wrap gap-2">
              {USUAL_DAYS.map((each) => (
                <li key={each}>
                  <button
                    type="button"
                    aria-pressed={days === each}
                    className="min-h-11 rounded-full border border-(--edge) px-4 text-sm font-semibold aria-pressed:border-(--accent) aria-pressed:bg-(--accent) aria-pressed:text-(--on-accent)"
                    onClick={() => setTyped(String(each))}
                  >
                    {i18n._("{count, plural, one {# day} other {# days}}", { count: each })}
                  </button>
                </li>
              ))}
            </ul>
          </div>
          {!isWrong && (
            <p role="status" className="text-sm">
              {i18n._("A request that is created today is deleted on {day}.", {
                day: sayDay(i18n, new Date(Date.now() + days * DAY_MS).toISOString()),
              })}
            </p>
          )}
        </div>
      )}
      <p className="mt-4 max-w-2xl text-sm text-(--muted)">
        {i18n._("This applies to new requests. Existing ones keep their date.")}
      </p>
    </Form>
  )
}
