import { identificationOf } from "@paraph/core/identification/needed"
import { LANGUAGES } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { signedQuality } from "@paraph/core/signature-request/key-holder"
import type { Signature as Model, SignatureRequest } from "@paraph/core/signature-request/model"
import type { NewSigner } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { type Addresses, DateTime, Email, type Members, orNull, Url, Uuid } from "./fields.ts"
import { type IdentityData, readIdentity, SignerIdentity, writeIdentity } from "./signer-identity.ts"

const SEQUENCE = { minimum: -1, maximum: LIMITS.sequenceMax }
/** Part 2.2: smallest first; −1 or absent means none (choice 7). */
export const Sequence = Type.Integer({
  ...SEQUENCE,
  description: "Signing order, smallest first. When absent or -1, there is no order.",
})
/** v1 calls it `order`, v2 `sequence`. Each takes the other name too: ignoring it would lose the signing order. */
export const otherNameOfSequence = (name: "order" | "sequence") =>
  Type.Optional(Type.Integer({ ...SEQUENCE, deprecated: true, description: `Another name of \`${name}\`.` }))

/** The order of a signer, by whichever name it was sent. */
export function sequenceOf(order: number | undefined, sequence: number | undefined): number | undefined {
  if (order !== undefined && sequence !== undefined && order !== sequence)
    throw new Refusal(
      "constraint-violated",
      `order and sequence are two names of one value, but ${order} and ${sequence} were sent. Send one of them.`,
    )
  return order ?? sequence
}
export const SignerLanguage = Type.Enum([...LANGUAGES])

/** What is sent about a person who is to sign, in the names of v2 and v3 (part 2.2). */
export const signerMembers = {
  account_email: Type.Optional(Email),
  sequence: Type.Optional(Sequence),
  notify: Type.Optional(Type.Boolean({ description: "true unless given." })),
  language: Type.Optional(SignerLanguage),
}
type Signer = Members<typeof signerMembers> & { readonly signer_identity_data?: IdentityData | null }

export function readSigner(entry: Signer): Omit<NewSigner, "wanted"> {
  const stated = entry.signer_identity_data == null ? null : readIdentity(entry.signer_identity_data)
  if (entry.account_email === undefined && stated === null)
    throw new Refusal(
      "constraint-violated",
      "A signer needs an e-mail address, signer_identity_data or both.",
    )
  if (stated?.email != null && entry.account_email !== undefined && stated.email !== entry.account_email)
    throw new Refusal("constraint-violated", "A signer has one e-mail address; two are given.")
  return {
    type: "person",
    // Whether an account has this address, and who is invited then, is for core to say (SR-13).
    email: entry.account_email ?? stated?.email ?? null,
    identity: stated?.identity ?? null,
    ...(stated?.requireEvidence === true && { requireEvidence: true }),
    place: readPlace(entry.sequence),
    notify: entry.notify ?? true,
    language: entry.language ?? stated?.language ?? "en",
  }
}

export const readPlace = (sequence: number | undefined): number | null =>
  sequence === undefined || sequence < 0 ? null : sequence

/** What is answered about a signature in every version, in the names of v2 and v3. */
export const signatureMembers = {
  sid: Uuid,
  account_email: Type.String({ description: "An opaque identifier for a signer without an account." }),
  sequence: Sequence,
  status_code: Type.Enum(["OPEN", "DECLINED", "SIGNED", "ERROR"]),
  notify: Type.Boolean(),
  language: SignerLanguage,
  signer_identity_data: orNull(SignerIdentity),
  signing_url: Type.Optional(Url),
  signed_at: Type.Optional(DateTime),
  signed_quality: Type.Optional(Type.Enum(["SES", "AES", "QES", "AES_MINIMAL", "DEMO"])),
  signed_legislation: Type.Optional(orNull(Type.Enum(["ZERTES", "EIDAS"]))),
  last_viewed_at: orNull(DateTime),
  mail_problem: orNull(Type.String({ description: "Why a mail or an SMS to the signer did not arrive." })),
  waiting_for: orNull(
    Type.Enum(["KEYS", "TIMESTAMP", "REVOCATION", "PROVIDER"], {
      description: "What keeps a signature that was agreed to from being made; it is tried again.",
    }),
  ),
}
export type SignatureMembers = Members<typeof signatureMembers>

export const STATUS_CODE = { open: "OPEN", declined: "DECLINED", signed: "SIGNED", error: "ERROR" } as const

export const writeSigner = (
  signature: Model,
  request: SignatureRequest,
  addresses: Addresses,
): SignatureMembers => ({
  sid: signature.id,
  // SR-13: what a signer without an account is called is no address of theirs.
  account_email: signature.identity === null ? (signature.email ?? signature.id) : signature.id,
  // Choice 6: like v1's `order`, −1 says that there is none.
  sequence: signature.place ?? -1,
  status_code: STATUS_CODE[signature.state],
  notify: signature.notify,
  language: signature.language,
  signer_identity_data:
    signature.identity === null
      ? null
      : writeIdentity(signature.identity, signature.email, identificationOf(request, signature)),
  ...signingUrl(signature, addresses),
  ...(signature.signedAt !== null && {
    signed_at: signature.signedAt.toISOString(),
    signed_quality: signedQuality(request, signature.turn?.provider ?? null),
    signed_legislation: request.legislation,
  }),
  last_viewed_at: signature.lastViewedAt?.toISOString() ?? null,
  mail_problem: signature.mailProblem,
  waiting_for: signature.waitingFor === null ? null : WAITING_FOR[signature.waitingFor],
})

const WAITING_FOR = {
  keys: "KEYS",
  timestamp: "TIMESTAMP",
  revocation: "REVOCATION",
  provider: "PROVIDER",
} as const

function signingUrl({ id, identity }: Model, { previewUrl }: Addresses): { readonly signing_url?: string } {
  const url = identity === null ? null : previewUrl(id)
  return url === null ? {} : { signing_url: url }
}
