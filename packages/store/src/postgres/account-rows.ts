import type { Credentials, LetterToAccount, Passkey } from "@paraph/core/account/model"
import type { AccountTx } from "@paraph/core/account/ports"
import { everyHash } from "@paraph/core/login/hashes"
import { sql } from "kysely"
import type { PgBoss } from "pg-boss"
import { sendToAccount } from "../jobs/enqueue.ts"
import { removeCode } from "./account-codes.ts"
import { countEvents, endSessions, insertSession, isSession, note } from "./account-sessions.ts"
import { ensureAccount } from "./accounts.ts"
import { recording } from "./audit-log.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { factorResets } from "./factor-resets.ts"
import { singleSignOnIn } from "./single-sign-on-logins.ts"
import { stopWebhooksOf } from "./webhooks.ts"

export const findByEmail = (db: ServiceDatabase, email: string): Promise<Credentials | null> =>
  findWhere(db, sql<boolean>`lower(a.email) = lower(${email})`)
export const findById = (db: ServiceDatabase | Trx, accountId: string): Promise<Credentials | null> =>
  findWhere(db, sql<boolean>`a.id = ${accountId}`)

/** The row of the account stands for all that opens it; what refers to it goes on meanwhile. */
async function lock(trx: Trx, accountId: string): Promise<Credentials | null> {
  await trx.selectFrom("account").select("id").where("id", "=", accountId).forNoKeyUpdate().execute()
  return findById(trx, accountId)
}

async function findWhere(
  db: ServiceDatabase | Trx,
  where: ReturnType<typeof sql<boolean>>,
): Promise<Credentials | null> {
  const row = await db
    .selectFrom("account as a")
    .leftJoin("account_credentials as c", "c.account_id", "a.id")
    .select([
      "a.id",
      "a.email",
      "a.name",
      "c.password_hash",
      "c.totp_kek_id",
      "c.totp_wrapped",
      "c.totp_since",
      "c.totp_held_until",
    ])
    .select([
      sql<number>`(select count(*) from account_passkey p where p.account_id = a.id)`.as("passkeyCount"),
      sql<Date | null>`(
        select case when bool_and(p.held_until is not null) then min(p.held_until) end
          from account_passkey p where p.account_id = a.id)`.as("passkeysHeldUntil"),
      sql<number>`(select count(*) from account_recovery_code r where r.account_id = a.id)`.as("codeCount"),
    ])
    .where(where)
    .executeTakeFirst()
  if (row === undefined) return null
  const { id, email, name, passkeyCount, codeCount, totp_kek_id: kekId, totp_wrapped: wrapped } = row
  return {
    id,
    email,
    name,
    passwordHash: row.password_hash,
    totp:
      kekId === null || wrapped === null
        ? null
        : { secret: { kekId, wrapped }, since: row.totp_since, heldUntil: row.totp_held_until },
    passkeyCount,
    passkeysHeldUntil: row.passkeysHeldUntil,
    recoveryCodeCount: codeCount,
  }
}

const PASSKEY = [
  "id",
  "account_id as accountId",
  "public_key as publicKey",
  "counter",
  "transports",
  "name",
  "created_at as createdAt",
  "used_at as usedAt",
  "held_until as heldUntil",
] as const

export const findPasskey = async (db: ServiceDatabase, id: string): Promise<Passkey | null> =>
  (await db.selectFrom("account_passkey").select(PASSKEY).where("id", "=", id).executeTakeFirst()) ?? null

export const listPasskeys = (db: ServiceDatabase, accountId: string): Promise<readonly Passkey[]> =>
  db
    .selectFrom("account_passkey")
    .select(PASSKEY)
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute()

/** One transaction for what somebody does with their account, the record of it, and the mail about it. */
export const createAccountTransact =
  (db: ServiceDatabase, boss: PgBoss, steps: (trx: Trx) => Pick<AccountTx, "insertStep" | "takeStep">) =>
  <T>(work: (tx: AccountTx) => Promise<T>): Promise<T> =>
    db.transaction().execute((trx) =>
      work({
        ensureAccount: (account, at) => ensureNamed(trx, { ...account, now: at }),
        removeCode: (of) => removeCode(trx, of),
        lock: (accountId) => lock(trx, accountId),
        isSession: (id) => isSession(trx, id),
        ...steps(trx),
        ...credentials(trx),
        ...passkeys(trx),
        ...singleSignOnIn(trx),
        insertSession: (accountId, session, at) => insertSession(trx, accountId, session, at),
        endSessions: (accountId, which) => endSessions(trx, accountId, which),
        stopWebhooks: (accountId, madeBy, at) => stopWebhooksOf(trx, accountId, madeBy, at),
        countEvents: (of, since) => countEvents(trx, of, since),
        note: (event) => note(trx, event),
        ...factorResets(trx),
        appendAudit: recording(trx, null),
        write: (letter: LetterToAccount) => sendToAccount(boss, trx, letter),
      }),
    )

/** The person is here, so the name is the one that they give, whatever others called them. */
async function ensureNamed(trx: Trx, account: Parameters<typeof ensureAccount>[1]) {
  const { id, email } = await ensureAccount(trx, account)
  const { name } = account
  await trx.updateTable("account").set({ name }).where("id", "=", id).execute()
  return { id, email, name }
}

function credentials(
  trx: Trx,
): Pick<
  AccountTx,
  | "savePassword"
  | "saveSecret"
  | "confirmSecret"
  | "removeSecret"
  | "useStep"
  | "saveRecoveryCodes"
  | "useRecoveryCode"
> {
  return {
    savePassword: (accountId, password_hash, password_at) =>
      save(trx, accountId, { password_hash, password_at }),
    saveSecret: (accountId, { kekId, wrapped }) =>
      save(trx, accountId, {
        totp_kek_id: kekId,
        totp_wrapped: Buffer.from(wrapped),
        totp_since: null,
        totp_step: null,
        totp_held_until: null,
      }),
    confirmSecret: async (accountId, totp_since, totp_held_until) => {
      const { numUpdatedRows } = await trx
        .updateTable("account_credentials")
        .set({ totp_since, totp_held_until })
        .where("account_id", "=", accountId)
        .where("totp_wrapped", "is not", null)
        .where("totp_since", "is", null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    removeSecret: (accountId) =>
      save(trx, accountId, {
        ...{ totp_kek_id: null, totp_wrapped: null, totp_since: null, totp_step: null },
        totp_held_until: null,
      }),
    useStep: async (accountId, step) => {
      const { numUpdatedRows } = await trx
        .updateTable("account_credentials")
        .set({ totp_step: step })
        .where("account_id", "=", accountId)
        .where("totp_since", "is not", null)
        .where((where) => where.or([where("totp_step", "is", null), where("totp_step", "<", step)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    saveRecoveryCodes: async (accountId, hashes) => {
      await trx.deleteFrom("account_recovery_code").where("account_id", "=", accountId).execute()
      const rows = hashes.map(({ current, pepperId }) => ({
        account_id: accountId,
        code_hash: Buffer.from(current),
        pepper_id: pepperId,
      }))
      if (rows.length > 0) await trx.insertInto("account_recovery_code").values(rows).execute()
    },
    useRecoveryCode: async (accountId, hashes) => {
      const { numDeletedRows } = await trx
        .deleteFrom("account_recovery_code")
        .where("account_id", "=", accountId)
        .where(
          "code_hash",
          "in",
          everyHash(hashes).map((hash) => Buffer.from(hash)),
        )
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

type Saved = {
  password_hash?: string
  password_at?: Date
  totp_kek_id?: string | null
  totp_wrapped?: Buffer | null
  totp_since?: null
  totp_step?: null
  totp_held_until?: null
}

async function save(trx: Trx, accountId: string, changed: Saved): Promise<void> {
  const none = { password_hash: null, password_at: null, totp_kek_id: null, totp_wrapped: null }
  await trx
    .insertInto("account_credentials")
    .values({ account_id: accountId, ...none, totp_since: null, totp_step: null, ...changed })
    .onConflict((known) => known.column("account_id").doUpdateSet(changed))
    .execute()
}

function passkeys(
  trx: Trx,
): Pick<AccountTx, "insertPasskey" | "removePasskey" | "removePasskeysSince" | "usePasskey"> {
  return {
    insertPasskey: async ({ accountId, publicKey, createdAt, usedAt, heldUntil, transports, ...rest }) => {
      const row = { account_id: accountId, public_key: Buffer.from(publicKey), transports: [...transports] }
      await trx
        .insertInto("account_passkey")
        .values({ ...rest, ...row, created_at: createdAt, used_at: usedAt, held_until: heldUntil })
        .execute()
    },
    removePasskey: async (accountId, id) => {
      const { numDeletedRows } = await trx
        .deleteFrom("account_passkey")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    removePasskeysSince: async (accountId, since) => {
      const { numDeletedRows } = await trx
        .deleteFrom("account_passkey")
        .where("account_id", "=", accountId)
        .where("created_at", ">", since)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    // Those that do not count always say 0.
    usePasskey: async (id, counter, used_at) => {
      const { numUpdatedRows } = await trx
        .updateTable("account_passkey")
        .set({ counter, used_at })
        .where("id", "=", id)
        .where((where) => (counter === 0 ? where("counter", "=", 0) : where("counter", "<", counter)))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
