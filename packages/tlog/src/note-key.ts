// Who signs notes: Ed25519 keys, each with a name and a purpose (C2SP signed-note, "Signatures"; tlog-cosignature).

import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import type { Note, NoteSignature } from "./note.ts"
import { TlogRefused } from "./refused.ts"

/** Of the log itself, or of somebody who has seen that it only grows. */
export type NoteKeyType = "ed25519" | "cosignature"

export type NoteKey = {
  readonly name: string
  readonly type: NoteKeyType
  /** 32 octets (RFC 8032). */
  readonly publicKey: Uint8Array
}

const TYPES = { ed25519: 1, cosignature: 4 } as const satisfies Record<NoteKeyType, number>
const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const NAME = /^[^\s+]+$/u

export function keyIdOf({ name, type, publicKey }: NoteKey): Uint8Array {
  const hash = createHash("sha256").update(`${name}\n`).update(Uint8Array.of(TYPES[type])).update(publicKey)
  return hash.digest().subarray(0, 4)
}

/** As configurations and other tools have it: name, id and key, parted by a plus. */
export function writeVerifierKey(key: NoteKey): string {
  const id = Buffer.from(keyIdOf(key)).toString("hex")
  const encoded = Buffer.concat([Uint8Array.of(TYPES[key.type]), key.publicKey]).toString("base64")
  return `${key.name}+${id}+${encoded}`
}

export function readVerifierKey(told: string): NoteKey {
  const [name = "", , ...rest] = told.split("+")
  // Base64 has a plus as well.
  const bytes = Buffer.from(rest.join("+"), "base64")
  const type = (["ed25519", "cosignature"] as const).find((one) => TYPES[one] === bytes[0])
  if (!NAME.test(name) || type === undefined || bytes.length !== 1 + PUBLIC_KEY_BYTES)
    throw new TlogRefused("A line that is no key for notes.")
  const key = { name, type, publicKey: bytes.subarray(1) }
  if (writeVerifierKey(key) !== told) throw new TlogRefused("A key for notes whose id is not its own.")
  return key
}

/** Those of these keys that signed the text. One whose signature is wrong makes the whole note wrong. */
export function signersOf({ text, signatures }: Note, keys: readonly NoteKey[]): readonly Signer[] | "wrong" {
  const found: Signer[] = []
  for (const signature of signatures) {
    const key = keys.find((one) => isOf(signature, one))
    if (key === undefined) continue
    const signed = signedBytes(key, text, signature)
    if (signed === undefined || !verify(null, signed.message, keyObject(key), signed.value)) return "wrong"
    found.push({ key, ...(signed.at !== undefined && { at: signed.at }) })
  }
  return found
}

/** `at`: when a witness saw it. */
export type Signer = { readonly key: NoteKey; readonly at?: Date }

/** What a log signs, or a witness at that time (tlog-cosignature, "Ed25519 signed message"). */
export function messageOf(type: NoteKeyType, text: string, seconds = 0): Uint8Array {
  return Buffer.from(type === "ed25519" ? text : `cosignature/v1\ntime ${seconds}\n${text}`, "utf8")
}

function isOf({ name, keyId }: NoteSignature, key: NoteKey): boolean {
  return name === key.name && Buffer.compare(keyId, keyIdOf(key)) === 0
}

const TIME_BYTES = 8

function signedBytes({ type }: NoteKey, text: string, { value }: NoteSignature) {
  if (type === "ed25519")
    return value.length === SIGNATURE_BYTES
      ? { message: messageOf(type, text), value, at: undefined }
      : undefined
  if (value.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined
  const seconds = Number(Buffer.from(value).readBigUInt64BE())
  if (seconds > MAX_SECONDS) return undefined
  return {
    message: messageOf(type, text, seconds),
    value: value.subarray(TIME_BYTES),
    at: new Date(seconds * 1000),
  }
}

// The end of the times that a Date can tell.
const MAX_SECONDS = 8.64e12

// RFC 8410, 4: what stands before the key in a SubjectPublicKeyInfo.
const SPKI = Buffer.from("302a300506032b6570032100", "hex")

function keyObject({ publicKey }: NoteKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: "der", type: "spki" })
}
