// The curves that certificates in use name (RFC 5480, RFC 5639, SEC 2), over @noble/curves.

import { type ECDSA, ecdsa, weierstrass } from "@noble/curves/abstract/weierstrass.js"
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from "@noble/curves/misc.js"
import { p256, p384, p521 } from "@noble/curves/nist.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"

// The hash is for whoever signs; here digests are given.
const curve = (p: string, a: string, b: string, n: string, x: string, y: string): ECDSA =>
  ecdsa(
    weierstrass({
      p: BigInt(`0x${p}`),
      n: BigInt(`0x${n}`),
      h: 1n,
      a: BigInt(`0x${a}`),
      b: BigInt(`0x${b}`),
      Gx: BigInt(`0x${x}`),
      Gy: BigInt(`0x${y}`),
    }),
    sha256,
  )

const OTHERS: Readonly<Record<string, () => ECDSA>> = {
  // P-192
  "1.2.840.10045.3.1.1": () =>
    curve(
      "fffffffffffffffffffffffffffffffeffffffffffffffff",
      "fffffffffffffffffffffffffffffffefffffffffffffffc",
      "64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1",
      "ffffffffffffffffffffffff99def836146bc9b1b4d22831",
      "188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012",
      "07192b95ffc8da78631011ed6b24cdd573f977a11e794811",
    ),
  // P-224
  "1.3.132.0.33": () =>
    curve(
      "ffffffffffffffffffffffffffffffff000000000000000000000001",
      "fffffffffffffffffffffffffffffffefffffffffffffffffffffffe",
      "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4",
      "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d",
      "b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21",
      "bd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34",
    ),
  // brainpoolP320r1
  "1.3.36.3.3.2.8.1.1.9": () =>
    curve(
      "d35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27",
      "3ee30b568fbab0f883ccebd46d3f3bb8a2a73513f5eb79da66190eb085ffa9f492f375a97d860eb4",
      "520883949dfdbc42d3ad198640688a6fe13f41349554b49acc31dccd884539816f5eb4ac8fb1f1a6",
      "d35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311",
      "43bd7e9afb53d8b85289bcc48ee5bfe6f20137d10a087eb6e7871e2a10a599c710af8d0d39e20611",
      "14fdd05545ec1cc8ab4093247f77275e0743ffed117182eaa9c77877aaac6ac7d35245d1692e8ee1",
    ),
}

const KNOWN: Readonly<Record<string, ECDSA>> = {
  "1.2.840.10045.3.1.7": p256,
  "1.3.132.0.34": p384,
  "1.3.132.0.35": p521,
  "1.3.132.0.10": secp256k1,
  "1.3.36.3.3.2.8.1.1.7": brainpoolP256r1,
  "1.3.36.3.3.2.8.1.1.11": brainpoolP384r1,
  "1.3.36.3.3.2.8.1.1.13": brainpoolP512r1,
}

const made = new Map<string, ECDSA>()

/** Nothing for a curve that we do not know. */
export function curveOf(id: string): ECDSA | undefined {
  const known = KNOWN[id] ?? made.get(id)
  if (known !== undefined || !Object.hasOwn(OTHERS, id)) return known
  const fresh = OTHERS[id]?.()
  if (fresh !== undefined) made.set(id, fresh)
  return fresh
}
