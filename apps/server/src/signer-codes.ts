import { createHmac } from "node:crypto"
import type { OneTimeCode } from "@paraph/core/one-time-code/model"
import type { CodeFor, HashCode } from "@paraph/core/one-time-code/ports"
import { hashesWith, type Peppers } from "./peppers.ts"

/**
 * As RFC 4226 makes them, of a key and a moving factor: whoever has the key has all codes anyway, since their hashes are soon tried
 * through. So a message that is sent again, because nobody knows whether it was, says the same.
 */
export function makingCodes(pepper: Uint8Array): CodeFor {
  const key = createHmac("sha256", pepper).update("making signer codes").digest()
  return (of) => {
    const bytes = createHmac("sha256", key)
      .update(`${spelled(of)} ${of.askedAt.getTime()}`)
      .digest()
    // 48 bits: that the first digits come a little more often is beyond anybody's counting.
    return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, "0")
  }
}

/** Six digits are soon tried through by whoever has the row: so they are hashed with a key that the database does not know. */
export function hashingCodes(peppers: Peppers): HashCode {
  return (of, code) =>
    hashesWith(peppers, (pepper) => {
      const key = createHmac("sha256", pepper).update("signer codes").digest()
      return createHmac("sha256", key)
        .update(`${spelled(of)} ${code}`)
        .digest()
    })
}

/** Each asking its own; those that prove a mailbox as the version before spelled them. */
function spelled({ purpose, binding, signatureId, sessionHash, number }: OneTimeCode): string {
  const of = `${signatureId} ${Buffer.from(sessionHash).toString("hex")} ${number}`
  return purpose === "mailbox" ? of : `${purpose} ${JSON.stringify(binding)} ${of}`
}
