import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { Ban, Pencil, RotateCcw } from "lucide-react"
import type { ApiKey } from "../api/keys.ts"
import { Badge } from "./badge.tsx"
import { Button } from "./button.tsx"
import { sayAgo, sayTime } from "./said.ts"

/** What can be done to a key. */
export type KeyAct = "rename" | "reset" | "revoke"

type KeyRowProps<T extends KeyAct> = {
  readonly of: ApiKey
  readonly acts: readonly T[]
  readonly onAct: (act: T) => void
  /** Of a key that the operator has ended: for those of the business, who are shown the one in its place. */
  readonly onClaim?: () => void
  /** Of its name. */
  readonly level: "h2" | "h3"
  readonly className: string
}

export function KeyRow<T extends KeyAct>(props: KeyRowProps<T>) {
  const { of: key, acts, onAct, onClaim, level: Level, className } = props
  const { i18n } = useLingui()
  const { name } = key
  return (
    <li className={`grid gap-x-4 gap-y-2 md:grid-cols-[minmax(0,1fr)_auto] md:items-center ${className}`}>
      <div className="min-w-0">
        <Level className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {key.kind === "demo" ? (
            <Badge look="test">{i18n._("Test")}</Badge>
          ) : (
            <Badge look="accent">{i18n._("Production")}</Badge>
          )}
          <KeyState of={key} />
        </Level>
        <p className="mt-0.5 text-sm">
          <code>…{key.hint}</code>
          <span className="text-(--muted)">
            {" · "}
            {i18n._("API user {username}", { username: key.username })}
          </span>
        </p>
        <p className="text-sm text-(--muted)">{lifeOf(i18n, key)}</p>
        <p className="text-sm text-(--muted)">{originOf(i18n, key)}</p>
        {key.reset_by_operator_at !== undefined && (
          <p className="mt-1 text-sm font-semibold text-(--warn)">
            {i18n._("The operator reset this key on {time}, because others may know it.", {
              time: sayTime(i18n, key.reset_by_operator_at),
            })}
          </p>
        )}
      </div>
      {key.reset_by_operator_at !== undefined && onClaim && (
        <Button look="main" onClick={onClaim}>
          {i18n._("Get the new key")}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
      {key.revoked_at === undefined && (
        <div className="-ml-2 flex flex-wrap sm:-ml-3 md:ml-0">
          {acts.map((act) => (
            <Act key={act} Sign={SIGNS[act]} name={sayAct(i18n, act)} of={name} onPress={() => onAct(act)} />
          ))}
        </div>
      )}
    </li>
  )
}

const SIGNS = { rename: Pencil, reset: RotateCcw, revoke: Ban } as const

function sayAct(i18n: I18n, act: KeyAct): string {
  switch (act) {
    case "rename":
      return i18n._("Rename")
    case "reset":
      return i18n._("Reset")
    case "revoke":
      return i18n._("Revoke")
  }
}

type ActProps = {
  readonly Sign: typeof Pencil
  readonly name: string
  readonly of: string
  readonly onPress: () => void
}

function Act({ Sign, name, of, onPress }: ActProps) {
  return (
    <Button look="bare" className="max-sm:px-2 max-sm:text-sm" onClick={onPress}>
      <Sign aria-hidden="true" size={17} />
      {name}
      <span className="sr-only"> {of}</span>
    </Button>
  )
}

const SOON_MS = 30 * 86_400_000

function KeyState({ of: { revoked_at, expires_at } }: { readonly of: ApiKey }) {
  const { i18n } = useLingui()
  const left = Date.parse(expires_at) - Date.now()
  if (revoked_at !== undefined) return <Badge look="bad">{i18n._("Revoked")}</Badge>
  if (left < 0) return <Badge look="bad">{i18n._("Expired")}</Badge>
  if (left < SOON_MS) return <Badge look="warn">{i18n._("Expires soon")}</Badge>
  return null
}

const sayDate = (i18n: I18n, iso: string): string =>
  new Intl.DateTimeFormat(i18n.locale, { dateStyle: "medium" }).format(new Date(iso))

/** When it was used last, and until when it lasts. */
function lifeOf(i18n: I18n, { last_used_at, revoked_at, expires_at }: ApiKey): string {
  const used =
    last_used_at === undefined
      ? i18n._("Never used")
      : i18n._("Last used {when}", { when: sayAgo(i18n, last_used_at) })
  const ends =
    revoked_at === undefined
      ? i18n._("Expires on {day}", { day: sayDate(i18n, expires_at) })
      : i18n._("Revoked on {time}", { time: sayTime(i18n, revoked_at) })
  return `${used} · ${ends}`
}

function originOf(i18n: I18n, { created_at, created_by }: ApiKey): string {
  const day = sayDate(i18n, created_at)
  return created_by === undefined
    ? i18n._("Created on {day}", { day })
    : i18n._("Created on {day} by {who}", { day, who: created_by })
}
