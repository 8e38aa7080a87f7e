// What stands for node:crypto in the page: the few functions that verifying uses, with the answers of Node. `octets.test.ts` and
// `signatures.test.ts` hold every one of them against Node's.

import { ed25519 } from "@noble/curves/ed25519.js"
import { readCertificate } from "@paraph/pki/certificate"
import { expectTag, readDer, readInteger, TAG } from "@paraph/pki/der"
import { type Cipher, newCipher } from "./cipher.ts"
import { verifyDsa } from "./dsa.ts"
import { type Hash, type HashName, hashOf, newHash } from "./hash.ts"
import { bitsOf, octetsOf } from "./numbers.ts"
import { type KeyObject, readKeyObject } from "./public-key.ts"
import { verifyPkcs1, verifyPss } from "./rsa.ts"

export const constants = { RSA_PKCS1_PADDING: 1, RSA_PKCS1_PSS_PADDING: 6 } as const

export function createHash(name: string): Hash {
  return newHash(name)
}

export function createCipheriv(name: string, key: Uint8Array, iv: Uint8Array | null): Cipher {
  return newCipher("encrypt", name, key, iv)
}

export function createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array | null): Cipher {
  return newCipher("decrypt", name, key, iv)
}

export function createPublicKey({ key }: { readonly key: Uint8Array }): KeyObject {
  return readKeyObject(key)
}

export function randomBytes(length: number): Buffer {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(length)))
}

/** Of what is verified nothing is secret. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** As far as it is read from PEM. */
export class X509Certificate {
  readonly raw: Uint8Array

  constructor(pem: string) {
    this.raw = Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ""), "base64")
    readCertificate(this.raw)
  }
}

type Options = {
  readonly key: KeyObject
  readonly padding?: number
  readonly saltLength?: number
  readonly dsaEncoding?: "der" | "ieee-p1363"
}

export function verify(
  digest: string | null,
  signed: Uint8Array,
  by: KeyObject | Options,
  value: Uint8Array,
): boolean {
  const { key, ...options } = "asymmetricKeyType" in by ? { key: by } : by
  if (key.asymmetricKeyType === "ed25519")
    return digest === null && isOk(() => ed25519.verify(value, signed, key.point, { zip215: false }))
  if (digest === null) throw new Error("A digest is needed.")
  // An unknown one is an error, as Node has it.
  hashOf(digest)
  const name = digest as HashName
  switch (key.asymmetricKeyType) {
    case "dsa": {
      const numbers = derNumbers(value)
      return numbers !== undefined && verifyDsa(key.dsa, name, signed, numbers)
    }
    case "ec":
      return verifyEcdsa(key, name, signed, value, options.dsaEncoding ?? "der")
    default:
      return verifyRsa(key, name, signed, value, options)
  }
}

function verifyRsa(
  key: KeyObject & { asymmetricKeyType: "rsa" | "rsa-pss" },
  name: HashName,
  signed: Uint8Array,
  value: Uint8Array,
  { padding, saltLength = 0 }: Omit<Options, "key">,
): boolean {
  if (padding !== constants.RSA_PKCS1_PSS_PADDING)
    return key.asymmetricKeyType === "rsa" && verifyPkcs1(key.rsa, name, signed, value)
  if (key.asymmetricKeyType === "rsa-pss" && key.only?.scheme === "rsa-pss")
    if (key.only.digest !== name || saltLength < key.only.saltLength) return false
  return verifyPss(key.rsa, name, saltLength, signed, value)
}

function verifyEcdsa(
  { curve, point }: KeyObject & { asymmetricKeyType: "ec" },
  name: HashName,
  signed: Uint8Array,
  value: Uint8Array,
  encoding: "der" | "ieee-p1363",
): boolean {
  const order = curve.Point.Fn.ORDER
  const length = Math.ceil(bitsOf(order) / 8)
  const numbers = encoding === "der" ? derNumbers(value) : undefined
  if (encoding === "der" && (numbers === undefined || !isInside(numbers, order))) return false
  const compact = numbers
    ? Buffer.concat([octetsOf(numbers.r, length), octetsOf(numbers.s, length)])
    : Buffer.from(value)
  if (compact.length !== 2 * length) return false
  const options = { prehash: false, lowS: false, format: "compact" } as const
  return isOk(() => curve.verify(compact, hashOf(name)(signed), point, options))
}

const isInside = ({ r, s }: Numbers, order: bigint): boolean => r > 0n && s > 0n && r < order && s < order

type Numbers = { readonly r: bigint; readonly s: bigint }

/** RFC 3279, 2.2.2, in DER and nothing behind it. */
function derNumbers(value: Uint8Array): Numbers | undefined {
  try {
    const [r, s, ...rest] = expectTag(readDer(value), TAG.sequence, "signature").children
    return rest.length > 0 ? undefined : { r: readInteger(r, "r"), s: readInteger(s, "s") }
  } catch {
    return undefined
  }
}

/** What a library throws for a value that cannot be, Node answers with no. */
function isOk(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
