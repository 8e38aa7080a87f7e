import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { SealBroken } from "./broken.ts"
import { TAG_BYTES } from "./layout.ts"
import { mustProve } from "./lock.ts"

const KEY_BYTES = 32
const NONCE_BYTES = 12
const GCM = { authTagLength: TAG_BYTES }

export const newKey = (): Buffer => randomBytes(KEY_BYTES)

/** Wraps one key with another (AES-256-GCM); `context` names whose key it is, so that two cannot be swapped. */
export function wrapKey(with_: Uint8Array, key: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", with_, nonce, GCM).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()])
}

export function unwrapKey(with_: Uint8Array, wrapped: Uint8Array, context: string): Buffer {
  if (wrapped.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken("The wrapped key is cut.")
  const nonce = wrapped.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv("aes-256-gcm", with_, nonce, GCM).setAAD(Buffer.from(context))
  decipher.setAuthTag(wrapped.subarray(-TAG_BYTES))
  const key = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES))
  mustProve(decipher)
  return key
}
