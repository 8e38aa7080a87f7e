import { createHmac, randomInt } from "node:crypto"
import type { CodeOf } from "@paraph/core/account/model"
import type { AccountRows } from "@paraph/core/account/ports"
import { LIMITS } from "@paraph/core/limits"
import type { Hashes } from "@paraph/core/login/hashes"
import type { Clock } from "@paraph/core/ports"
import type { Outbound } from "@paraph/gateways/outbound"
import { createWriteToMember } from "@paraph/store/jobs/enqueue"
import type { Jobs } from "@paraph/store/jobs/jobs"
import type { KeyRing } from "@paraph/store/keys/key-ring"
import { createLimiter } from "@paraph/store/limiter"
import * as codes from "@paraph/store/postgres/account-codes"
import * as rows from "@paraph/store/postgres/account-rows"
import * as sessions from "@paraph/store/postgres/account-sessions"
import { isOperator } from "@paraph/store/postgres/accounts"
import type { OpenDatabase, ServiceDatabase, Trx } from "@paraph/store/postgres/database"
import { listFactorResets } from "@paraph/store/postgres/factor-resets"
import { findProvenName } from "@paraph/store/postgres/proven-names"
import { memberReads } from "@paraph/store/postgres/request-readers"
import type { RowSealer } from "@paraph/store/postgres/transact"
import type { Config } from "./config.ts"
import { createEstimateGuesses } from "./password-strength/estimate.ts"
import { createPasswords } from "./passwords.ts"
import { hashesWith, peppersOf } from "./peppers.ts"
import { createSecondFactors } from "./second-factor.ts"
import { hashOf, newSecret } from "./secrets.ts"
import { singleSignOnParts } from "./single-sign-on-parts.ts"
import type { Logger } from "./telemetry/logs.ts"

type Surroundings = {
  readonly database: OpenDatabase
  readonly boss: Jobs["boss"]
  readonly ring: Pick<KeyRing, "wrap" | "unwrap">
  readonly sealer: RowSealer
  readonly outbound: Outbound
  readonly now: Clock
  readonly log: Logger
}

/** What stands behind the ports that have to do with people's accounts. */
export function accountParts(config: Config, around: Surroundings) {
  const { database, boss, ring, sealer, outbound, now } = around
  const { serviceDb: db } = database
  const peppers = peppersOf(config)
  const codeHashes = (of: CodeOf, code: string) => hashesWith(peppers, (pepper) => codeHash(pepper, of, code))
  // Nobody is invited here; owners are told whatever else was written.
  const writeToMember = createWriteToMember(boss, () => undefined)
  return {
    accounts: accountRows(around, config, codeHashes),
    passwords: createPasswords(peppers),
    estimateGuesses: createEstimateGuesses(),
    secondFactor: createSecondFactors(ring, peppers),
    accountLimits: limitsOf(config, database),
    ...singleSignOnParts({ publicUrl: config.PUBLIC_URL, outbound, db, writeToMember, sealer, now }),
    accountSession: (hash: Uint8Array) => sessions.findSession(db, hash, now()),
    listAccountSessions: (accountId: string) => sessions.listSessions(db, accountId, now()),
    listAccountEvents: (accountId: string) => sessions.listEvents(db, accountId, 50),
    isOperator: (email: string) => isOperator(db, email),
    operatorsPerReset: config.FACTOR_RESET_OPERATORS === "1" ? (1 as const) : (2 as const),
    listFactorResets: () => listFactorResets(db, now()),
    findLogin: (sessionId: string) => sessions.findLogin(db, sessionId),
    listFactorsWanted: (sessionId: string) =>
      sessions.listFactorsWanted(db, sessionId, config.MEMBERS_SECOND_FACTOR === "required"),
    listMemberships: (accountId: string) => sessions.listMemberships(db, accountId),
    listInvitations: (accountId: string) => sessions.listInvitations(db, accountId),
    listPasskeys: (accountId: string) => rows.listPasskeys(db, accountId),
    memberReads: (requestId: string, accountId: string) => memberReads(db, requestId, accountId),
    signaturesOf: (requestId: string, email: string) => sessions.findSignatures(db, requestId, email),
    /** Makes the code that a mail is about to carry, and keeps its hash; what the same browser asked for before counts no more. */
    newCode: async (of: CodeOf): Promise<string> => {
      const digits = LIMITS.accountCodeDigits
      const code = String(randomInt(10 ** digits)).padStart(digits, "0")
      await codes.keepCode(db, of, codeHashes(of, code).current, now())
      return code
    },
    removeOldOfAccounts: (limit: number) => codes.removeOldOfAccounts(db, now(), limit),
  }
}

type HashCode = (of: CodeOf, code: string) => Hashes

function accountRows(
  { database: { serviceDb: db }, boss, now, log }: Surroundings,
  { MEMBERS_SECOND_FACTOR }: Pick<Config, "MEMBERS_SECOND_FACTOR">,
  hashCode: HashCode,
): AccountRows {
  return {
    findByEmail: (email) => rows.findByEmail(db, email),
    find: (id) => rows.findById(db, id),
    findPasskey: (id) => rows.findPasskey(db, id),
    findProvenName: (accountId, businessId) => findProvenName(db, accountId, businessId),
    findStrongMember: (sessionId) => sessions.findStrongMember(db, sessionId, now()),
    tryCode: (of, code) => codes.tryCode(db, of, hashCode(of, code), now()),
    tryStep: (id, purpose) => codes.tryStep(db, hashOf(id), purpose, now()),
    ...steps(db, now),
    noteLater: (event) =>
      void sessions.note(db, event).catch((error: unknown) => log.error({ error }, "event not noted")),
    transact: rows.createAccountTransact(db, boss, (trx) => steps(trx, now)),
    findMember: (sessionId, businessId, kind) =>
      sessions.findMember(db, sessionId, businessId, kind, {
        now: now(),
        isFactorRequired: MEMBERS_SECOND_FACTOR === "required",
      }),
  }
}

const steps = (db: ServiceDatabase | Trx, now: Clock): Pick<AccountRows, "takeStep" | "insertStep"> => ({
  takeStep: (id, purpose) => codes.takeStep(db, hashOf(id), purpose, now()),
  insertStep: async (step) => {
    const id = newSecret()
    await codes.insertStep(db, hashOf(id), step, now())
    return id
  },
})

/** Some digits are guessed in a blink by whoever has the table, but for the pepper. */
const codeHash = (pepper: Uint8Array, { purpose, email, askedBy }: CodeOf, code: string): Buffer =>
  createHmac("sha256", pepper)
    .update(`account code ${purpose} ${email.toLowerCase()} ${askedBy} ${code}`)
    .digest()

/**
 * A person's password is guessed at more easily than a key, so beside the limits of all logins there is one for a day. What is
 * done in somebody's name is counted by the network that it comes from, so that a stranger uses up their own share; and in all,
 * for who has many networks: 60 codes of five tries are three chances in a million a day.
 */
function limitsOf(config: Config, { pool }: OpenDatabase) {
  const minute = { durationSeconds: 60 }
  const quarter = { durationSeconds: 900 }
  const day = { durationSeconds: 86_400 }
  const limit = (name: string, points: number, of: { durationSeconds: number }) =>
    createLimiter(pool, { name, points, ...of })
  const { LOGINS_PER_ADDRESS: perAddress, LOGINS_PER_USER: perUser } = config
  return {
    byNetwork: limit("account-address", perAddress, minute),
    /** A provider gives a customer up to a /48 of IPv6 (RFC 6177). */
    bySite: limit("account-site", perAddress * 4, minute),
    tries: [
      {
        ofNetwork: limit("account-login-near", perUser, minute),
        inAll: limit("account-login", perUser * 5, minute),
      },
      { ofNetwork: limit("account-login-near-day", 100, day), inAll: limit("account-login-day", 1000, day) },
    ],
    mails: [
      { ofNetwork: limit("account-mail-near", 5, quarter), inAll: limit("account-mail", 15, quarter) },
      { ofNetwork: limit("account-mail-near-day", 20, day), inAll: limit("account-mail-day", 60, day) },
    ],
    ofApp: limit("account-app", perUser, minute),
    ofOperator: limit("operator-acts", 30, minute),
  }
}
