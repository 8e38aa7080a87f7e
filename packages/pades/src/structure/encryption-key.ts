// The file encryption key of the standard security handler, from a password (ISO 32000-2, 7.6.4.3 and 7.6.4.4). Reading
// only: nothing here makes a password hash or a key.

import { createCipheriv, createDecipheriv, createHash } from "node:crypto"
import { rc4 } from "./rc4.ts"

export type KeyParameters = {
  /** The revision of the handler, 2 to 6. */
  readonly revision: number
  readonly keyBytes: number
  readonly owner: Uint8Array
  readonly user: Uint8Array
  readonly ownerKey: Uint8Array
  readonly userKey: Uint8Array
  readonly permissions: number
  readonly encryptMetadata: boolean
  /** The first file identifier. */
  readonly id: Uint8Array
}

/** The key if the password is the user's or the owner's, else nothing. */
export function fileKey(parameters: KeyParameters, password: string): Uint8Array | undefined {
  if (parameters.revision >= 5) return keyByHash(parameters, utf8(password))
  const given = Buffer.from(password, "latin1")
  return keyByPadding(parameters, given) ?? keyByPadding(parameters, userPassword(parameters, given))
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex")

function padded(password: Uint8Array): Uint8Array {
  return Buffer.concat([password, PADDING]).subarray(0, 32)
}

// Algorithms 2, 4, 5 and 6: the key follows from the user's password, and /U shows whether it was right.
function keyByPadding(parameters: KeyParameters, password: Uint8Array): Uint8Array | undefined {
  const { revision, keyBytes, id, user } = parameters
  const permissions = Buffer.alloc(4)
  permissions.writeUInt32LE(parameters.permissions >>> 0)
  const metadata = revision >= 4 && !parameters.encryptMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(padded(password), parameters.owner.subarray(0, 32), permissions, id, metadata)
  for (let i = 0; revision >= 3 && i < 50; i++) key = md5(key.subarray(0, keyBytes))
  key = key.subarray(0, keyBytes)
  if (revision === 2) return Buffer.compare(rc4(key, PADDING), user.subarray(0, 32)) === 0 ? key : undefined
  let check: Uint8Array = md5(PADDING, id)
  for (let i = 0; i < 20; i++) check = rc4(xored(key, i), check)
  return Buffer.compare(check, user.subarray(0, 16)) === 0 ? key : undefined
}

// Algorithm 7: /O holds the user's password, encrypted with the owner's.
function userPassword({ revision, keyBytes, owner }: KeyParameters, password: Uint8Array): Uint8Array {
  let key = md5(padded(password))
  for (let i = 0; revision >= 3 && i < 50; i++) key = md5(key)
  key = key.subarray(0, keyBytes)
  let found: Uint8Array = owner.subarray(0, 32)
  for (let i = revision === 2 ? 0 : 19; i >= 0; i--) found = rc4(xored(key, i), found)
  return found
}

// Algorithm 2.A: 32 octets of hash, 8 of salt for the check and 8 of salt for the key.
function keyByHash(parameters: KeyParameters, password: Uint8Array): Uint8Array | undefined {
  const { revision, user, owner } = parameters
  const entries = [
    { entry: user, encrypted: parameters.userKey, more: new Uint8Array() },
    { entry: owner, encrypted: parameters.ownerKey, more: user.subarray(0, 48) },
  ]
  for (const { entry, encrypted, more } of entries) {
    const hash = passwordHash(revision, password, entry.subarray(32, 40), more)
    if (Buffer.compare(hash, entry.subarray(0, 32)) !== 0) continue
    const key = passwordHash(revision, password, entry.subarray(40, 48), more)
    const decipher = createDecipheriv("aes-256-cbc", key, Buffer.alloc(16)).setAutoPadding(false)
    return Buffer.concat([decipher.update(encrypted.subarray(0, 32)), decipher.final()])
  }
  return undefined
}

// Algorithm 2.B. It ends: a last octet is at most 255, and the bound grows with every round.
function passwordHash(
  revision: number,
  password: Uint8Array,
  salt: Uint8Array,
  more: Uint8Array,
): Uint8Array {
  let key = createHash("sha256").update(password).update(salt).update(more).digest()
  if (revision === 5) return key
  for (let round = 1, last = 0; round <= 64 || last > round - 33; round++) {
    const once = Buffer.concat([password, key, more])
    const text = Buffer.concat(Array.from({ length: 64 }, () => once))
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32))
    const encrypted = cipher.setAutoPadding(false).update(text)
    // 256 is 1 modulo 3, so the number that the first 16 octets write is, modulo 3, their sum.
    const remainder = encrypted.subarray(0, 16).reduce((sum, octet) => sum + octet, 0) % 3
    key = createHash(["sha256", "sha384", "sha512"][remainder] ?? "sha256")
      .update(encrypted)
      .digest()
    last = encrypted[encrypted.length - 1] ?? 0
  }
  return key.subarray(0, 32)
}

// SASLprep (RFC 4013) in so far as it is Unicode normalisation; at most 127 octets count.
function utf8(password: string): Uint8Array {
  return Buffer.from(password.normalize("NFKC"), "utf8").subarray(0, 127)
}

function xored(key: Uint8Array, octet: number): Uint8Array {
  return key.map((one) => one ^ octet)
}

function md5(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("md5")
  for (const part of parts) hash.update(part)
  return hash.digest()
}
