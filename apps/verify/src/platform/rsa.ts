// RSA signatures verified (RFC 8017, 8.1.2 and 8.2.2), the public operation alone: no library that is well kept has it without
// promises, and our reader is synchronous (ADR 0054). Expected octets are written and compared; nothing is parsed out of a value.

import { readDer, readOid } from "@paraph/pki/der"
import { nullValue, octetString, oid, sequence } from "@paraph/pki/der-writer"
import { digestIdentifier } from "@paraph/pki/digest"
import { type HashName, hashOf } from "./hash.ts"
import { bitsOf, numberOf, octetsOf, power } from "./numbers.ts"

export type RsaKey = { readonly modulus: bigint; readonly exponent: bigint }

const MAX_MODULUS_BITS = 16_384

/** RSAVP1; nothing for a value or a key that cannot be. */
function recovered({ modulus, exponent }: RsaKey, value: Uint8Array): Uint8Array | undefined {
  const length = Math.ceil(bitsOf(modulus) / 8)
  const number = numberOf(value)
  const isUsable = bitsOf(modulus) <= MAX_MODULUS_BITS && (modulus & 1n) === 1n && exponent < modulus
  if (!isUsable || value.length !== length || number >= modulus) return undefined
  return octetsOf(power(number, exponent, modulus), length)
}

/** 8.2.2: EMSA-PKCS1-v1_5, with NULL in the identifier of the digest, as section 9.2 has it. */
export function verifyPkcs1(key: RsaKey, digest: HashName, signed: Uint8Array, value: Uint8Array): boolean {
  const message = recovered(key, value)
  if (message === undefined || digest === "md5") return false
  const named = oid(readOid(readDer(digestIdentifier(digest)).children[0], "digest"))
  const info = sequence(sequence(named, nullValue()), octetString(hashOf(digest)(signed)))
  const padding = message.length - info.length - 3
  if (padding < 8) return false
  const expected = Buffer.concat([Buffer.of(0, 1), Buffer.alloc(padding, 0xff), Buffer.of(0), info])
  return expected.equals(message)
}

/** 9.1.2: EMSA-PSS, with MGF1 of the same digest and a salt of exactly this length. */
export function verifyPss(
  key: RsaKey,
  digest: HashName,
  saltLength: number,
  signed: Uint8Array,
  value: Uint8Array,
): boolean {
  const hash = hashOf(digest)
  const whole = recovered(key, value)
  if (whole === undefined) return false
  const bits = bitsOf(key.modulus) - 1
  const length = Math.ceil(bits / 8)
  // One octet more than the message where the modulus has a multiple of eight bits and one.
  if (whole.subarray(0, whole.length - length).some((octet) => octet !== 0)) return false
  const message = whole.subarray(whole.length - length)
  const hashAt = length - hash.outputLen - 1
  if (hashAt < saltLength + 1 || message[length - 1] !== 0xbc) return false
  const masked = message.subarray(0, hashAt)
  const stated = message.subarray(hashAt, length - 1)
  const free = 8 * length - bits
  if (((masked[0] ?? 0) & (0xff << (8 - free)) & 0xff) !== 0) return false
  const lifted = mask(hash, stated, hashAt)
  const block = Buffer.from(masked.map((octet, i) => octet ^ (lifted[i] ?? 0)))
  block[0] = (block[0] ?? 0) & (0xff >> free)
  const one = hashAt - saltLength - 1
  if (block.subarray(0, one).some((octet) => octet !== 0) || block[one] !== 1) return false
  const again = hash(Buffer.concat([Buffer.alloc(8), hash(signed), block.subarray(one + 1)]))
  return Buffer.from(again).equals(stated)
}

/** MGF1 (B.2.1). */
function mask(hash: ReturnType<typeof hashOf>, seed: Uint8Array, length: number): Uint8Array {
  const parts: Uint8Array[] = []
  for (let counter = 0; parts.length * hash.outputLen < length; counter++)
    parts.push(hash(Buffer.concat([seed, octetsOf(BigInt(counter), 4)])))
  return Buffer.concat(parts).subarray(0, length)
}
