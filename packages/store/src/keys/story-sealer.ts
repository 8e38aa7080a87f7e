import { newKey, unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { StoryKey, StorySealer } from "../postgres/evidence.ts"
import type { BusinessKeys } from "./business-keys.ts"

/** Each story has a key of its own: what it sealed cannot be opened any more when that is destroyed (ADR 0052). */
export const createStorySealer = (keys: BusinessKeys): StorySealer => ({
  newStoryKey: async ({ businessId, id }, within) => {
    const { version, key } = await keys.newest(businessId, within)
    const own = newKey()
    return { keyVersion: version, wrappedKey: wrapStoryKey(key, id, own), ...storyKey(own, id) }
  },
  openStoryKey: async ({ businessId, id }, { keyVersion, wrappedKey }, within) =>
    storyKey(unwrapKey(await keys.of(businessId, keyVersion, within), wrappedKey, keyContext(id)), id),
})

export const wrapStoryKey = (businessKey: Uint8Array, id: string, key: Uint8Array): Buffer =>
  wrapKey(businessKey, key, keyContext(id))

export const unwrapStoryKey = (businessKey: Uint8Array, id: string, wrapped: Uint8Array): Buffer =>
  unwrapKey(businessKey, wrapped, keyContext(id))

const keyContext = (id: string): string => `key of story ${id}`

/** Each part is bound to its place: two cannot be swapped. */
const storyKey = (key: Uint8Array, id: string): StoryKey => ({
  seal: (part, plain) => wrapKey(key, plain, `${part} of story ${id}`),
  open: (part, sealed) => unwrapKey(key, sealed, `${part} of story ${id}`),
})
