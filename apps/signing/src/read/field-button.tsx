import type { SigningDocument } from "../api.ts"
import type { Draft, Field } from "../draft.ts"
import { onPicture, pageSize } from "../geometry.ts"
import { LookPicture } from "../parts/look-picture.tsx"
import { say } from "../words.ts"

type FieldButtonProps = {
  readonly field: Field
  readonly draft: Draft
  readonly document: SigningDocument
  readonly inText?: boolean
  readonly onPress: (field: Field) => void
}

/** A place of one's own on the page: a real button, where the signature will stand. */
export function FieldButton({ field, draft, document, inText = false, onPress }: FieldButtonProps) {
  const ready = draft.isReady(field)
  const { page } = field.position
  const label = say(ready ? "field.ready" : "field.empty", {
    number: draft.fields.indexOf(field) + 1,
    count: draft.fields.length,
    page: page + 1,
  })
  const shown = ready && draft.look !== null ? <LookPicture look={draft.look} name={draft.name} /> : null
  return (
    <button
      type="button"
      id={`field-${field.key}`}
      className={`signature-field ${ready ? "signature-field-ready" : ""} ${inText ? "signature-field-in-text" : "absolute"}`}
      style={inText ? undefined : onPicture(field.position, pageSize(document, page))}
      onClick={() => onPress(field)}
    >
      {shown ?? <span className="signature-field-words">{say("field.sign-here")}</span>}
      <span className="sr-only">{label}</span>
    </button>
  )
}
