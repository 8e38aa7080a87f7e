import { createHmac, randomBytes } from "node:crypto"
import { canonicalKey } from "@paraph/core/login/api-key"
import type { FindKey, HashKey } from "@paraph/core/login/ports"
import type { OneTimeCode } from "@paraph/core/one-time-code/model"
import type { CodeFor, HashCode } from "@paraph/core/one-time-code/ports"
import type { Clock } from "@paraph/core/ports"
import { createLimiter } from "@paraph/store/limiter"
import { findMember } from "@paraph/store/postgres/account-sessions"
import * as businesses from "@paraph/store/postgres/businesses"
import type { OpenDatabase } from "@paraph/store/postgres/database"
import type { Config } from "./config.ts"
import { createTokens } from "./http/tokens.ts"
import type { LastUses } from "./last-uses.ts"

/** What stands behind the logins of API users and the codes of signers; people's accounts are in account-parts.ts. */
export function loginParts(config: Config, { db, pool }: OpenDatabase, now: Clock, { noted }: LastUses) {
  const pepper = Buffer.from(config.KEY_PEPPER, "hex")
  const hashKey: HashKey = (key) => createHmac("sha256", pepper).update(canonicalKey(key)).digest()
  const minute = { durationSeconds: 60 }
  const findKey = businesses.createFindKey(db)
  return {
    findKey: async (...asked: Parameters<FindKey>) => noted(await findKey(...asked)),
    hashKey,
    newKeyBytes: () => randomBytes(32).toString("base64url"),
    signerCodeFor: makingCodes(pepper),
    hashSignerCode: hashingCodes(pepper),
    tokens: createTokens({
      privateKeyPem: config.TOKEN_KEY,
      publicUrl: config.PUBLIC_URL,
      findCaller: async (keyId, at) => noted(await businesses.findCaller(db, keyId, at)),
      findMember: async ({ sessionId, businessId, kind }, at) =>
        noted(await findMember(db, sessionId, businessId, kind, at)),
      now,
    }),
    limits: {
      loginByUser: createLimiter(pool, { name: "login-user", points: config.LOGINS_PER_USER, ...minute }),
      loginByAddress: createLimiter(pool, {
        name: "login-address",
        points: config.LOGINS_PER_ADDRESS,
        ...minute,
      }),
    },
  }
}

/**
 * As RFC 4226 makes them, of a key and a moving factor: whoever has the key has all codes anyway, since their hashes are soon tried
 * through. So a message that is sent again, because nobody knows whether it was, says the same.
 */
function makingCodes(pepper: Uint8Array): CodeFor {
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
function hashingCodes(pepper: Uint8Array): HashCode {
  const key = createHmac("sha256", pepper).update("signer codes").digest()
  return (of, code) =>
    createHmac("sha256", key)
      .update(`${spelled(of)} ${code}`)
      .digest()
}

/** Each asking its own; those that prove a mailbox as the version before spelled them. */
function spelled({ purpose, binding, signatureId, sessionHash, number }: OneTimeCode): string {
  const of = `${signatureId} ${Buffer.from(sessionHash).toString("hex")} ${number}`
  return purpose === "mailbox" ? of : `${purpose} ${JSON.stringify(binding)} ${of}`
}
