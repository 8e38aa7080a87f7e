import { createHmac } from "node:crypto"
import { canonicalKey } from "@paraph/core/login/api-key"
import type { FindKey, HashKey } from "@paraph/core/login/ports"
import type { Clock } from "@paraph/core/ports"
import { createLimiter } from "@paraph/store/limiter"
import { findMember } from "@paraph/store/postgres/account-sessions"
import * as businesses from "@paraph/store/postgres/businesses"
import type { OpenDatabase } from "@paraph/store/postgres/database"
import type { Config } from "./config.ts"
import { createTokens } from "./http/tokens.ts"
import type { LastUses } from "./last-uses.ts"
import { hashesWith, peppersOf } from "./peppers.ts"
import { hashingCodes, makingCodes } from "./signer-codes.ts"

/** What stands behind the logins of API users and the codes of signers; people's accounts are in account-parts.ts. */
export function loginParts(
  config: Config,
  { serviceDb: db, pool }: OpenDatabase,
  now: Clock,
  { noted }: LastUses,
) {
  const peppers = peppersOf(config)
  const hashKey: HashKey = (key) =>
    hashesWith(peppers, (pepper) => createHmac("sha256", pepper).update(canonicalKey(key)).digest())
  const isFactorRequired = config.MEMBERS_SECOND_FACTOR === "required"
  const minute = { durationSeconds: 60 }
  const findKey = businesses.createFindKey(db)
  return {
    findKey: async (...asked: Parameters<FindKey>) => noted(await findKey(...asked)),
    hashKey,
    signerCodeFor: makingCodes(peppers.current.bytes),
    hashSignerCode: hashingCodes(peppers),
    tokens: createTokens({
      privateKeyPem: config.TOKEN_KEY,
      earlierPems: config.TOKEN_KEY_EARLIER,
      publicUrl: config.PUBLIC_URL,
      findCaller: async (keyId, at) => noted(await businesses.findCaller(db, keyId, at)),
      findMember: async ({ sessionId, businessId, kind }, at) =>
        noted(await findMember(db, sessionId, businessId, kind, { now: at, isFactorRequired })),
      now,
    }),
    limits: {
      loginByUserNear: createLimiter(pool, {
        name: "login-user-near",
        points: config.LOGINS_PER_USER,
        ...minute,
      }),
      loginByUser: createLimiter(pool, {
        name: "login-user",
        points: config.LOGINS_PER_USER * 10,
        ...minute,
      }),
      loginByAddress: createLimiter(pool, {
        name: "login-address",
        points: config.LOGINS_PER_ADDRESS,
        ...minute,
      }),
    },
  }
}
