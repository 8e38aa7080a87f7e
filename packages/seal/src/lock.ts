import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type DecipherGCM,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto"
import { SealBroken } from "./broken.ts"
import { COMMITMENT_BYTES, HEADER_BYTES, TAG_BYTES, VERSION } from "./layout.ts"

const KEY_BYTES = 32
const PREFIX_BYTES = 7
const COUNTER_BYTES = 4
const DERIVED_BYTES = KEY_BYTES + COMMITMENT_BYTES + PREFIX_BYTES
const GCM = { authTagLength: TAG_BYTES }

/** All that one object is sealed and opened with. */
export type Lock = {
  /** Made once: from bytes, Node makes one anew for each segment, which costs more than opening it. */
  readonly encryption: KeyObject
  readonly prefix: Buffer
  readonly header: Buffer
  readonly associated: Buffer
}

/**
 * Everything comes from the object's key and name by HKDF-SHA-256, the nonce prefix too: the key seals one object only,
 * and any segment can be opened without having read the header. The header commits to the name as well as to the key.
 */
export function lockOf(key: Uint8Array, context: string): Lock {
  if (key.length !== KEY_BYTES) throw new TypeError("The key of an object has 32 bytes.")
  const parts = Buffer.from(hkdfSync("sha256", key, "", `paraph seal 2 ${context}`, DERIVED_BYTES))
  const commitment = parts.subarray(KEY_BYTES, KEY_BYTES + COMMITMENT_BYTES)
  const header = Buffer.concat([Buffer.of(VERSION), commitment])
  const encryption = createSecretKey(parts.subarray(0, KEY_BYTES))
  // What OpenSSL holds of it, and the key that it came from, end with their owners.
  parts.fill(0, 0, KEY_BYTES)
  return {
    encryption,
    prefix: parts.subarray(KEY_BYTES + COMMITMENT_BYTES),
    header,
    associated: Buffer.concat([header, Buffer.from(context)]),
  }
}

/** Throws unless sealed with this key under this name. GCM alone would let one ciphertext open under two keys (R35). */
export function mustBeHeader(lock: Lock, header: Uint8Array): void {
  if (header.length !== HEADER_BYTES || header[0] !== VERSION)
    throw new SealBroken("These are not sealed bytes.")
  if (!timingSafeEqual(header, lock.header))
    throw new SealBroken("Sealed with another key, or under another name.")
}

/** The ciphertext, and its tag apart: putting a megabyte together again costs an eighth of the speed. */
export function sealSegment(
  lock: Lock,
  index: number,
  last: boolean,
  plain: Uint8Array,
): readonly [Buffer, Buffer] {
  const cipher = createCipheriv("aes-256-gcm", lock.encryption, nonce(lock, index, last), GCM)
  cipher.setAAD(lock.associated)
  const ciphertext = cipher.update(plain)
  cipher.final()
  return [ciphertext, cipher.getAuthTag()]
}

/** The plain bytes; throws unless the segment is whole, unchanged, and of this place in this object. */
export function openSegment(lock: Lock, index: number, last: boolean, sealed: Uint8Array): Buffer {
  if (sealed.length < TAG_BYTES) throw new SealBroken("The sealed bytes are cut.")
  const decipher = createDecipheriv("aes-256-gcm", lock.encryption, nonce(lock, index, last), GCM)
  decipher.setAAD(lock.associated)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES))
  mustProve(decipher)
  return plain
}

/** Only the last call of GCM proves the tag, and it gives no more bytes. */
export function mustProve(decipher: DecipherGCM): void {
  try {
    decipher.final()
  } catch (cause) {
    throw new SealBroken("The sealed bytes are not those that were sealed here.", { cause })
  }
}

function nonce(lock: Lock, index: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES + COUNTER_BYTES + 1)
  lock.prefix.copy(bytes)
  bytes.writeUInt32BE(index, PREFIX_BYTES)
  bytes[PREFIX_BYTES + COUNTER_BYTES] = last ? 1 : 0
  return bytes
}
