import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { createFolderBucket } from "../blobs/folder-bucket.ts"
import type { Directory } from "../directory/directory.ts"
import { accountContext, businessContext } from "../keys/key-ring.ts"
import type { Trx } from "../postgres/database.ts"
import { BusinessMoving, ofTheBusiness } from "../postgres/of-the-business.ts"
import * as own from "../testing/own-database.ts"
import { createOwnKeys } from "../testing/own-keys.ts"
import { CannotMove, type Cell, openCell } from "./cell.ts"
import { goOn, halt } from "./halt.ts"
import { type Moving, moveBusiness } from "./move.ts"

const keys = createOwnKeys()
let folder: string
let databases: readonly [own.OwnDatabase, own.OwnDatabase]
let from: Cell
let to: Cell
let business: string
const steps: string[] = []
const directory = {
  moves: async () => void steps.push("moving"),
  livesIn: async (_: string, cell: string) => void steps.push(cell),
} as unknown as Directory

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-moving-"))
  databases = [
    await own.createOwnDatabase({ migrated: true }),
    await own.createOwnDatabase({ migrated: true }),
  ]
  const [a, b] = databases
  from = await openCell("a", a.url, {
    bucket: createFolderBucket(join(folder, "a")),
    ring: keys.ring("kek-a"),
  })
  to = await openCell("b", b.url, { bucket: createFolderBucket(join(folder, "b")), ring: keys.ring("kek-b") })
})
afterAll(async () => {
  await from?.client.end()
  await to?.client.end()
  for (const database of databases ?? []) await database.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  business = await newBusiness()
  steps.length = 0
})

const moving = (more: Partial<Moving> = {}): Moving => ({
  ...{
    from,
    to,
    directory,
    businessId: business,
    folder,
    shellUser: "tester",
    patienceMs: 2_000,
    graceMs: 0,
  },
  facts: { sharesTokens: false },
  tell: () => undefined,
  ...more,
})

async function newBusiness(): Promise<string> {
  const id = randomUUID()
  const { wrapped } = await from.ring.wrap(randomBytes(32), businessContext(id, 1))
  await from.client.query("insert into business (id, name, created_at) values ($1, 'Acme AG', now())", [id])
  await from.client.query("insert into business_key values ($1, 1, 'kek-a', $2, now())", [
    id,
    Buffer.from(wrapped),
  ])
  return id
}

async function newPerson(cell: Cell, email: string, secret?: Uint8Array): Promise<string> {
  const id = randomUUID()
  await cell.client.query("insert into account values ($1, $2, 'Ann', now())", [id, email])
  if (secret === undefined) return id
  const { id: kek, wrapped } = await cell.ring.wrap(secret, accountContext(id))
  await cell.client.query(
    "insert into account_credentials (account_id, password_hash, totp_kek_id, totp_wrapped) values ($1, 'x', $2, $3)",
    [id, kek, Buffer.from(wrapped)],
  )
  return id
}

const enter = (account: string, of = business, role = "owner") =>
  from.client.query(
    "insert into membership (business_id, account_id, role, created_at, accepted_at) values ($1, $2, $3, now(), now())",
    [of, account, role],
  )

const count = async ({ client }: Cell, where: string, ...values: unknown[]) =>
  Number((await client.query(`select count(*) from ${where}`, values)).rows[0]?.count)

it("people go along with what they log in with, which the other operator's key wraps from then on", async () => {
  const secret = randomBytes(20)
  const ann = await newPerson(from, `ann-${business}@example.org`, secret)
  await enter(ann)
  await from.client.query(
    "insert into account_session (id, id_hash, account_id, created_at, seen_at, browser, network) values ($1, $2, $3, now(), now(), '', '')",
    [randomUUID(), randomBytes(32), ann],
  )
  await moveBusiness(moving())
  expect(steps).toEqual(["moving", "b"])
  expect(await count(to, "account_session where account_id = $1", ann)).toBe(1)
  const { rows } = await to.client.query("select * from account_credentials where account_id = $1", [ann])
  const [{ totp_kek_id: id, totp_wrapped: wrapped }] = rows
  expect(id).toBe("kek-b")
  expect(Buffer.from(await to.ring.unwrap({ id, wrapped }, accountContext(ann)))).toEqual(secret)
  // Nobody logs in where the business was, nor is their address there.
  expect(await count(from, "account_credentials where account_id = $1", ann)).toBe(0)
  expect(await count(from, "account where email like 'ann-%' and id = $1", ann)).toBe(0)
})

it("who has another business in the old cell stays there, too; who is known in the new one is the same person", async () => {
  const other = await newBusiness()
  const ben = await newPerson(from, `ben-${business}@example.org`, randomBytes(20))
  await enter(ben)
  await enter(ben, other)
  const eve = await newPerson(from, `eve-${business}@example.org`, randomBytes(20))
  await enter(eve, business, "member")
  const eveThere = await newPerson(to, `EVE-${business}@example.org`, randomBytes(20))
  await moveBusiness(moving())
  expect(await count(from, "account_credentials where account_id = $1", ben)).toBe(1)
  expect(await count(to, "account_credentials where account_id = $1", ben)).toBe(1)
  expect(await count(to, "membership where business_id = $1 and account_id = $2", business, eveThere)).toBe(1)
  expect(await count(to, "account where id = $1", eve)).toBe(0)
})

it("a move that is over is none when it is run again", async () => {
  await moveBusiness(moving())
  expect(await moveBusiness(moving())).toMatchObject({ rows: 0 })
  expect(await count(to, "business where id = $1 and leaving is null", business)).toBe(1)
  expect(await count(from, "business_key where business_id = $1", business)).toBe(0)
})

it("the fence waits for who is at work, and nobody begins behind it until it is taken away", async () => {
  const [{ db }] = databases
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  // One that asks for nothing is at no work.
  const lookIn = async (trx: Trx) => {
    await sql`select 1`.execute(trx)
    return "in"
  }
  const work = ofTheBusiness(db, "write", business, async (trx) => {
    await lookIn(trx)
    begun.resolve()
    await held.promise
  })
  await begun.promise
  let isUp = false
  const fence = halt(from, business, 2_000).then(() => {
    isUp = true
  })
  await expect
    .poll(() => ofTheBusiness(db, "read", business, lookIn).catch((error: Error) => error))
    .toBeInstanceOf(BusinessMoving)
  expect(isUp).toBe(false)
  held.resolve()
  await Promise.all([work, fence])
  await goOn(from, business)
  expect(await ofTheBusiness(db, "write", business, lookIn)).toBe("in")
})

it("what does not come to its end in time is let go on, and so is everybody", async () => {
  await from.client.query(
    "insert into jobs.job (id, name, data, state, started_on, heartbeat_on) values ($1, 'send-mail', $2, 'active', now(), now())",
    [randomUUID(), JSON.stringify({ businessId: business })],
  )
  await expect(moveBusiness(moving({ patienceMs: 300 }))).rejects.toThrow(CannotMove)
  expect(await count(from, "business where id = $1 and leaving is null", business)).toBe(1)
  expect(steps).toEqual(["moving", "a"])
})

it("seals keep a business where their keys are, unless both cells have the token", async () => {
  await from.client.query(
    "insert into seal (id, business_id, kind, name, organization, issuer, key_algorithm, created_at) values ($1, $2, 'demo', 'Seal', 'Acme', 'service', 'P-256', now())",
    [randomUUID(), business],
  )
  await expect(moveBusiness(moving())).rejects.toThrow(/1 seals have their keys in the token of a/)
  expect(steps).toEqual([])
  await moveBusiness(moving({ facts: { sharesTokens: true } }))
  expect(await count(to, "seal where business_id = $1", business)).toBe(1)
})
