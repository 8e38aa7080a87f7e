import { randomBytes, randomUUID } from "node:crypto"
import type { Hashes } from "@paraph/core/login/hashes"
import type { Kind } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { apiKeyRows } from "./api-keys.ts"
import { createFindKey, findCaller } from "./businesses.ts"
import type { Trx } from "./database.ts"

let database: own.OwnDatabase
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
})

afterAll(() => database?.close())

const hashesOf = (current: Uint8Array, ...earlier: Uint8Array[]): Hashes => ({
  pepperId: "current",
  current,
  earlier,
})
const EXPIRES = new Date(own.NOW.getTime() + 60_000)

it("a live key is found by its user and its hash, and a token's key by its id", async () => {
  const { id, keyHash } = await newKey("production")
  const caller = {
    keyId: id,
    kind: "production",
    userId: tenant.ownerId,
    username: tenant.owner,
    businessId: tenant.businessId,
  }
  expect(await createFindKey(database.db)(tenant.owner, hashesOf(keyHash), own.NOW)).toEqual(caller)
  expect(await findCaller(database.db, id, own.NOW)).toEqual(caller)
})

it("a key opens nothing under another name, and no other key under this one", async () => {
  const { keyHash } = await newKey("demo")
  const find = createFindKey(database.db)
  const stranger = await own.insertTenant(database)
  expect(await find(stranger.owner, hashesOf(keyHash), own.NOW)).toBeNull()
  expect(await find(tenant.owner.toUpperCase(), hashesOf(keyHash), own.NOW)).toBeNull()
  expect(await find(tenant.owner, hashesOf(randomBytes(32)), own.NOW)).toBeNull()
})

it("[11.2.2] a key that an earlier pepper hashed is found once by it, and from then on by the current one", async () => {
  const { id, keyHash } = await newKey("demo")
  const find = createFindKey(database.db)
  const current = randomBytes(32)
  const changed = { ...hashesOf(current, randomBytes(32), keyHash), pepperId: "next" }
  expect(await find(tenant.owner, hashesOf(current), own.NOW)).toBeNull()
  expect((await find(tenant.owner, changed, own.NOW))?.keyId).toBe(id)
  expect(await find(tenant.owner, hashesOf(keyHash), own.NOW)).toBeNull()
  expect((await find(tenant.owner, { ...changed, earlier: [] }, own.NOW))?.keyId).toBe(id)
})

it("a key is dead from the moment it expires", async () => {
  const { id, keyHash } = await newKey("demo")
  const justBefore = new Date(EXPIRES.getTime() - 1)
  expect(await findCaller(database.db, id, justBefore)).not.toBeNull()
  expect(await findCaller(database.db, id, EXPIRES)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, hashesOf(keyHash), EXPIRES)).toBeNull()
})

it("a key is dead once it is revoked, by its own business alone", async () => {
  const { id, keyHash } = await newKey("demo")
  const stranger = await own.insertTenant(database)
  await within((trx) => apiKeyRows(trx, stranger.businessId).revokeKey(id, own.NOW))
  expect(await findCaller(database.db, id, own.NOW)).not.toBeNull()
  await within((trx) => apiKeyRows(trx, tenant.businessId).revokeKey(id, own.NOW))
  expect(await findCaller(database.db, id, own.NOW)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, hashesOf(keyHash), own.NOW)).toBeNull()
})

it("every key of a user is dead once the user is removed", async () => {
  const { id, keyHash } = await newKey("demo")
  const setRemoved = (at: Date | null) =>
    database.db.updateTable("api_user").set({ removed_at: at }).where("id", "=", tenant.ownerId).execute()
  await setRemoved(own.NOW)
  expect(await findCaller(database.db, id, own.NOW)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, hashesOf(keyHash), own.NOW)).toBeNull()
  await setRemoved(null)
})

const within = <T>(work: (trx: Trx) => Promise<T>): Promise<T> => database.db.transaction().execute(work)

async function newKey(kind: Kind) {
  const keyHash = randomBytes(32)
  const key = {
    id: randomUUID(),
    name: "Shop",
    userId: tenant.ownerId,
    username: tenant.owner,
    userRemovedAt: null,
    kind,
    hint: "abcd",
    createdAt: own.NOW,
    expiresAt: EXPIRES,
    lastUsedAt: null,
    revokedAt: null,
    createdBy: null,
    claimableSince: null,
  }
  await within((trx) => apiKeyRows(trx, tenant.businessId).insertKey(key, hashesOf(keyHash)))
  return { id: key.id, keyHash }
}
