import type { NewSignature, Quality, Signature, SignatureRequest, VisualSignature } from "../../api/types.ts"
import type { components } from "../../api/v3.d.ts"
import { entryOf, isAddress, NOBODY, type PersonData } from "../../parts/signer-entry.ts"

/** A place on a page: points, from the lower left corner, pages from 0. */
export type Box = {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a person's signature is seen in one document; nowhere means that they choose it themselves. */
export type Mark = { readonly formField: string | null; readonly boxes: readonly Box[] }

export type DraftPerson = PersonData & {
  readonly key: string
  /** A group of the business in place of a person. */
  readonly groupId: string | null
  /** In the same step as whoever stands above. */
  readonly isTogether: boolean
  readonly marks: Readonly<Record<string, Mark>>
}

export type Legislation = "ZERTES" | "EIDAS"

/** What is being prepared, as it stands on the screen; incomplete people are kept here until they are complete. */
export type Draft = {
  readonly title: string
  readonly message: string
  readonly quality: Quality
  readonly legislation: Legislation | null
  readonly expiresAt: string
  readonly isOrdered: boolean
  readonly people: readonly DraftPerson[]
}

export function draftOf(request: SignatureRequest): Draft {
  const inOrder = request.signatures.toSorted((a, b) => placeOf(a) - placeOf(b))
  return {
    title: request.title,
    message: request.message ?? "",
    quality: request.quality,
    legislation: request.legislation,
    expiresAt: request.expires_at ?? "",
    isOrdered: inOrder.some(({ sequence }) => sequence > 0),
    people: inOrder.map((signature, index) => personOf(signature, inOrder[index - 1])),
  }
}

const placeOf = ({ sequence }: Signature): number => (sequence > 0 ? sequence : Number.MAX_SAFE_INTEGER)

function personOf(signature: Signature, above: Signature | undefined): DraftPerson {
  const { sid, signer_identity_data: identity, account_email, language, signer_group_id } = signature
  return {
    key: sid,
    groupId: signer_group_id,
    email: signer_group_id === null ? (identity?.email_address ?? account_email ?? "") : "",
    firstName: identity?.first_name ?? "",
    lastName: identity?.last_name ?? "",
    language,
    isTogether: above !== undefined && above.sequence === signature.sequence,
    marks: Object.fromEntries(
      signature.document_signatures.map((one) => [one.document_id, markOf(one.visual_signature)]),
    ),
  }
}

function markOf(visual: VisualSignature | null): Mark {
  const positions = visual?.positions ?? (visual?.position === undefined ? [] : [visual.position])
  const boxes = positions.map((position) => ({ ...position, page: Number(position.page) }))
  return { formField: visual?.form_field ?? null, boxes }
}

export const NO_MARK: Mark = { formField: null, boxes: [] }

export const newPerson = (language: PersonData["language"], groupId: string | null = null): DraftPerson => ({
  ...NOBODY,
  language,
  key: crypto.randomUUID(),
  groupId,
  isTogether: false,
  marks: {},
})

/** Can be saved, and invited. */
export const isComplete = ({ groupId, email }: DraftPerson): boolean => groupId !== null || isAddress(email)

/** The step of each person, from 1; all of them the first where there is no order. */
export function stepsIn({ isOrdered, people }: Draft): readonly number[] {
  let step = 0
  return people.map(({ isTogether }, index) => {
    if (step === 0 || (isOrdered && !(isTogether && index > 0))) step += 1
    return step
  })
}

type PatchBody = components["schemas"]["SignatureRequestPatchBody"]

export function patchOf(draft: Draft, documentIds: readonly string[]): PatchBody {
  const steps = stepsIn(draft)
  const title = draft.title.trim()
  return {
    ...(title !== "" && { title }),
    message: draft.message.trim() === "" ? null : draft.message,
    quality: draft.quality,
    legislation: draft.legislation,
    signatures: draft.people.flatMap((person, index) =>
      isComplete(person)
        ? [newSignature(person, draft.isOrdered ? (steps[index] ?? 1) : null, documentIds)]
        : [],
    ),
  }
}

function newSignature(
  person: DraftPerson,
  sequence: number | null,
  documentIds: readonly string[],
): NewSignature {
  const who = person.groupId === null ? entryOf(person) : { signer_group_id: person.groupId }
  const isPlaced = documentIds.some(
    (id) => person.marks[id] !== undefined && visualOf(person.marks[id]) !== null,
  )
  return {
    ...who,
    ...(sequence !== null && { sequence }),
    // Everybody signs every document; those without a place are named too, or they would be left out.
    ...(isPlaced && {
      document_signatures: documentIds.map((id) => ({
        document_id: id,
        visual_signature: visualOf(person.marks[id] ?? NO_MARK),
      })),
    }),
  }
}

function visualOf({ formField, boxes }: Mark): VisualSignature | null {
  if (formField !== null) return { form_field: formField }
  const positions = boxes.map(positionOf)
  const [first] = positions
  if (first === undefined) return null
  return positions.length === 1 ? { position: first } : { positions }
}

/** As the interface writes it: `page` is a string, and tenths of a point are fine enough for a pen. */
export const positionOf = ({ page, x, y, width, height }: Box) => ({
  page: String(page),
  x: tenths(x),
  y: tenths(y),
  width: tenths(width),
  height: tenths(height),
})

const tenths = (value: number): number => Math.round(value * 10) / 10
