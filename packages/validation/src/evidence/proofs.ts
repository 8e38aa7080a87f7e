// Proofs of existence (EN 319 102-1, 5.6.2.3): that something existed at some time, because a valid time-stamp hashes all
// its bytes. Without one, all that is known is that it exists now.

import { type ByteInterval, covers } from "@paraph/pades/byte-interval"
import type { ByteRange } from "@paraph/pades/byte-range"

export type Proofs = {
  readonly now: Date
  /** By what was proved: a certificate, an OCSP response, a CRL, a signature, a time-stamp. */
  readonly times: Map<object, Date>
}

export function noProofs(now: Date): Proofs {
  return { now, times: new Map() }
}

export function prove({ times }: Proofs, thing: object, at: Date): void {
  const known = times.get(thing)
  if (known === undefined || at < known) times.set(thing, at)
}

/** The earliest time at which it is proved to have existed. */
export function provedAt({ now, times }: Proofs, thing: object): Date {
  const known = times.get(thing)
  return known === undefined || now < known ? now : known
}

/** Whether a document time-stamp with this byte range hashes every byte of the thing, at one of its locations at least. */
export function isCovered(locations: readonly ByteInterval[], byteRange: ByteRange): boolean {
  return locations.some((location) => covers(byteRange, location))
}
