import { timingSafeEqual } from "node:crypto"
import { KeyEncryptionFailed } from "./failed.ts"
import type { KeyEncryption } from "./key-encryption.ts"

export type WrappedKey = {
  /** Of the key that wrapped it. */
  readonly id: string
  readonly wrapped: Uint8Array
}

export type KeyRing = {
  /** What wraps from now on; whatever names another id can be wrapped anew. */
  readonly currentId: string
  /** Of all keys, the current one first. */
  readonly ids: readonly string[]
  readonly wrap: (key: Uint8Array, context: string) => Promise<WrappedKey>
  readonly unwrap: (wrapped: WrappedKey, context: string) => Promise<Uint8Array>
  /** Of every key in the ring: an earlier one that is away means businesses that cannot be served. */
  readonly health: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The key that wraps, and those that did before it and are still needed for what they wrapped. */
export function createKeyRing(current: KeyEncryption, earlier: readonly KeyEncryption[] = []): KeyRing {
  const all = [current, ...earlier]
  const byId = new Map(all.map((each) => [each.id, each]))
  if (byId.size < all.length) throw new Error("Two keys that wrap keys have the same id.")

  return {
    currentId: current.id,
    ids: [...byId.keys()],
    wrap: async (key, context) => {
      const wrapped = await current.wrap(key, context)
      // Nothing is stored that has not been seen to open: what a faulty device wraps would be lost for ever.
      const opened = await current.unwrap(wrapped, context)
      if (opened.length !== key.length || !timingSafeEqual(opened, key))
        throw new KeyEncryptionFailed("refused", `${current.id} does not give back what it wrapped.`)
      return { id: current.id, wrapped }
    },
    unwrap: async ({ id, wrapped }, context) => {
      const one = byId.get(id)
      if (one === undefined)
        throw new KeyEncryptionFailed("no-such-key", `No key with the id ${id} is set up to unwrap with.`)
      return one.unwrap(wrapped, context)
    },
    health: async () => {
      for (const each of all) await each.health()
    },
    close: async () => {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}
