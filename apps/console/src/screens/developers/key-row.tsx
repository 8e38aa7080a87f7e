import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { Ban, Pencil, RotateCcw } from "lucide-react"
import type { ApiKey } from "../../api/keys.ts"
import { Badge } from "../../parts/badge.tsx"
import { Button } from "../../parts/button.tsx"
import { sayAgo, sayTime } from "../../parts/said.ts"

/** What can be done to a key. */
export type KeyAct = "rename" | "reset" | "revoke"

type KeyRowProps = { readonly of: ApiKey; readonly onAct: (act: KeyAct) => void }

export function KeyRow({ of: key, onAct }: KeyRowProps) {
  const { i18n } = useLingui()
  const { name } = key
  return (
    <li className="grid gap-x-4 gap-y-2 px-4 py-4 sm:px-5 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {key.kind === "demo" ? (
            <Badge look="test">{i18n._("Test")}</Badge>
          ) : (
            <Badge look="accent">{i18n._("Production")}</Badge>
          )}
          <KeyState of={key} />
        </h2>
        <p className="mt-0.5 text-sm">
          <code>…{key.hint}</code>
          <span className="text-(--muted)">
            {" · "}
            {i18n._("API user {username}", { username: key.username })}
          </span>
        </p>
        <p className="text-sm text-(--muted)">{lifeOf(i18n, key)}</p>
        <p className="text-sm text-(--muted)">{originOf(i18n, key)}</p>
      </div>
      {key.revoked_at === undefined && (
        <div className="-ml-2 flex flex-wrap sm:-ml-3 md:ml-0">
          <Act Sign={Pencil} name={i18n._("Rename")} of={name} onPress={() => onAct("rename")} />
          <Act Sign={RotateCcw} name={i18n._("Reset")} of={name} onPress={() => onAct("reset")} />
          <Act Sign={Ban} name={i18n._("Revoke")} of={name} onPress={() => onAct("revoke")} />
        </div>
      )}
    </li>
  )
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
