import { unwrapped } from "../keys/business-keys.ts"
import { accountContext, businessContext, type KeyRing } from "../keys/key-ring.ts"

/** A row as PostgreSQL writes it in JSON. */
export type NewWrapping = Readonly<Record<string, string | number | boolean | null>>

/**
 * What the operator's key of the one cell wraps is wrapped by that of the other: the keys of the business, and the secrets of its people's
 * authenticator apps. Everything else is sealed under a key of the business, and goes as it is.
 */
export async function wrapAgain(
  from: KeyRing,
  to: KeyRing,
  table: "business_key" | "account_credentials",
  row: NewWrapping,
): Promise<NewWrapping> {
  if (table === "business_key") {
    const [businessId, version] = [String(row.business_id), Number(row.version)]
    const kekId = row.kek_id === null ? null : String(row.kek_id)
    const { key } = await unwrapped(from, {
      businessId,
      version,
      kekId,
      wrappedKey: bytesIn(row.wrapped_key),
    })
    const { id, wrapped } = await to.wrap(key, businessContext(businessId, version))
    return { ...row, kek_id: id, wrapped_key: asText(wrapped) }
  }
  if (row.totp_wrapped == null) return row
  const context = accountContext(String(row.account_id))
  const secret = await from.unwrap(
    { id: String(row.totp_kek_id), wrapped: bytesIn(row.totp_wrapped) },
    context,
  )
  const { id, wrapped } = await to.wrap(secret, context)
  return { ...row, totp_kek_id: id, totp_wrapped: asText(wrapped) }
}

const bytesIn = (text: unknown): Uint8Array => Buffer.from(String(text).slice(2), "hex")
const asText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`
