// Bytes with a few octets changed, cut off or doubled: what a parser of foreign bytes must survive.

import fc from "fast-check"
import { DerError } from "../der/der.ts"

export function mutationsOf(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({ at: fc.nat({ max: bytes.length - 1 }), to: fc.nat({ max: 255 }) })
  const changed = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const copy = new Uint8Array(bytes)
    for (const { at, to } of changes) copy[at] = to
    return copy
  })
  const cut = fc.nat({ max: bytes.length - 1 }).map((length) => new Uint8Array(bytes.subarray(0, length)))
  const doubled = fc.tuple(fc.nat({ max: bytes.length }), fc.nat({ max: 40 })).map(([at, count]) => {
    const part = bytes.subarray(at, at + count)
    return new Uint8Array(Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]))
  })
  return fc.oneof(
    { arbitrary: changed, weight: 8 },
    { arbitrary: cut, weight: 1 },
    { arbitrary: doubled, weight: 1 },
  )
}

/**
 * Reads each mutation; anything but a value or a DerError is thrown on. Gives the number of those that could still be
 * read: if it were none, a reader that refuses everything would pass.
 */
export function surviveMutations(
  bytes: Uint8Array,
  read: (mutated: Uint8Array) => void,
  numRuns = 1000,
): number {
  let count = 0
  fc.assert(
    fc.property(mutationsOf(bytes), (mutated) => {
      try {
        read(mutated)
        count += 1
      } catch (error) {
        if (!(error instanceof DerError)) throw error
      }
    }),
    { numRuns },
  )
  return count
}
