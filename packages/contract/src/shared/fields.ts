import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"

/** Fields that mean the same in every version. */
/** RFC 9562, 4, as PostgreSQL reads it too; JSON Schema's format would also take the URN of it. */
export const Uuid = Type.String({
  format: "uuid",
  pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
})
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
export const Quality = Type.Enum(["SES", "AES", "QES", "AES_MINIMAL"])
export const Legislation = Type.Enum(["ZERTES", "EIDAS"])
export const IdParams = Type.Object({ id: Uuid })

/** Where people sign and where our own addresses begin; answers carry absolute addresses. */
export type Addresses = { readonly signingAppUrl: string }
