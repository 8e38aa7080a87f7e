import { hkdfSync, randomBytes, randomUUID } from "node:crypto"
import type { NewId } from "@paraph/core/ports"
import { type NewNonce, nonceFrom, randomNonce } from "@paraph/pki/nonce"

/** Where ids, keys, serial numbers and nonces come from. */
export type Randomness = {
  readonly newId: NewId
  readonly randomBytes: (size: number) => Uint8Array
  readonly newNonce: NewNonce
}

/**
 * The system's; or, in a sandbox that repeats itself, a row that follows from the seed and from who draws. Each has a row of its
 * own, so that one who works in the background takes nothing from one who answers calls. Sessions, links and the keys of documents
 * are the system's always.
 */
export function createRandomness(seed: string, whose: string): Randomness {
  if (seed === "")
    return { newId: randomUUID, randomBytes: (size) => randomBytes(size), newNonce: randomNonce }
  let drawn = 0
  const next = (size: number): Buffer => {
    drawn += 1
    return Buffer.from(hkdfSync("sha256", seed, "paraph sandbox", `${whose} ${drawn}`, size))
  }
  return { newId: () => uuidOf(next(16)), randomBytes: next, newNonce: nonceFrom(seed) }
}

/** RFC 9562, 5.4: version 4, variant 10. */
function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
