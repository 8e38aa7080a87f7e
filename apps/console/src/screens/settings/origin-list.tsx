import { useLingui } from "@lingui/react"
import { Globe, X } from "lucide-react"
import { type KeyboardEvent, useState } from "react"
import { whisper } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"

type OriginListProps = {
  readonly label: string
  readonly origins: readonly string[]
  readonly empty: string
  readonly mayChange: boolean
  readonly onChange: (origins: readonly string[]) => void
}

/** Addresses of the web, one by one. What is pasted may be a whole address; only its beginning counts. */
export function OriginList({ label, origins, empty, mayChange, onChange }: OriginListProps) {
  const { i18n } = useLingui()
  const [typed, setTyped] = useState("")
  const [isTried, setTried] = useState(false)
  const origin = originIn(typed)
  const add = () => {
    setTried(origin === null)
    if (origin === null) return
    if (!origins.includes(origin)) onChange([...origins, origin])
    whisper(i18n._("{what} was added.", { what: origin }))
    setTyped("")
  }
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || typed === "") return
    event.preventDefault()
    add()
  }
  return (
    <div className="max-w-2xl">
      {origins.length === 0 && <p className="mb-3 font-medium">{empty}</p>}
      <ul aria-label={label} className="mb-3 grid gap-2 empty:hidden">
        {origins.map((each) => (
          <li
            key={each}
            className="flex min-h-11 items-center gap-3 rounded-xl border border-(--line) bg-(--paper) py-0.5 pr-1 pl-4"
          >
            <Globe aria-hidden="true" size={18} className="shrink-0 text-(--muted)" />
            <span className="min-w-0 grow font-mono text-sm">{each}</span>
            {mayChange && (
              <Button
                look="icon"
                aria-label={i18n._("Remove {who}", { who: each })}
                onClick={() => onChange(origins.filter((other) => other !== each))}
              >
                <X aria-hidden="true" size={18} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <Labelled
          label={i18n._("Add an address")}
          error={
            isTried && origin === null
              ? i18n._("Please type an address such as https://app.example.org.")
              : null
          }
        >
          {(described) => (
            <div className="flex gap-2">
              <input
                {...described}
                type="url"
                inputMode="url"
                className="field min-w-0"
                placeholder="https://app.example.org"
                value={typed}
                onKeyDown={enter}
                onChange={({ target }) => setTyped(target.value)}
              />
              <Button onClick={add}>{i18n._("Add")}</Button>
            </div>
          )}
        </Labelled>
      )}
    </div>
  )
}

/** As a browser names a place: scheme, host and port. Without TLS it is one's own machine or none (core/…/exits.ts). */
function originIn(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed === "") return null
  const address = URL.parse(trimmed.includes("://") ? trimmed : `https://${trimmed}`)
  if (address === null || !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(address.hostname)) return null
  const isSafe =
    address.protocol === "https:" || (address.protocol === "http:" && LOCAL.test(address.hostname))
  return isSafe ? address.origin : null
}

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/
