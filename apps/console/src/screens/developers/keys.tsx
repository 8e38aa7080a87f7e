import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { KeyRound, Plus } from "lucide-react"
import { useState } from "react"
import { type ApiKey, keyList } from "../../api/keys.ts"
import { Button } from "../../parts/button.tsx"
import { type KeyAct, KeyRow } from "../../parts/key-row.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { KeySheet } from "./key-sheets.tsx"
import { NewKeySheet } from "./new-key-sheet.tsx"

/** REG-03: the keys with which programs sign in. Those that are over stay readable, and out of the way. */
export function Keys() {
  const { i18n } = useLingui()
  const list = useQuery(keyList)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<Acting | null>(null)
  const isOver = ({ revoked_at, expires_at, reset_by_operator_at }: ApiKey) =>
    (revoked_at !== undefined && reset_by_operator_at === undefined) || Date.parse(expires_at) < Date.now()
  const keys = list.data?.filter((key) => !isOver(key)) ?? []
  const over = list.data?.filter(isOver) ?? []
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-(--muted)">
          {i18n._(
            "Programs sign in with an API key. With a test key nothing is real. Every key expires by itself.",
          )}
        </p>
        <Button look="main" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" size={18} />
          {i18n._("Create a key")}
        </Button>
      </div>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data !== undefined && keys.length === 0 && (
        <Nothing title={i18n._("No key yet")}>
          <KeyRound aria-hidden="true" size={28} className="mx-auto mb-3 text-(--accent)" />
          {i18n._("Create a test key, and send your first request from a program within minutes.")}
        </Nothing>
      )}
      {keys.length > 0 && <KeyRows keys={keys} onAct={setActing} />}
      {over.length > 0 && (
        <details className="mt-5">
          <summary className="min-h-11 py-2.5 font-semibold text-(--accent)">
            {i18n._("{count, plural, one {# expired or revoked key} other {# expired or revoked keys}}", {
              count: over.length,
            })}
          </summary>
          <KeyRows keys={over} onAct={setActing} />
        </details>
      )}
      {acting && <KeySheet {...acting} onClose={() => setActing(null)} />}
      {isAdding && <NewKeySheet keys={list.data ?? []} onClose={() => setAdding(false)} />}
    </>
  )
}

type Acting = { readonly act: KeyAct; readonly of: ApiKey }
type KeyRowsProps = { readonly keys: readonly ApiKey[]; readonly onAct: (acting: Acting) => void }

const ACTS = ["rename", "reset", "revoke"] as const

function KeyRows({ keys, onAct }: KeyRowsProps) {
  return (
    <ul className="card divide-y divide-(--line)">
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          of={key}
          acts={ACTS}
          level="h2"
          className="px-4 py-4 sm:px-5"
          onAct={(act) => onAct({ act, of: key })}
          onClaim={() => onAct({ act: "reset", of: key })}
        />
      ))}
    </ul>
  )
}
