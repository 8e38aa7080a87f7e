import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { insertSession, listSessions } from "./account-sessions.ts"
import { ensureAccount, removeMember, setMember } from "./accounts.ts"
import { changeSettings, findSettings, setFeature } from "./settings.ts"
import { createRead, createTransact } from "./transact.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
let stranger: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
  stranger = await own.insertTenant(database)
})

afterAll(() => database?.close())

const account = (email: string) =>
  database.db
    .transaction()
    .execute((trx) => ensureAccount(trx, { id: randomUUID(), email, name: "Ann Example", now: own.NOW }))

it("an account is one person, however the address is written", async () => {
  const first = await account("Ann@Example.org")
  expect(await account("ann@example.ORG")).toEqual(first)
})

it("a person is a member of the business that has them and of no other, in a transaction and in a reading", async () => {
  const { id } = await account("bob@example.org")
  await database.db.transaction().execute((trx) =>
    setMember(trx, {
      businessId: tenant.businessId,
      accountId: id,
      role: "member",
      invitedBy: null,
      now: own.NOW,
    }),
  )
  for (const ask of [read, transact]) {
    expect(await ask(tenant.businessId, "BOB@example.org")).toEqual({ account: true, member: true })
    expect(await ask(stranger.businessId, "bob@example.org")).toEqual({ account: true, member: false })
    expect(await ask(tenant.businessId, "nobody@example.org")).toEqual({ account: false, member: false })
  }
  await database.db.transaction().execute((trx) => removeMember(trx, tenant.businessId, id, own.NOW))
  expect(await read(tenant.businessId, "bob@example.org")).toEqual({ account: true, member: false })
})

it("a business keeps an owner, also when two take each other out at the same moment, by whatever way", async () => {
  const { businessId } = await own.insertTenant(database)
  const owners = await Promise.all(["one@example.org", "two@example.org"].map(account))
  const join = (accountId: string, invitedBy: string | null) =>
    database.db
      .transaction()
      .execute((trx) => setMember(trx, { businessId, accountId, role: "owner", invitedBy, now: own.NOW }))
  for (const { id } of owners) await join(id, null)
  // Who is only invited is no owner to leave it to.
  await join((await account("three@example.org")).id, "one@example.org")
  let arrived = 0
  let open = () => {}
  const both = new Promise<void>((resolve) => {
    open = resolve
  })
  const ends = await Promise.allSettled(
    owners.map(({ id }) =>
      database.db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom("membership")
          .where("business_id", "=", businessId)
          .where("account_id", "=", id)
          .execute()
        // Neither sees what the other has done, and both are about to commit.
        if (++arrived === 2) open()
        await both
      }),
    ),
  )
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  const refused = ends.find((end) => end.status === "rejected")
  expect(String(refused?.reason)).toContain("the last owner of a business stays")
})

it("a person is logged in fifty times at once; with one more, whatever was seen the longest time ago ends", async () => {
  const { id: accountId } = await account("often@example.org")
  const at = (minute: number) => new Date(own.NOW.getTime() + minute * 60_000)
  const hashOf = (n: number) => Buffer.alloc(32, n)
  await database.db.transaction().execute(async (trx) => {
    for (let n = 0; n < 52; n += 1) {
      const session = { id: randomUUID(), idHash: hashOf(n), browser: "a browser", network: "192.0.2.0/24" }
      await insertSession(trx, accountId, session, at(n))
    }
  })
  const left = await listSessions(database.db, accountId, at(60))
  expect(left.map(({ createdAt }) => createdAt)).toEqual(
    Array.from({ length: 50 }, (_, index) => at(51 - index)),
  )
})

it("who administers is known by the user that the member is, in the business that it is of", async () => {
  const { id } = await account("adm@example.org")
  const member = {
    businessId: tenant.businessId,
    accountId: id,
    role: "admin",
    invitedBy: null,
    now: own.NOW,
  } as const
  await database.db.transaction().execute((trx) => setMember(trx, member))
  const { id: userId } = await database.db
    .selectFrom("api_user")
    .select("id")
    .where("account_id", "=", id)
    .executeTakeFirstOrThrow()
  const asks = (businessId: string, of: string) =>
    createRead(database.db, own.plainDetails)(businessId, (reading) => reading.isAdministrator(of))
  expect(await asks(tenant.businessId, userId)).toBe(true)
  expect(await asks(stranger.businessId, userId)).toBe(false)
  expect(await asks(tenant.businessId, tenant.ownerId)).toBe(false)
  await database.db.transaction().execute((trx) => removeMember(trx, tenant.businessId, id, own.NOW))
  expect(await asks(tenant.businessId, userId)).toBe(false)
})

it("a business begins with nothing switched on; features are switched one by one, for it alone", async () => {
  const settings = (id: string) =>
    createRead(database.db, own.plainDetails)(id, (reading) => reading.settings())
  const asFounded = { name: "Acme AG", features: [], retentionDays: null, defaultQuality: "SES" }
  expect(await settings(tenant.businessId)).toMatchObject(asFounded)
  await database.db.transaction().execute(async (trx) => {
    await setFeature(trx, tenant.businessId, "sealing", true)
    await setFeature(trx, tenant.businessId, "expires_at", true)
    await setFeature(trx, tenant.businessId, "expires_at", true)
    await setFeature(trx, tenant.businessId, "sealing", false)
    await changeSettings(trx, tenant.businessId, { retentionDays: 90, defaultQuality: "AES" })
  })
  expect(await settings(tenant.businessId)).toMatchObject({
    features: ["expires_at"],
    retentionDays: 90,
    defaultQuality: "AES",
  })
  expect(await settings(stranger.businessId)).toMatchObject(asFounded)
  expect(await findSettings(database.db, randomUUID())).toBeNull()
})

const read = (businessId: string, email: string) =>
  createRead(database.db, own.plainDetails)(businessId, async (reading) => ({
    account: await reading.isAccount(email),
    member: await reading.isMember(email),
  }))

const transact = (businessId: string, email: string) =>
  createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })(
    businessId,
    async (tx) => ({
      account: await tx.isAccount(email),
      member: await tx.isMember(email),
    }),
  )
