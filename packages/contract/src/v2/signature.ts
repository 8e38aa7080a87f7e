import { LANGUAGES } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import type { NewSigner } from "@paraph/core/signature-request/create"
import type { Signature as Model, SignatureRequest } from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { DateTime, Email, Uuid } from "../shared/fields.ts"

// Decisions, "limits": 1 to 999; −1 or absent means none.
const Sequence = Type.Union([Type.Literal(-1), Type.Integer({ minimum: 1, maximum: LIMITS.sequenceMax })])
const SignatureLanguage = Type.Enum([...LANGUAGES])

/** Part 2.2, in v2's names. */
export const NewSignature = Type.Object({
  account_email: Email,
  sequence: Type.Optional(Sequence),
  language: Type.Optional(SignatureLanguage),
})
export type NewSignature = Type.Static<typeof NewSignature>

export const Signature = Type.Object({
  sid: Uuid,
  account_email: Type.String(),
  sequence: Sequence,
  status_code: Type.Enum(["OPEN", "DECLINED", "SIGNED", "ERROR"]),
  notify: Type.Boolean(),
  language: SignatureLanguage,
  signed_at: Type.Optional(DateTime),
  signed_quality: Type.Optional(Type.String()),
})
export type Signature = Type.Static<typeof Signature>

export const readSignature = (entry: NewSignature): NewSigner => ({
  email: entry.account_email,
  place: entry.sequence === undefined || entry.sequence < 1 ? null : entry.sequence,
  language: entry.language ?? "en",
})

const STATUS_CODE = { open: "OPEN", declined: "DECLINED", signed: "SIGNED", error: "ERROR" } as const

export const writeSignature = (signature: Model, request: SignatureRequest): Signature => ({
  sid: signature.id,
  account_email: signature.email,
  // Choice 6: like v1's `order`, −1 says that there is none.
  sequence: signature.place ?? -1,
  status_code: STATUS_CODE[signature.state],
  notify: true,
  language: signature.language,
  ...(signature.signedAt !== null && {
    signed_at: signature.signedAt.toISOString(),
    signed_quality: request.kind === "demo" ? "DEMO" : request.quality,
  }),
})
