import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type ApiKey, keyActs, keyList } from "../../api/keys.ts"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { RadioCards } from "../../parts/radio-cards.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"
import { useSession } from "../../session/session.tsx"
import { KeyOnce } from "./key-once.tsx"

export const NAME_CHARACTERS = 100

type NewKeySheetProps = { readonly keys: readonly ApiKey[]; readonly onClose: () => void }

/** One sheet from the name to the key, so that the focus goes back to where it was opened. */
export function NewKeySheet({ keys, onClose }: NewKeySheetProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: keyActs.create,
    onSuccess: () => client.invalidateQueries(keyList),
  })
  const heading = create.data === undefined ? i18n._("Create an API key") : i18n._("Your new API key")
  return (
    <Sheet heading={heading} isSticky={create.data !== undefined} onClose={onClose}>
      {create.data === undefined ? (
        <>
          <Wrong error={create.error} />
          <NewKeyForm
            usernames={[...new Set(keys.map(({ username }) => username))]}
            isBusy={create.isPending}
            onSubmit={create.mutate}
          />
        </>
      ) : (
        <KeyOnce of={create.data} />
      )}
    </Sheet>
  )
}

type NewKeyFormProps = {
  readonly usernames: readonly string[]
  readonly isBusy: boolean
  readonly onSubmit: (key: Parameters<typeof keyActs.create>[0]) => void
}

function NewKeyForm({ usernames, isBusy, onSubmit }: NewKeyFormProps) {
  const { i18n } = useLingui()
  const [name, setName] = useState("")
  const [kind, setKind] = useState<ApiKey["kind"]>(useSession().kind)
  const [username, setUsername] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && name.trim() !== "")
      onSubmit({ name: name.trim(), kind, ...(username !== "" && { username }) })
  }
  return (
    <form onSubmit={submit}>
      <Labelled label={i18n._("Name")} hint={i18n._("Where it is used, such as “Payroll, staging”.")}>
        {(described) => (
          <input
            {...described}
            className="field"
            required
            maxLength={NAME_CHARACTERS}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Labelled>
      <RadioCards
        className="mt-4"
        label={i18n._("What it is for")}
        value={kind}
        onChoose={setKind}
        choices={[
          ["demo", i18n._("Test"), i18n._("Free, marked as a test, without legal effect.")],
          ["production", i18n._("Production"), i18n._("Real signatures of real people.")],
        ]}
      />
      <Labelled
        className="mt-4"
        label={i18n._("API user")}
        hint={i18n._("An API user owns what its keys create. Keys of one user see the same requests.")}
      >
        {(described) => (
          <select
            {...described}
            className="field"
            value={username}
            onChange={({ target }) => setUsername(target.value)}
          >
            <option value="">{i18n._("A new one for this key")}</option>
            {usernames.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Labelled>
      <SheetActions>
        <Button type="submit" look="main" busy={isBusy}>
          {i18n._("Create the key")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </form>
  )
}
