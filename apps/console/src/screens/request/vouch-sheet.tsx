import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useState } from "react"
import { actions, useAction, type Vouch } from "../../api/requests.ts"
import type { Signature, SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { calledOf } from "../../parts/people.ts"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type VouchSheetProps = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly onClose: () => void
}

const DOCUMENTS = ["PASSPORT", "IDENTITY_CARD", "RESIDENCE_PERMIT", "DRIVING_LICENCE"] as const

/** What the member checked with the signer in front of them. It goes into the certificate and into the evidence. */
export function VouchSheet({ request, signature, onClose }: VouchSheetProps) {
  const { i18n } = useLingui()
  const known = signature.signer_identity_data
  const [vouch, setVouch] = useState<Vouch>({
    first_name: known?.first_name ?? "",
    last_name: known?.last_name ?? "",
    document: "PASSPORT",
  })
  const [hasMet, setMet] = useState(false)
  const [isTried, setTried] = useState(false)
  const save = useAction(request.id, actions.vouch)
  const who = calledOf(signature)
  const isComplete = hasMet && vouch.first_name.trim() !== "" && vouch.last_name.trim() !== ""
  const text = (name: "first_name" | "last_name" | "mobile_number") => ({
    className: "field",
    autoComplete: "off",
    value: vouch[name] ?? "",
    onChange: ({ target }: { target: HTMLInputElement }) => setVouch({ ...vouch, [name]: target.value }),
  })
  const missing = (value: string) =>
    isTried && value.trim() === "" ? i18n._("Please type it as in the document.") : null
  return (
    <Sheet heading={i18n._("Who is {who}?", { who })} onClose={onClose}>
      <p className="mb-4">
        {i18n._(
          "You confirm that you have met this person and seen an official document. Your e-mail address is recorded as evidence, and this name goes into the certificate of the signature.",
        )}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Labelled label={i18n._("First name")} error={missing(vouch.first_name)}>
          {(described) => <input {...described} maxLength={200} {...text("first_name")} />}
        </Labelled>
        <Labelled label={i18n._("Last name")} error={missing(vouch.last_name)}>
          {(described) => <input {...described} maxLength={200} {...text("last_name")} />}
        </Labelled>
      </div>
      <Labelled className="mt-3" label={i18n._("The document that you saw")}>
        {(described) => (
          <select
            {...described}
            className="field"
            value={vouch.document}
            onChange={({ target }) =>
              setVouch({ ...vouch, document: DOCUMENTS.find((one) => one === target.value) ?? "PASSPORT" })
            }
          >
            {DOCUMENTS.map((document) => (
              <option key={document} value={document}>
                {sayDocument(i18n, document)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled
        className="mt-3"
        label={i18n._("Mobile number (optional)")}
        hint={i18n._(
          "Only if you reached the person there while you met. Codes by text message count only then; they can be intercepted or redirected, and a passkey of the person protects better.",
        )}
      >
        {(described) => <input {...described} type="tel" maxLength={40} {...text("mobile_number")} />}
      </Labelled>
      <label className="mt-4 flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={hasMet}
          onChange={({ target }) => setMet(target.checked)}
        />
        <span>{i18n._("I have met this person and seen this document.")}</span>
      </label>
      {isTried && !hasMet && (
        <p className="mt-1 text-sm font-semibold text-(--danger)">{i18n._("Please confirm this first.")}</p>
      )}
      <Wrong error={save.error} />
      <SheetActions>
        <Button
          look="main"
          busy={save.isPending}
          onClick={({ currentTarget }) => {
            setTried(true)
            if (!isComplete) return
            save.mutate([request.id, signature.sid, vouch], {
              onSuccess: () => {
                announce(i18n._("The identity of {who} is confirmed.", { who }))
                closeSheetAround(currentTarget)
              },
            })
          }}
        >
          {i18n._("Confirm identity")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}

function sayDocument(i18n: I18n, document: (typeof DOCUMENTS)[number]): string {
  switch (document) {
    case "PASSPORT":
      return i18n._("Passport")
    case "IDENTITY_CARD":
      return i18n._("Identity card")
    case "RESIDENCE_PERMIT":
      return i18n._("Residence permit")
    case "DRIVING_LICENCE":
      return i18n._("Driving licence")
  }
}
