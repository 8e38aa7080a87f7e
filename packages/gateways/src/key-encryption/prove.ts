import { randomBytes } from "node:crypto"
import { KeyEncryptionFailed } from "./failed.ts"
import type { KeyEncryption } from "./key-encryption.ts"

type Wrapping = Pick<KeyEncryption, "wrap" | "unwrap">

/**
 * Wraps a random key and unwraps it again (R33: health is the real operation). It also unwraps it in a wrong context,
 * which must fail: a server or a device that ignores the associated data would otherwise never be noticed.
 */
export async function prove({ wrap, unwrap }: Wrapping): Promise<void> {
  const key = randomBytes(32)
  const wrapped = await wrap(key, "health")
  if (!key.equals(await unwrap(wrapped, "health")))
    throw new KeyEncryptionFailed("refused", "What was wrapped for a test is unwrapped as something else.")
  if (!(await isRefused(unwrap(wrapped, "another's health"))))
    throw new KeyEncryptionFailed("refused", "The context of a wrapped key is not authenticated.")
}

async function isRefused(unwrapping: Promise<Uint8Array>): Promise<boolean> {
  try {
    await unwrapping
    return false
  } catch (error) {
    if (error instanceof KeyEncryptionFailed && error.code === "corrupt") return true
    throw error
  }
}
