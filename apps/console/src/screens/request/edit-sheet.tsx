import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { memberList } from "../../api/members.ts"
import { actions, useAction } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { AddressList } from "../../parts/address-list.tsx"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { closeSheetAround, Sheet } from "../../parts/sheet.tsx"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { type Terms, termsChanged, termsOf } from "./terms.ts"

type EditSheetProps = { readonly request: SignatureRequest; readonly onClose: () => void }

const MAX_CHARACTERS = 1024

/** What may still be changed while a request is a draft or open: its words, and who works on it or reads it. */
export function EditSheet({ request, onClose }: EditSheetProps) {
  const { i18n } = useLingui()
  const [terms, setTerms] = useState(() => termsOf(request))
  const change = useAction(request.id, actions.change)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (change.isPending || terms.title.trim() === "") return
    change.mutate([request.id, termsChanged(request, terms)], {
      onSuccess: () => {
        closeSheetAround(form)
        announce(i18n._("The request was changed."))
      },
    })
  }
  return (
    <Sheet heading={i18n._("Change the request")} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong error={change.error} />
        <div className="grid gap-4">
          <Words
            terms={terms}
            isOpen={request.status_overall === "OPEN"}
            onChange={(changed) => setTerms({ ...terms, ...changed })}
          />
          <Access terms={terms} onChange={(changed) => setTerms({ ...terms, ...changed })} />
        </div>
        <SubmitOrBack busy={change.isPending}>{i18n._("Save")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}

type PartProps = { readonly terms: Terms; readonly onChange: (changed: Partial<Terms>) => void }

function Words({ terms, isOpen, onChange }: PartProps & { readonly isOpen: boolean }) {
  const { i18n } = useLingui()
  return (
    <>
      <Labelled
        label={i18n._("Title")}
        error={terms.title.trim() === "" ? i18n._("Please give it a title.") : null}
      >
        {(described) => (
          <input
            {...described}
            className="field"
            maxLength={MAX_CHARACTERS}
            value={terms.title}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </Labelled>
      <Labelled
        label={i18n._("Message to the signers")}
        hint={isOpen ? i18n._("Mails that were sent before stay as they are.") : undefined}
      >
        {(described) => (
          <textarea
            {...described}
            className="field"
            rows={3}
            maxLength={MAX_CHARACTERS}
            value={terms.message}
            onChange={({ target }) => onChange({ message: target.value })}
          />
        )}
      </Labelled>
    </>
  )
}

function Access({ terms, onChange }: PartProps) {
  const { i18n } = useLingui()
  const members = useQuery(memberList).data?.map(({ email }) => email) ?? []
  return (
    <>
      <AddressList
        label={i18n._("May change it")}
        hint={i18n._("Like you: add signers, remind, withdraw, delete.")}
        addresses={terms.writeAccess}
        suggestions={members}
        onChange={(writeAccess) => onChange({ writeAccess })}
      />
      <AddressList
        label={i18n._("May read it")}
        addresses={terms.readAccess}
        suggestions={members}
        onChange={(readAccess) => onChange({ readAccess })}
      />
    </>
  )
}
