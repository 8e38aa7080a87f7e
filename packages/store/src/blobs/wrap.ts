import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Wraps one key with another (AES-256-GCM); `context` names whose key it is, so that two cannot be swapped. */
export function wrapKey(with_: Uint8Array, key: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", with_, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()])
}

export function unwrapKey(with_: Uint8Array, wrapped: Uint8Array, context: string): Buffer {
  const nonce = wrapped.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv("aes-256-gcm", with_, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  )
  decipher.setAuthTag(wrapped.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

export const newKey = (): Buffer => randomBytes(32)

export const businessContext = (businessId: string): string => `business ${businessId}`
