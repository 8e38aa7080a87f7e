import { useLingui } from "@lingui/react"
import { useQueryClient } from "@tanstack/react-query"
import { type ApiKey, keyActs, keyList } from "../../api/keys.ts"
import { announce } from "../../parts/announce.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import type { KeyAct } from "../../parts/key-row.tsx"
import { focusTitle } from "../../parts/screen-title.tsx"
import { RenameKeySheet } from "./rename-key-sheet.tsx"
import { ResetKeySheet } from "./reset-key-sheet.tsx"

type KeySheetProps = { readonly act: KeyAct; readonly of: ApiKey; readonly onClose: () => void }

/** Outside of the lines: a line goes to those that are over while its sheet still shows the new key. */
export function KeySheet({ act, of: key, onClose }: KeySheetProps) {
  switch (act) {
    case "rename":
      return <RenameKeySheet of={key} onClose={onClose} />
    case "reset":
      return <ResetKeySheet of={key} onClose={onClose} />
    case "revoke":
      return <RevokeKeySheet of={key} onClose={onClose} />
  }
}

function RevokeKeySheet({ of: { id, name }, onClose }: Omit<KeySheetProps, "act">) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  return (
    <ConfirmSheet
      heading={i18n._("Revoke “{name}”?", { name })}
      act={i18n._("Revoke for good")}
      onConfirm={() => keyActs.revoke(id)}
      onDone={() => {
        focusTitle()
        announce(i18n._("“{name}” was revoked.", { name }))
        client.invalidateQueries(keyList)
      }}
      onClose={onClose}
    >
      <p>{i18n._("Programs that use it are locked out within seconds. This cannot be undone.")}</p>
    </ConfirmSheet>
  )
}
