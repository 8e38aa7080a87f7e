import { afterAll, beforeAll, expect, it } from "vitest"
import { createBusinessKeys } from "../keys/business-keys.ts"
import { rotateBusinessKey } from "../keys/rotate.ts"
import { createSecretsSealer } from "../keys/webhook-secrets.ts"
import { NOW } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { createChangeSingleSignOn, findSingleSignOn } from "./single-sign-on.ts"
import { insertAttempt, singleSignOnIn, takeAttempt } from "./single-sign-on-logins.ts"

let store: OwnStore
beforeAll(async () => {
  store = await createOwnStore()
})
afterAll(() => store?.close())

const settings = {
  issuer: "https://login.example.org/",
  clientId: "paraph",
  clientSecret: "of the client",
  enforced: false,
  joins: true,
  updatedAt: NOW,
}

/** A business with single sign-on. */
async function made() {
  const { businessId } = await store.tenant()
  const { db } = store.database
  const sealer = createSecretsSealer(createBusinessKeys(db, store.ring, () => NOW))
  const change = createChangeSingleSignOn(db, sealer, async () => undefined)
  await change(businessId, (tx) => tx.save({ ...settings, businessId }))
  return { db, businessId, sealer, change }
}

it("comes along with a new key of its business, sealed for that business alone", async () => {
  const { db, businessId, sealer } = await made()
  await rotateBusinessKey(db, store.ring, businessId, NOW)
  expect(await findSingleSignOn(db, sealer, businessId)).toEqual({ ...settings, businessId })
  const row = await db
    .selectFrom("single_sign_on")
    .selectAll()
    .where("business_id", "=", businessId)
    .executeTakeFirstOrThrow()
  expect(row.key_version).toBe(2)
  expect(row.secret.includes(settings.clientSecret)).toBe(false)
  const other = await made()
  await db
    .updateTable("single_sign_on")
    .set({ secret: row.secret })
    .where("business_id", "=", other.businessId)
    .execute()
  await expect(findSingleSignOn(db, sealer, other.businessId)).rejects.toThrow()
})

it("an attempt is taken once, of those who race for it, and not when it is too old", async () => {
  const { db, businessId } = await made()
  const attempt = { stateHash: Buffer.alloc(32, 1), browserHash: Buffer.alloc(32, 2), businessId }
  await insertAttempt(db, attempt, "/console/", NOW)
  const late = new Date(NOW.getTime() + 600_000)
  expect(await takeAttempt(db, attempt, late)).toBeNull()
  expect(await takeAttempt(db, { ...attempt, browserHash: Buffer.alloc(32, 3) }, NOW)).toBeNull()
  const taken = await Promise.all([1, 2, 3, 4, 5].map(() => takeAttempt(db, attempt, NOW)))
  expect(taken.filter((next) => next !== null)).toEqual(["/console/"])
})

it("nobody logs in by what is being taken away meanwhile", async () => {
  const { db, businessId, change } = await made()
  let held: Promise<Date | null> = Promise.resolve(null)
  await change(businessId, async (tx) => {
    await tx.lock()
    held = db.transaction().execute((trx) => singleSignOnIn(trx).holdSingleSignOn(businessId))
    await tx.remove()
  })
  expect(await held).toBeNull()
})
