import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"

/** Fields that mean the same in every version. */
/** RFC 9562, 4, as PostgreSQL reads it too; JSON Schema's format would also take the URN of it. */
export const Uuid = Type.String({
  format: "uuid",
  pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
})
export const Day = Type.String({ format: "date", description: "ISO 8601" })
export const DateTime = Type.String({ format: "date-time", description: "ISO 8601, UTC" })
export const Url = Type.String({ format: "uri", maxLength: LIMITS.urlCharacters })
export const Email = Type.String({ format: "email", maxLength: LIMITS.emailCharacters })
/** Any text but NUL and lone surrogates, which PostgreSQL cannot hold. */
export const TEXT = "^[^\\u0000\\p{Cs}]*$"
export const Title = Type.String({
  minLength: 1,
  pattern: TEXT,
  maxLength: LIMITS.textCharacters,
  description: "Short, treated like a file name.",
})
export const Message = Type.String({ maxLength: LIMITS.textCharacters, pattern: TEXT })
export const AccessList = Type.Array(
  Type.String({ minLength: 1, maxLength: LIMITS.emailCharacters, pattern: TEXT }),
  {
    maxItems: LIMITS.accessListEntries,
  },
)
export const EmailList = Type.Array(Email, { maxItems: LIMITS.accessListEntries })
export const Quality = Type.Enum(["SES", "AES", "QES", "AES_MINIMAL"])
export const Legislation = Type.Enum(["ZERTES", "EIDAS"])
export const IdParams = Type.Object({ id: Uuid })

/** Choice 2: an optional member that is not there is answered as null; where it is sent, null says the same. */
export const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Security, R09: what v3 does not know it refuses. */
export const closed = { additionalProperties: false } as const

export type Members<T extends Type.TProperties> = Type.Static<Type.TObject<T>>

/** Where people sign and where our own addresses begin; answers carry absolute addresses. */
export type Addresses = {
  readonly signingAppUrl: string
  /**
   * Part 2.2: the address of a signer without an account, who is taken to a preview of the document (part 4.5); null where
   * the caller is not to know it.
   */
  readonly previewUrl: (signatureId: string) => string | null
  /** A callback URL as it was given; null where the caller is not to know it, since such URLs often hold a secret. */
  readonly callbackUrl: (url: string) => string | null
}
