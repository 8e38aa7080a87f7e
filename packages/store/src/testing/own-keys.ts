import { newKey, unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { KeyRing } from "../keys/key-ring.ts"

/** For tests: keys of an operator, made when they are first named, and rings of some of them. */
export type OwnKeys = {
  /** Wraps with the first one, and unwraps with any of them. */
  readonly ring: (current: string, ...earlier: readonly string[]) => KeyRing
  readonly keyOf: (id: string) => Uint8Array
  /** The contexts that were asked for, in their order. */
  readonly unwraps: string[]
}

export function createOwnKeys(): OwnKeys {
  const keys = new Map<string, Uint8Array>()
  const unwraps: string[] = []
  const keyOf = (id: string): Uint8Array => {
    const key = keys.get(id) ?? newKey()
    keys.set(id, key)
    return key
  }
  const ring = (...ids: readonly [string, ...string[]]): KeyRing => ({
    currentId: ids[0],
    ids,
    wrap: async (key, context) => ({ id: ids[0], wrapped: wrapKey(keyOf(ids[0]), key, context) }),
    unwrap: async ({ id, wrapped }, context) => {
      unwraps.push(context)
      if (!ids.includes(id)) throw new Error(`There is no key ${id}.`)
      return unwrapKey(keyOf(id), wrapped, context)
    },
  })
  return { ring, keyOf, unwraps }
}
