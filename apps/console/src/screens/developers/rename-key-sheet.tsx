import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type ApiKey, keyActs, keyList } from "../../api/keys.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { closeSheetAround, Sheet } from "../../parts/sheet.tsx"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { NAME_CHARACTERS } from "./new-key-sheet.tsx"

type RenameKeySheetProps = { readonly of: ApiKey; readonly onClose: () => void }

export function RenameKeySheet({ of: key, onClose }: RenameKeySheetProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [name, setName] = useState(key.name)
  const rename = useMutation({ mutationFn: () => keyActs.rename(key.id, name.trim()) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (rename.isPending || name.trim() === "") return
    rename.mutate(undefined, {
      onSuccess: () => {
        closeSheetAround(form)
        announce(i18n._("The key is now called “{name}”.", { name: name.trim() }))
        client.invalidateQueries(keyList)
      },
    })
  }
  return (
    <Sheet heading={i18n._("Rename the key")} onClose={onClose}>
      <form onSubmit={submit}>
        <Wrong error={rename.error} />
        <Labelled label={i18n._("Name")}>
          {(described) => (
            <input
              {...described}
              className="field"
              required
              maxLength={NAME_CHARACTERS}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Labelled>
        <SubmitOrBack busy={rename.isPending}>{i18n._("Save")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
