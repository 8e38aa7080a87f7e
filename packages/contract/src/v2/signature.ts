import type {
  Signature as Model,
  SignatureRequest,
  VisualSignature as VisualModel,
} from "@paraph/core/signature-request/model"
import type { NewSigner } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { type Addresses, orNull } from "../shared/fields.ts"
import {
  otherNameOfSequence,
  readSigner,
  sequenceOf,
  signatureMembers,
  signerMembers,
  writeSigner,
} from "../shared/signer.ts"
import { identityMembers } from "../shared/signer-identity.ts"
import { FormField, positionMembers, readVisual, writePosition } from "../shared/visual-signature.ts"

export const Position = Type.Object(positionMembers)
export const VisualSignature = Type.Object(
  { form_field: Type.Optional(FormField), position: Type.Optional(Position) },
  { description: "One of the two. When absent, the signer places the signature freely." },
)
export type VisualSignature = Type.Static<typeof VisualSignature>

export const SignerIdentityData = Type.Object(identityMembers)
export type SignerIdentityData = Type.Static<typeof SignerIdentityData>

/** Part 2.2, in v2's names. */
export const NewSignature = Type.Object({
  ...signerMembers,
  order: otherNameOfSequence("sequence"),
  signer_identity_data: Type.Optional(orNull(SignerIdentityData)),
  visual_signature: Type.Optional(orNull(VisualSignature)),
})
export type NewSignature = Type.Static<typeof NewSignature>

export function readSignature({ order, ...entry }: NewSignature): NewSigner {
  const sequence = sequenceOf(order, entry.sequence)
  return {
    ...readSigner({ ...entry, ...(sequence !== undefined && { sequence }) }),
    wanted: { type: "all", visual: readVisual(entry.visual_signature) },
  }
}

export const Signature = Type.Object({ ...signatureMembers, visual_signature: orNull(VisualSignature) })
export type Signature = Type.Static<typeof Signature>

export const writeSignature = (
  signature: Model,
  request: SignatureRequest,
  addresses: Addresses,
): Signature => ({
  ...writeSigner(signature, request, addresses),
  visual_signature: writeVisual(signature.marks[0]?.visual ?? null),
})

/** Several positions are v3's alone; here the first is shown. */
function writeVisual(visual: VisualModel | null): VisualSignature | null {
  if (visual === null) return null
  if (visual.type === "form-field") return { form_field: visual.name }
  const [first] = visual.positions
  return first === undefined ? null : { position: writePosition(first) }
}
