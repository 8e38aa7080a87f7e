import type { Signature as Model, SignatureRequest } from "@paraph/core/signature-request/model"
import type { NewSigner } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { type Addresses, Email, orNull } from "../shared/fields.ts"
import { otherNameOfSequence } from "../shared/signer.ts"
import { mandatoryMembers } from "../shared/signer-identity.ts"
import * as v2 from "../v2/signature.ts"

/** v1 is v2 with two names, `signer_email_address` and `order`, and without the e-mail form of the identity (part 2.2). */

export const Position = v2.Position
export const VisualSignature = v2.VisualSignature
export const SignerIdentityData = Type.Object(mandatoryMembers)
export type SignerIdentityData = Type.Static<typeof SignerIdentityData>

const {
  account_email: _,
  sequence,
  order: ___,
  signer_identity_data: __,
  ...sent
} = v2.NewSignature.properties
export const NewSignature = Type.Object({
  signer_email_address: Type.Optional(Email),
  order: sequence,
  sequence: otherNameOfSequence("order"),
  signer_identity_data: Type.Optional(orNull(SignerIdentityData)),
  ...sent,
})
export type NewSignature = Type.Static<typeof NewSignature>

/** Member by member: an unknown one may bear a name of v2, and is passed over all the same (choice 8). */
export const readSignature = (entry: NewSignature): NewSigner =>
  v2.readSignature({
    ...(entry.signer_email_address !== undefined && { account_email: entry.signer_email_address }),
    ...(entry.order !== undefined && { order: entry.order }),
    ...(entry.sequence !== undefined && { sequence: entry.sequence }),
    ...(entry.notify !== undefined && { notify: entry.notify }),
    ...(entry.language !== undefined && { language: entry.language }),
    ...(entry.visual_signature != null && { visual_signature: entry.visual_signature }),
    ...(entry.signer_identity_data != null && { signer_identity_data: five(entry.signer_identity_data) }),
  })

const five = (data: SignerIdentityData): SignerIdentityData => ({
  provider: data.provider,
  first_name: data.first_name,
  last_name: data.last_name,
  mobile_number: data.mobile_number,
  issuing_country: data.issuing_country,
})

const { account_email, sequence: place, signer_identity_data: ____, ...told } = v2.Signature.properties
export const SignerIdentity = Type.Object({
  first_name: orNull(Type.String()),
  last_name: orNull(Type.String()),
})
export const Signature = Type.Object({
  signer_email_address: account_email,
  order: place,
  signer_identity_data: orNull(SignerIdentity),
  ...told,
})
export type Signature = Type.Static<typeof Signature>

export function writeSignature(signature: Model, request: SignatureRequest, addresses: Addresses): Signature {
  const {
    account_email,
    sequence,
    signer_identity_data: identity,
    ...rest
  } = v2.writeSignature(signature, request, addresses)
  return {
    signer_email_address: account_email,
    order: sequence,
    signer_identity_data: identity && { first_name: identity.first_name, last_name: identity.last_name },
    ...rest,
  }
}
