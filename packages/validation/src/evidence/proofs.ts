// Proofs of existence (EN 319 102-1, 5.6.2.3): that something existed at some time, since a time-stamp that was found valid
// covers it. Without one, all that is known is that it exists now.

import type { Place } from "../material/material.ts"

export type Proofs = {
  readonly now: Date
  /** By what was proved: a certificate, an answer, a list, a mark, a stamp. */
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

/** Whether bytes that end at one of these places are under a time-stamp over the document. */
export function isCovered(
  places: readonly Place[],
  byteRange: readonly [number, number, number, number],
): boolean {
  const [, before, from, length] = byteRange
  return places.some((end) => end <= before || (end > from && end <= from + length))
}
