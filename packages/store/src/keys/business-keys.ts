import { findBusinessKey, type WrappedBusinessKey } from "../postgres/business-keys.ts"
import type { ServiceDatabase, Trx } from "../postgres/database.ts"
import { businessContext, type KeyRing } from "./key-ring.ts"

export type BusinessKeys = {
  /** The one that wraps what is new; within a transaction as below. */
  readonly newest: (businessId: string, within?: ServiceDatabase | Trx) => Promise<BusinessKey>
  /**
   * Whoever is in a transaction says so: the row is then read by its connection. To hold one connection of the pool and
   * wait for another is how all of them come to wait for each other.
   */
  readonly of: (businessId: string, version: number, within?: ServiceDatabase | Trx) => Promise<Uint8Array>
}

export type BusinessKey = { readonly version: number; readonly key: Uint8Array }

/** Asking an HSM or a key server for each document would make it the bottleneck of every read (ADR 0018). */
export const KEPT_MS = 5 * 60_000
const KEPT_AT_MOST = 10_000

/** Unwrapped keys, kept in memory for some minutes. A new version is used everywhere when that time has passed. */
export function createBusinessKeys(db: ServiceDatabase | Trx, ring: KeyRing, now: () => Date): BusinessKeys {
  const { known, keep } = createKept(now)
  const find = async (
    businessId: string,
    version: number | "newest",
    within?: ServiceDatabase | Trx,
  ): Promise<BusinessKey> => {
    const asked = `${businessId} ${version}`
    const kept = known(asked)
    if (kept !== undefined) return kept
    const wrapped = await findBusinessKey(within ?? db, businessId, version)
    // Each has read the row for itself; the key is unwrapped for all of them once.
    const name = `${businessId} ${wrapped.version}`
    const found = known(name) ?? keep(name, unwrapped(ring, wrapped))
    return version === "newest" ? keep(asked, found) : found
  }
  return {
    newest: (businessId, within) => find(businessId, "newest", within),
    of: async (businessId, version, within) => (await find(businessId, version, within)).key,
  }
}

function createKept(now: () => Date) {
  const kept = new Map<string, { readonly found: Promise<BusinessKey>; readonly untilMs: number }>()
  const known = (name: string): Promise<BusinessKey> | undefined => {
    const entry = kept.get(name)
    return entry !== undefined && entry.untilMs > now().getTime() ? entry.found : undefined
  }
  const keep = (name: string, found: Promise<BusinessKey>): Promise<BusinessKey> => {
    // The map is in the order of keeping: its first entry is the oldest.
    kept.delete(name)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_AT_MOST && oldest !== undefined) kept.delete(oldest)
    kept.set(name, { found, untilMs: now().getTime() + KEPT_MS })
    // What failed is asked for again by the next one.
    found.catch(() => kept.get(name)?.found === found && kept.delete(name))
    return found
  }
  return { known, keep }
}

export async function unwrapped(ring: KeyRing, stored: WrappedBusinessKey): Promise<BusinessKey> {
  const { businessId, version, kekId, wrappedKey: wrapped } = stored
  if (kekId !== null)
    return { version, key: await ring.unwrap({ id: kekId, wrapped }, businessContext(businessId, version)) }
  // Before there were providers there was one key in a file, and one key for each business.
  const id = ring.ids.find((each) => each.startsWith("file:")) ?? ring.currentId
  return { version, key: await ring.unwrap({ id, wrapped }, `business ${businessId}`) }
}

/** One that wraps or seals what is about to come under the newest; not kept, since it is on its way out. */
export const olderKey = async (db: ServiceDatabase, ring: KeyRing, businessId: string, version: number) =>
  (await unwrapped(ring, await findBusinessKey(db, businessId, version))).key
