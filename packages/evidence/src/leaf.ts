// What of a body goes into the log: a hash with a salt, so that nobody who has the log can guess what was said, and nothing is
// left to guess when the salt is gone with the body.

import { createHash } from "node:crypto"
import { leafHash } from "@paraph/tlog/hash"
import { EvidenceRefused } from "./refused.ts"

export const SALT_BYTES = 32

/** The entry of the log. */
export function entryOf(salt: Uint8Array, body: Uint8Array): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new EvidenceRefused("A salt of another length.")
  return createHash("sha256").update(salt).update(body).digest()
}

/** As the tree has it. */
export function leafOf(salt: Uint8Array, body: Uint8Array): Uint8Array {
  return leafHash(entryOf(salt, body))
}
