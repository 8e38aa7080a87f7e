// DSA verified (FIPS 186-4, 4.7): what authorities of the nineties signed with.

import { type HashName, hashOf } from "./hash.ts"
import { bitsOf, numberOf, power } from "./numbers.ts"

export type DsaKey = { readonly p: bigint; readonly q: bigint; readonly g: bigint; readonly y: bigint }

const MAX_BITS = 10_000

export function verifyDsa(
  { p, q, g, y }: DsaKey,
  digest: HashName,
  signed: Uint8Array,
  { r, s }: { readonly r: bigint; readonly s: bigint },
): boolean {
  // The lengths of q are those of the standard; OpenSSL knows no others.
  if (bitsOf(p) > MAX_BITS || ![160, 224, 256].includes(bitsOf(q))) return false
  if (r <= 0n || r >= q || s <= 0n || s >= q) return false
  const z = numberOf(Buffer.from(hashOf(digest)(signed)).subarray(0, bitsOf(q) / 8))
  // q is a prime, so s to the power of q - 2 is the inverse of s.
  const w = power(s, q - 2n, q)
  const v = (power(g, (z * w) % q, p) * power(y, (r * w) % q, p)) % p
  return v % q === r
}
