import type { Template, TemplateBody, TemplateSignature } from "../../api/templates.ts"
import type { Quality, SignatureRequest } from "../../api/types.ts"
import type { Language } from "../../language.ts"
import { emailOf, nameOf } from "../../parts/people.ts"
import { type Box, draftOf, type Legislation, positionOf, stepsIn } from "../send/draft.ts"

export type Place = Box & { readonly document: number }

export type Signer = {
  readonly key: string
  readonly label: string
  /** Empty: whoever uses the template says who it is. */
  readonly email: string
  readonly language: Language
  readonly notify: boolean
  readonly step: number
  readonly places: readonly Place[]
}

/** A template as it stands on the screen. */
export type Editing = {
  readonly name: string
  readonly title: string
  readonly message: string
  /** Null: the usual one of the business, as it is when the template is used. */
  readonly quality: Quality | null
  readonly legislation: Legislation | null
  readonly expiresInDays: string
  readonly isOrdered: boolean
  readonly signers: readonly Signer[]
  readonly documentIds: readonly string[]
  /** What this screen does not show, and must not lose. */
  readonly rest: Pick<TemplateBody["request"], "cc_email_addresses" | "attach_on_success">
}

export function editingOf({ name, request, document_ids }: Template): Editing {
  const { cc_email_addresses, attach_on_success } = request
  return {
    name,
    title: request.title ?? "",
    message: request.message ?? "",
    quality: request.quality,
    legislation: request.legislation,
    expiresInDays: String(request.expires_in_days ?? ""),
    isOrdered: request.signatures.some(({ sequence }) => sequence > 0),
    signers: request.signatures.map(signerOf),
    documentIds: document_ids,
    rest: { cc_email_addresses, attach_on_success },
  }
}

function signerOf(signature: Template["request"]["signatures"][number]): Signer {
  const { label, account_email, language, sequence, notify, places } = signature
  return {
    key: crypto.randomUUID(),
    label,
    email: account_email ?? "",
    language,
    notify,
    step: Math.max(sequence, 1),
    places: places.map((place) => ({ ...place, page: Number(place.page) })),
  }
}

export const newSigner = (label: string, language: Language, step: number): Signer => ({
  key: crypto.randomUUID(),
  label,
  email: "",
  language,
  notify: true,
  step,
  places: [],
})

export function bodyOf(editing: Editing): TemplateBody {
  const { name, title, message, quality, legislation, expiresInDays, isOrdered, signers } = editing
  return {
    name: name.trim(),
    request: {
      ...editing.rest,
      ...(title.trim() !== "" && { title: title.trim() }),
      ...(message.trim() !== "" && { message }),
      ...(quality !== null && { quality }),
      ...(legislation !== null && { legislation }),
      ...(expiresInDays !== "" && { expires_in_days: Number(expiresInDays) }),
      signatures: signers.map((signer) => signatureOf(signer, isOrdered)),
    },
    document_ids: [...editing.documentIds],
  }
}

function signatureOf(
  { label, email, language, step, places }: Signer,
  isOrdered: boolean,
): TemplateSignature {
  return {
    label: label.trim(),
    language,
    ...(email.trim() !== "" && { account_email: email.trim() }),
    ...(isOrdered && { sequence: step }),
    ...(places.length > 0 && {
      places: places.map((place) => ({ document: place.document, ...positionOf(place) })),
    }),
  }
}

/** A request that was sent once, made ready to be sent again: people become what they are in it. */
export function templateOf(
  request: SignatureRequest,
  name: string,
  labels: readonly { readonly label: string; readonly isKept: boolean }[],
): TemplateBody {
  const draft = draftOf(request)
  const steps = stepsIn(draft)
  const documentIds = request.documents.map(({ id }) => id)
  const signers = draft.people.map((person, index): Signer => {
    const { label = "", isKept = false } = labels[index] ?? {}
    return {
      key: person.key,
      label,
      email: isKept ? person.email : "",
      language: person.language,
      notify: true,
      step: steps[index] ?? 1,
      places: documentIds.flatMap((id, document) =>
        (person.marks[id]?.boxes ?? []).map((box) => ({ ...box, document })),
      ),
    }
  })
  return bodyOf({ ...draft, name, expiresInDays: "", signers, documentIds, rest: {} })
}

/** The same order as in `templateOf`. */
export function suggestedLabels(request: SignatureRequest): readonly { label: string; email: string }[] {
  return draftOf(request).people.map(({ key, email }) => {
    const signature = request.signatures.find(({ sid }) => sid === key)
    const called = signature === undefined ? email : (nameOf(signature) ?? emailOf(signature) ?? email)
    return { label: called.slice(0, MAX_LABEL), email }
  })
}

export const MAX_LABEL = 100
export const MAX_NAME = 100
