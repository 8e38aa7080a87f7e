import { createHash, randomBytes } from "node:crypto"

/** What makes a question one of its kind (RFC 3161, 2.4.1; RFC 8954), given what it is about. */
export type NewNonce = (about: Uint8Array) => Uint8Array

// RFC 8954, 2.1: at least 16 octets.
const NONCE_BYTES = 16

export const randomNonce: NewNonce = () => randomBytes(NONCE_BYTES)

/** For a sandbox that repeats itself: whoever has the seed knows every nonce. */
export const nonceFrom =
  (seed: string): NewNonce =>
  (about) =>
    createHash("sha256").update(`nonce ${seed}\n`).update(about).digest().subarray(0, NONCE_BYTES)
