// Encrypted files (ISO 32000-2, 7.6), read with a password: the standard security handler in its revisions 2 to 6. What
// is encrypted for the holders of certificates (7.6.5) is refused.

import { createDecipheriv, createHash } from "node:crypto"
import { PdfRefused } from "../refused.ts"
import { corrupt, type Decrypt } from "../syntax/scan.ts"
import {
  asCount,
  isArray,
  isDict,
  isName,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  stringBytes,
} from "../syntax/value.ts"
import { fileKey, type KeyParameters } from "./encryption-key.ts"
import { rc4 } from "./rc4.ts"

export type Encryption = {
  readonly stringsOf: (ref: PdfRef) => Decrypt
  readonly decryptStream: (ref: PdfRef, dict: PdfDict, data: Uint8Array) => Uint8Array
}

type Get = (dict: PdfDict, key: string) => PdfValue
/** 7.6.6, table 25: how a crypt filter decrypts. */
type Method = "identity" | "RC4" | "AES-128" | "AES-256"

export function openEncryption(dict: PdfDict, id: PdfValue, password: string, get: Get): Encryption {
  const filter = get(dict, "Filter")
  if (isName(filter, "Adobe.PubSec"))
    throw encrypted("The PDF is encrypted for the holders of certain certificates.")
  if (!isName(filter, "Standard")) throw encrypted("The PDF is encrypted in a way that only its maker knows.")
  const version = asCount(get(dict, "V") ?? 0, "The version of the encryption")
  const parameters = readParameters(dict, version, id, get)
  const key = fileKey(parameters, password)
  if (key === undefined) throw encrypted("The password does not open the PDF.")
  if (parameters.revision >= 5) checkPermissions(dict, parameters, key, get)
  const methods = {
    strings: methodOf(dict, version, "StrF", get),
    streams: methodOf(dict, version, "StmF", get),
  }
  return {
    stringsOf: (ref) => (octets) => decrypted(methods.strings, key, ref, octets),
    decryptStream: (ref, stream, data) => {
      if (isName(get(stream, "Type"), "XRef")) return data
      if (!parameters.encryptMetadata && isName(get(stream, "Type"), "Metadata")) return data
      const own = cryptFilterName(stream, get)
      const method = own === undefined ? methods.streams : filterMethod(dict, version, own, get)
      return decrypted(method, key, ref, data)
    },
  }
}

const KINDS = new Map<number, readonly number[]>([
  [1, [2, 3]],
  [2, [3]],
  [4, [4]],
  [5, [5, 6]],
])

function readParameters(dict: PdfDict, version: number, id: PdfValue, get: Get): KeyParameters {
  const revision = asCount(get(dict, "R"), "The revision of the encryption")
  if (KINDS.get(version)?.includes(revision) !== true)
    throw encrypted("The PDF is encrypted in a way that we do not know.")
  const long = revision >= 5
  const first = isArray(id) ? (id.items[0] ?? null) : null
  const permissions = get(dict, "P")
  if (typeof permissions !== "number") throw corrupt("The encryption has no permissions.")
  return {
    revision,
    keyBytes: keyBytes(dict, version, get),
    owner: octets(get(dict, "O"), long ? 48 : 32),
    user: octets(get(dict, "U"), long ? 48 : 32),
    ownerKey: long ? octets(get(dict, "OE"), 32) : new Uint8Array(),
    userKey: long ? octets(get(dict, "UE"), 32) : new Uint8Array(),
    permissions,
    encryptMetadata: get(dict, "EncryptMetadata") !== false,
    id: octets(first, 0),
  }
}

// Table 20: /Length is of version 2 only; the others have the length of their cipher.
function keyBytes(dict: PdfDict, version: number, get: Get): number {
  if (version === 1) return 5
  if (version === 4) return 16
  if (version === 5) return 32
  const bits = asCount(get(dict, "Length") ?? 40, "The length of the key")
  if (bits < 40 || bits > 128 || bits % 8 !== 0) throw corrupt("The length of the key is unusual.")
  return bits / 8
}

function octets(value: PdfValue, atLeast: number): Uint8Array {
  const found = typeof value === "object" && value?.type === "string" ? stringBytes(value) : new Uint8Array()
  if (found.length < atLeast) throw corrupt("The encryption dictionary is cut short.")
  return found
}

// Algorithm 13: the permissions once more, under the key, so that nobody changes them without it.
function checkPermissions(dict: PdfDict, parameters: KeyParameters, key: Uint8Array, get: Get): void {
  const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false)
  const plain = Buffer.concat([
    decipher.update(octets(get(dict, "Perms"), 16).subarray(0, 16)),
    decipher.final(),
  ])
  const metadata = parameters.encryptMetadata ? "T" : "F"
  const same = plain.readUInt32LE(0) === parameters.permissions >>> 0
  if (!same || plain.toString("latin1", 8, 12) !== `${metadata}adb`)
    throw corrupt("The permissions of the encryption contradict each other.")
}

function methodOf(dict: PdfDict, version: number, key: "StmF" | "StrF", get: Get): Method {
  if (version < 4) return "RC4"
  const name = get(dict, key)
  if (name === null) return "identity"
  if (typeof name !== "object" || name.type !== "name") throw corrupt("A crypt filter has no name.")
  return filterMethod(dict, version, name.name, get)
}

function filterMethod(dict: PdfDict, version: number, name: string, get: Get): Method {
  if (name === "Identity") return "identity"
  const filters = get(dict, "CF")
  const filter = isDict(filters) ? get(filters, name) : null
  const method = isDict(filter) ? get(filter, "CFM") : null
  // Table 25: each version has its own methods, for a key of another length fits no cipher.
  if (isName(method, "V2") && version === 4) return "RC4"
  if (isName(method, "AESV2") && version === 4) return "AES-128"
  if (isName(method, "AESV3") && version === 5) return "AES-256"
  throw encrypted("The PDF is encrypted in a way that we do not know.")
}

// 7.4.10: a stream may name a crypt filter of its own, as its first filter.
function cryptFilterName(stream: PdfDict, get: Get): string | undefined {
  const filter = first(get(stream, "Filter"))
  if (!isName(filter, "Crypt")) return undefined
  const parameters = first(get(stream, "DecodeParms"))
  const name = isDict(parameters) ? get(parameters, "Name") : null
  return typeof name === "object" && name?.type === "name" ? name.name : "Identity"
}

function first(value: PdfValue): PdfValue {
  return isArray(value) ? (value.items[0] ?? null) : value
}

function decrypted(method: Method, key: Uint8Array, ref: PdfRef, data: Uint8Array): Uint8Array {
  if (method === "identity") return data
  if (method === "AES-256") return aes("aes-256-cbc", key, data)
  const own = objectKey(key, ref, method === "AES-128")
  return method === "RC4" ? rc4(own, data) : aes("aes-128-cbc", own, data)
}

// Algorithm 1, 7.6.3.2.
function objectKey(key: Uint8Array, { number, generation }: PdfRef, salted: boolean): Uint8Array {
  const tail = Buffer.alloc(5)
  tail.writeUIntLE(number & 0xff_ffff, 0, 3)
  tail.writeUIntLE(generation & 0xffff, 3, 2)
  const hash = createHash("md5").update(key).update(tail)
  if (salted) hash.update("sAlT", "latin1")
  return hash.digest().subarray(0, Math.min(key.length + 5, 16))
}

// 7.6.3.3: the initialisation vector comes first, and there is always padding. An empty string is left as it is by many.
function aes(cipher: "aes-128-cbc" | "aes-256-cbc", key: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length === 0) return data
  if (data.length < 32 || data.length % 16 !== 0) throw corrupt("Encrypted data are cut short.")
  const decipher = createDecipheriv(cipher, key, data.subarray(0, 16))
  try {
    return Buffer.concat([decipher.update(data.subarray(16)), decipher.final()])
  } catch (error) {
    throw new PdfRefused("corrupt", "Encrypted data cannot be decrypted.", { cause: error })
  }
}

function encrypted(detail: string): PdfRefused {
  return new PdfRefused("encrypted", detail)
}
