// The encryption of PKCS#12 (RFC 7292) and of what it takes from PKCS#5 (RFC 8018).

import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto"
import { type DerNode, expectTag, readInteger, readOid, TAG } from "@paraph/pki/der"
import { Pkcs12Refused } from "./pkcs12-refused.ts"

const PBES2 = "1.2.840.113549.1.5.13"
const PBKDF2 = "1.2.840.113549.1.5.12"
const PBE_SHA1_3DES = "1.2.840.113549.1.12.1.3"

type Cipher = { readonly name: string; readonly keyBytes: number }
const CIPHERS: Readonly<Record<string, Cipher>> = {
  "2.16.840.1.101.3.4.1.2": { name: "aes-128-cbc", keyBytes: 16 },
  "2.16.840.1.101.3.4.1.22": { name: "aes-192-cbc", keyBytes: 24 },
  "2.16.840.1.101.3.4.1.42": { name: "aes-256-cbc", keyBytes: 32 },
  "1.2.840.113549.3.7": { name: "des-ede3-cbc", keyBytes: 24 },
}
const PRFS: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
}
export type Opening = {
  readonly passphrase: string
  /** Somebody else's file must not keep a processor busy for hours. */
  readonly mostIterations: number
}

export function decrypt(algorithm: DerNode | undefined, content: Uint8Array, opening: Opening): Uint8Array {
  const [oid, parameters] = expectTag(algorithm, TAG.sequence, "algorithm").children
  const scheme = readOid(oid, "algorithm")
  if (scheme !== PBES2 && scheme !== PBE_SHA1_3DES)
    throw new Pkcs12Refused(
      "unsupported",
      "It is encrypted in a way that is no longer safe. Export it anew, with AES-256.",
    )
  const { cipher, key, iv } = scheme === PBES2 ? pbes2(parameters, opening) : pbe3des(parameters, opening)
  try {
    const decipher = createDecipheriv(cipher, key, iv)
    return Buffer.concat([decipher.update(content), decipher.final()])
  } catch (cause) {
    throw new Pkcs12Refused("passphrase", "The passphrase does not open it.", { cause })
  }
}

function pbes2(parameters: DerNode | undefined, opening: Opening) {
  const [derivation, encryption] = expectTag(parameters, TAG.sequence, "PBES2").children
  const [kdf, kdfParameters] = expectTag(derivation, TAG.sequence, "key derivation").children
  if (readOid(kdf, "key derivation") !== PBKDF2)
    throw new Pkcs12Refused("unsupported", "Its key is derived in a way that we do not know.")
  const [salt, iterations, ...rest] = expectTag(kdfParameters, TAG.sequence, "PBKDF2").children
  const prf = rest.find(({ tag }) => tag === TAG.sequence)
  const hash = prf === undefined ? "sha1" : PRFS[readOid(prf.children[0], "prf")]
  const [cipherOid, ivNode] = expectTag(encryption, TAG.sequence, "encryption").children
  const cipher = CIPHERS[readOid(cipherOid, "cipher")]
  if (cipher === undefined || hash === undefined)
    throw new Pkcs12Refused("unsupported", "It is encrypted with a cipher that we do not know.")
  const saltBytes = expectTag(salt, TAG.octetString, "salt").content
  const key = pbkdf2Sync(opening.passphrase, saltBytes, countOf(iterations, opening), cipher.keyBytes, hash)
  return { cipher: cipher.name, key, iv: expectTag(ivNode, TAG.octetString, "iv").content }
}

function pbe3des(parameters: DerNode | undefined, opening: Opening) {
  const [salt, iterations] = expectTag(parameters, TAG.sequence, "parameters").children
  const given = {
    passphrase: opening.passphrase,
    salt: expectTag(salt, TAG.octetString, "salt").content,
    iterations: countOf(iterations, opening),
  }
  const derived = (purpose: 1 | 2, length: number) => derive({ ...given, hash: "sha1", purpose, length })
  return { cipher: "des-ede3-cbc", key: derived(1, 24), iv: derived(2, 8) }
}

export function countOf(node: DerNode | undefined, { mostIterations }: Opening): number {
  const count = readInteger(node, "iterations")
  if (count < 1n || count > mostIterations)
    throw new Pkcs12Refused("unsupported", "It asks for too much work to be opened.")
  return Number(count)
}

export type Derivation = {
  readonly hash: string
  readonly passphrase: string
  readonly salt: Uint8Array
  readonly iterations: number
  /** 1 a key, 2 an initial value, 3 a key for a MAC. */
  readonly purpose: 1 | 2 | 3
  readonly length: number
}

/** RFC 7292, B.2. */
export function derive({ hash, passphrase, salt, iterations, purpose, length }: Derivation): Buffer {
  const blockBytes = hash === "sha384" || hash === "sha512" ? 128 : 64
  // B.1: in UTF-16, the highest octet first, with two zeros at the end.
  const password = Buffer.from(`${passphrase}\0`, "utf16le").swap16()
  const block = Buffer.concat([repeated(salt, blockBytes), repeated(password, blockBytes)])
  const parts: Buffer[] = []
  for (let made = 0; made < length; made += parts.at(-1)?.length ?? length) {
    let a = createHash(hash).update(Buffer.alloc(blockBytes, purpose)).update(block).digest()
    for (let i = 1; i < iterations; i += 1) a = createHash(hash).update(a).digest()
    parts.push(a)
    const b = repeated(a, blockBytes).subarray(0, blockBytes)
    for (let at = 0; at < block.length; at += blockBytes) addOneMore(block.subarray(at, at + blockBytes), b)
  }
  return Buffer.concat(parts).subarray(0, length)
}

/** As often as needed to fill whole blocks. */
function repeated(bytes: Uint8Array, blockBytes: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes)
}

/** block + b + 1, modulo the size of the block. */
function addOneMore(block: Buffer, b: Buffer): void {
  let carry = 1
  for (let i = block.length - 1; i >= 0; i -= 1) {
    const sum = (block[i] ?? 0) + (b[i] ?? 0) + carry
    block[i] = sum & 0xff
    carry = sum >> 8
  }
}
