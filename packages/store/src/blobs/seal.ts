import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"

/**
 * The STREAM construction over AES-256-GCM (ADR 0008): segments of 1 MiB, each with a counter and a last-flag in
 * its nonce, so that any cut, swap or reorder is noticed; the header, bound into every segment, commits to the key.
 *
 *   version (1) ‖ key commitment (32) ‖ nonce prefix (7) ‖ { ciphertext ‖ tag (16) } …
 */
const VERSION = 1
const PREFIX_BYTES = 7
const HEADER_BYTES = 1 + 32 + PREFIX_BYTES
const TAG_BYTES = 16
const GCM = { authTagLength: TAG_BYTES }
export const SEGMENT_BYTES = 1 << 20

export const sealedSize = (plainBytes: number): number =>
  HEADER_BYTES + plainBytes + TAG_BYTES * Math.max(1, Math.ceil(plainBytes / SEGMENT_BYTES))

/** Encrypts while the bytes pass through. `context` names what the bytes are; it must be the same to open them. */
export async function* seal(key: Uint8Array, context: string, plain: AsyncIterable<Uint8Array>) {
  const keys = derive(key)
  const header = Buffer.concat([Buffer.from([VERSION]), keys.commitment, randomBytes(PREFIX_BYTES)])
  yield header
  let counter = 0
  for await (const { segment, last } of segments(plain, SEGMENT_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", keys.encryption, nonce(header, counter++, last))
    cipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
    yield Buffer.concat([cipher.update(segment), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts while the bytes pass through; throws at the first segment that is not what was sealed. */
export async function* open(key: Uint8Array, context: string, sealed: AsyncIterable<Uint8Array>) {
  const keys = derive(key)
  let header: Buffer | null = null
  let counter = 0
  for await (const { segment, last } of segments(sealed, SEGMENT_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (header === null) {
      header = mustBeHeader(segment, keys.commitment)
      continue
    }
    if (segment.length < TAG_BYTES) throw new Error("The sealed bytes are cut.")
    const decipher = createDecipheriv("aes-256-gcm", keys.encryption, nonce(header, counter++, last), GCM)
    decipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
    decipher.setAuthTag(segment.subarray(-TAG_BYTES))
    yield Buffer.concat([decipher.update(segment.subarray(0, -TAG_BYTES)), decipher.final()])
  }
  if (counter === 0) throw new Error("The sealed bytes are cut.")
}

function mustBeHeader(header: Buffer, commitment: Buffer): Buffer {
  if (header.length !== HEADER_BYTES || header[0] !== VERSION) throw new Error("These are not sealed bytes.")
  // Without it, one ciphertext could be made to open under two keys (security, R35).
  if (!timingSafeEqual(header.subarray(1, 33), commitment)) throw new Error("Sealed with another key.")
  return header
}

function derive(key: Uint8Array) {
  const part = (info: string) => Buffer.from(hkdfSync("sha256", key, "", `paraph blob ${info}`, 32))
  return { encryption: part("encryption"), commitment: part("commitment") }
}

function nonce(header: Buffer, counter: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  header.copy(bytes, 0, HEADER_BYTES - PREFIX_BYTES)
  bytes.writeUInt32BE(counter, PREFIX_BYTES)
  bytes[11] = last ? 1 : 0
  return bytes
}

/** Cuts a stream into pieces of one size (the first may have its own); the last one is marked, and is never missing. */
async function* segments(source: AsyncIterable<Uint8Array>, size: number, firstSize?: number) {
  let wanted = firstSize ?? size
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const piece of source) {
    held.push(piece)
    heldBytes += piece.length
    // One byte more than a segment proves that it is not the last.
    while (heldBytes > wanted) {
      const whole = Buffer.concat(held)
      yield { segment: whole.subarray(0, wanted), last: false }
      held = [whole.subarray(wanted)]
      heldBytes -= wanted
      wanted = size
    }
  }
  yield { segment: Buffer.concat(held), last: true }
}
