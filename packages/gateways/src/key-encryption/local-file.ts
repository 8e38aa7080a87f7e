import { createHmac } from "node:crypto"
import { SealBroken } from "@paraph/seal/broken"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import { KeyEncryptionFailed } from "./failed.ts"
import type { KeyEncryption } from "./key-encryption.ts"
import { prove } from "./prove.ts"

export type LocalFileSettings = {
  /** 32 bytes in hex, as the operator's secret file has them. */
  readonly key: string
}

/** A key in the memory of this process. Only the key process calls it (key-process/child.ts, ADR 0095). */
export function localFileKeyEncryption({ key: hex }: LocalFileSettings): KeyEncryption {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error("The key that wraps keys is not 32 bytes in hex.")
  const key = Buffer.from(hex, "hex")
  let closed = false
  // A closed key is all zeros, and must never wrap anything.
  const opened = () => {
    if (closed) throw new KeyEncryptionFailed("down", "The key file is closed.")
    return key
  }
  const wrap = async (other: Uint8Array, context: string) => wrapKey(opened(), other, context)
  const unwrap = async (wrapped: Uint8Array, context: string) => {
    try {
      return unwrapKey(opened(), wrapped, context)
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause
      throw new KeyEncryptionFailed("corrupt", "The wrapped key does not open with the key file.", { cause })
    }
  }
  const close = async () => {
    closed = true
    key.fill(0)
  }
  return { id: idOf(key), wrap, unwrap, health: () => prove({ wrap, unwrap }), close }
}

/** 64 bits of a PRF under the key itself: equal for equal keys, and of no help to one who looks for the key. */
function idOf(key: Uint8Array): string {
  const mac = createHmac("sha256", key).update("paraph: id of a key encryption key").digest("hex")
  return `file:${mac.slice(0, 16)}`
}
