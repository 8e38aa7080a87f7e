import { randomBytes, randomUUID } from "node:crypto"
import type { Kind } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { createFindKey, findCaller, insertKey, revokeKey } from "./businesses.ts"

let database: own.OwnDatabase
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
})

afterAll(() => database?.close())

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
  expect(await createFindKey(database.db)(tenant.owner, keyHash, own.NOW)).toEqual(caller)
  expect(await findCaller(database.db, id, own.NOW)).toEqual(caller)
})

it("a key opens nothing under another name, and no other key under this one", async () => {
  const { keyHash } = await newKey("demo")
  const find = createFindKey(database.db)
  const stranger = await own.insertTenant(database)
  expect(await find(stranger.owner, keyHash, own.NOW)).toBeNull()
  expect(await find(tenant.owner.toUpperCase(), keyHash, own.NOW)).toBeNull()
  expect(await find(tenant.owner, randomBytes(32), own.NOW)).toBeNull()
})

it("a key is dead from the moment it expires", async () => {
  const { id, keyHash } = await newKey("demo")
  const justBefore = new Date(EXPIRES.getTime() - 1)
  expect(await findCaller(database.db, id, justBefore)).not.toBeNull()
  expect(await findCaller(database.db, id, EXPIRES)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, keyHash, EXPIRES)).toBeNull()
})

it("a key is dead once it is revoked, which happens once", async () => {
  const { id, keyHash } = await newKey("demo")
  const none = { stoppedWebhooks: [] }
  expect(await revokeKey(database.db, id, own.NOW)).toEqual({ revoked: true, ...none })
  expect(await revokeKey(database.db, id, own.NOW)).toEqual({ revoked: false, ...none })
  expect(await findCaller(database.db, id, own.NOW)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, keyHash, own.NOW)).toBeNull()
})

it("every key of a user is dead once the user is removed", async () => {
  const { id, keyHash } = await newKey("demo")
  const setRemoved = (at: Date | null) =>
    database.db.updateTable("api_user").set({ removed_at: at }).where("id", "=", tenant.ownerId).execute()
  await setRemoved(own.NOW)
  expect(await findCaller(database.db, id, own.NOW)).toBeNull()
  expect(await createFindKey(database.db)(tenant.owner, keyHash, own.NOW)).toBeNull()
  await setRemoved(null)
})

async function newKey(kind: Kind) {
  const key = { id: randomUUID(), userId: tenant.ownerId, kind, keyHash: randomBytes(32), hint: "abcd" }
  await insertKey(database.db, { ...key, now: own.NOW, expiresAt: EXPIRES })
  return key
}
