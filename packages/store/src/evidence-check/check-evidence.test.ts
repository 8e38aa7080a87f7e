import { createHash, generateKeyPairSync, sign } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import { signCheckpoint } from "@paraph/tlog/checkpoint"
import { Kysely, PostgresDialect, sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Database, openDatabase } from "../postgres/database.ts"
import { headOf, sequence } from "../postgres/evidence-log.ts"
import { keepCheckpoint, keepStamp } from "../postgres/log-checkpoints.ts"
import { keepLogKey } from "../postgres/log-keys.ts"
import type { Tables } from "../postgres/tables.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { type Dice, SPOILINGS, type Spoiling } from "../testing/spoiled-evidence.ts"
import { type CheckParts, checkEvidence, checkEvidenceIn } from "./check-evidence.ts"
import { signedHeads } from "./signed-heads.ts"

// biome-ignore lint/style/noProcessEnv: `npm run conformance:evidence` has ten thousand of them.
const MUTATIONS = Number(process.env.PARAPH_MUTATIONS ?? (process.env.PARAPH_LONG === "true" ? 1000 : 200))

const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const ORIGIN = "paraph.test/log/demo"
const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32)
const notes: string[] = []
let store: OwnStore
let tenant: Tenant
let document: Document

/** In these rows a stamp is the digest itself; tokens of an authority are read where there is one. */
const isStampOf = (stamp: Uint8Array, sha256: Uint8Array) => Buffer.compare(stamp, sha256) === 0
const nothing: CheckParts = { isStampOf, known: { checkpoints: [] } }
const parts = () => ({
  demo: {
    isStampOf,
    known: { checkpoints: notes, key: { name: ORIGIN, type: "ed25519", publicKey: raw } as const },
  },
  production: nothing,
})

beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
  document = await store.upload(tenant, Buffer.from("%PDF-1.7"))
  const { db } = store.database
  await keepLogKey(db, "demo", { origin: ORIGIN, keyLabel: "test", publicKey: raw }, NOW)
  const ids: string[] = []
  for (let round = 0; round < 8; round++) {
    ids.push(await newStory(round))
    for (const id of ids) for (let n = 0; n < 9; n++) await append(id, n)
    while ((await sequence(db, "demo")) > 0);
    await signHead(round)
  }
  const erasure = { about: "signature-request", reason: "deleted", by: "somebody's key", at: NOW } as const
  await store.transact(tenant.businessId, (tx) => tx.eraseStory({ id: ids.pop() ?? "", ...erasure }))
  while ((await sequence(db, "demo")) > 0);
  await signHead(0)
  // Some that nobody has given an index yet.
  for (const id of ids.slice(0, 3)) await append(id, 99)
}, 120_000)
afterAll(() => store?.close())

async function all<T>(from: AsyncGenerator<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const one of from) found.push(one)
  return found
}

const sizesOf = (db: Database) =>
  db
    .selectFrom("log_checkpoint")
    .select("size")
    .where("kind", "=", "demo")
    .orderBy("size")
    .execute()
    .then((rows) => rows.map(({ size }) => Number(size)))

async function newStory(n: number): Promise<string> {
  const request = sampleRequest(tenant, [document], n, { kind: "demo" })
  await store.transact(tenant.businessId, async (tx) => {
    await tx.insertRequest(request)
    await tx.appendEvidence(request.id, [{ type: "request.created", at: NOW, data: { owner: "Ada" } }])
  })
  return request.id
}

const append = (id: string, n: number) =>
  store.transact(tenant.businessId, (tx) =>
    tx.appendEvidence(id, [{ type: "signature.opened", at: new Date(NOW.getTime() + n), data: { n } }]),
  )

async function signHead(round: number): Promise<void> {
  const { db } = store.database
  const head = await headOf(db, "demo")
  const note = await signCheckpoint({ name: ORIGIN, publicKey: raw }, head, async (message) =>
    sign(null, message, privateKey),
  )
  notes.push(note)
  await keepCheckpoint(db, "demo", { size: head.size, note, signedAt: NOW })
  if (round % 3 === 0)
    await keepStamp(db, "demo", head.size, createHash("sha256").update(note, "utf8").digest())
}

describe("evidence as it is kept", () => {
  it("has its heads read a page at a time, in their order, those that somebody doubled too", async () => {
    const { db } = store.database
    const asked: string[] = []
    const watched = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: store.database.pool }),
      log: ({ query }) => void asked.push(query.sql),
    })
    const rolledBack = new Error("Rolled back.")
    const sizes = await sizesOf(db)
    const reading = watched.transaction().execute(async (trx) => {
      const read = await all(signedHeads(trx, "demo", 2))
      expect(read.map(({ size }) => size)).toEqual(sizes)
      expect(sizes).toHaveLength(9)
      expect(asked.filter((text) => text.startsWith("fetch forward 2"))).toHaveLength(5)
      await sql`alter table log_checkpoint drop constraint log_checkpoint_pkey`.execute(trx)
      for (let n = 0; n < 3; n++)
        await sql`insert into log_checkpoint select * from log_checkpoint where kind = 'demo' and size = ${sizes[4]} limit 1`.execute(
          trx,
        )
      const doubled = await all(signedHeads(trx, "demo", 2))
      expect(doubled.filter(({ size }) => size === sizes[4])).toHaveLength(4)
      throw rolledBack
    })
    await expect(reading).rejects.toBe(rolledBack)
  })

  it("is read for as long as it takes by whoever checks all of it, and by nobody else", async () => {
    const { url } = store.database
    const bounds = async (patient: boolean) => {
      const { db, pool, close } = openDatabase(url, { max: 1, name: "paraph-test", patient })
      try {
        const { rows } = await sql<{ statement: string; idle: string }>`
          select current_setting('statement_timeout') as statement,
                 current_setting('idle_in_transaction_session_timeout') as idle`.execute(db)
        return { ...rows[0], query: pool.options.query_timeout }
      } finally {
        await close()
      }
    }
    expect(await bounds(false)).toEqual({ statement: "30s", idle: "30s", query: 35_000 })
    expect(await bounds(true)).toEqual({ statement: "0", idle: "0", query: 0 })
  })

  it("holds, by itself and for somebody who has kept its heads", async () => {
    expect(await checkEvidence(store.database.db, store.sealer, parts())).toEqual([])
    expect(
      await checkEvidence(store.database.db, store.sealer, { demo: nothing, production: nothing }),
    ).toEqual([])
  })

  it(`[R37] is noticed to be spoilt, each of ${MUTATIONS} times`, { timeout: 1_800_000 }, async () => {
    const { db } = store.database
    await withoutRules()
    const dice = diceOf(9)
    const missed: string[] = []
    for (let i = 0; i < MUTATIONS; i++) {
      const { name, spoil } = SPOILINGS[i % SPOILINGS.length] as Spoiling
      const rolledBack = new Error("Rolled back.")
      await db
        .transaction()
        .execute(async (trx) => {
          await spoil(trx, dice)
          const findings = await checkEvidenceIn(trx, store.sealer, parts())
          if (findings.length === 0) missed.push(`${i} ${name}`)
          throw rolledBack
        })
        .catch((error: unknown) => {
          if (error !== rolledBack) throw error
        })
    }
    expect(missed).toEqual([])
    expect(await checkEvidence(db, store.sealer, parts())).toEqual([])
  })
})

/** Whoever has the database can take every constraint and trigger off it. */
async function withoutRules(): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as statement
      from pg_constraint c join pg_class t on t.oid = c.conrelid
     where t.relname in ('evidence', 'story', 'story_key', 'erasure') or t.relname like 'log\\_%'
    union all select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger t
     where not tgisinternal and tgrelid::regclass::text in ('evidence', 'log_leaf', 'log_key', 'log_checkpoint')`.execute(
    store.database.db,
  )
  for (const { statement } of rows) await sql.raw(statement).execute(store.database.db)
  await sql`alter table evidence alter column position drop identity`.execute(store.database.db)
}

/** Numerical Recipes' generator: the same mutations each time. */
function diceOf(seed: number): Dice {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
