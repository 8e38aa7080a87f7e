import { useLingui } from "@lingui/react"
import { type FormEvent, useState } from "react"
import { actions, useAction } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { PersonFields } from "../../parts/person-fields.tsx"
import { closeSheetAround, Sheet } from "../../parts/sheet.tsx"
import { entryOf, isAddress, NOBODY, type PersonData } from "../../parts/signer-entry.ts"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"

type AddSignerSheetProps = { readonly request: SignatureRequest; readonly onClose: () => void }

/** To a request that began without signers, or to any other that is open (SR-08). */
export function AddSignerSheet({ request, onClose }: AddSignerSheetProps) {
  const { i18n } = useLingui()
  const last = Math.max(0, ...request.signatures.map(({ sequence }) => sequence))
  const [person, setPerson] = useState<PersonData>({
    ...NOBODY,
    language: i18n.locale as PersonData["language"],
  })
  const [place, setPlace] = useState(last > 0 ? String(last + 1) : "")
  const [isTried, setTried] = useState(false)
  const add = useAction(request.id, actions.addSigner)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (!isAddress(person.email) || add.isPending) return
    const form = event.currentTarget
    const sequence = Number(place)
    const entry = { ...entryOf(person), ...(sequence > 0 && { sequence }) }
    add.mutate([request.id, entry], {
      onSuccess: () => {
        announce(i18n._("{who} was asked to sign.", { who: person.email }))
        closeSheetAround(form)
      },
    })
  }
  return (
    <Sheet heading={i18n._("Add a signer")} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong error={add.error} />
        <PersonFields person={person} onChange={setPerson} isTried={isTried} />
        <Labelled
          className="mt-4"
          label={i18n._("Place in the order")}
          hint={i18n._("Smaller numbers sign first. Leave empty for any time.")}
        >
          {(described) => (
            <input
              {...described}
              type="number"
              inputMode="numeric"
              min={1}
              max={999}
              className="field max-w-32"
              value={place}
              onChange={(event) => setPlace(event.target.value)}
            />
          )}
        </Labelled>
        <SubmitOrBack busy={add.isPending}>{i18n._("Add and invite")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
