import { randomBytes } from "node:crypto"
import type { CountedWay } from "@paraph/core/login/ports"
import { NO_ARRIVAL } from "@paraph/core/signature-request/exits"
import { afterAll, beforeAll, expect, it } from "vitest"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { removeOldCounts } from "./signer-codes.ts"
import { findSession } from "./signers.ts"

let store: OwnStore
let tenant: Tenant
let signatureId: string
beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
  const request = sampleRequest(tenant, [await store.upload(tenant, randomBytes(10))], 1)
  signatureId = request.signatures[0]?.id ?? ""
  await store.transact(tenant.businessId, (tx) => tx.insertRequest(request))
})
afterAll(() => store?.close())

const later = (ms: number) => new Date(NOW.getTime() + ms)

async function opened(way: "link" | "preview"): Promise<Buffer> {
  const idHash = randomBytes(32)
  const session = { idHash, way, arrival: NO_ARRIVAL }
  await store.transact(tenant.businessId, (tx) => tx.insertSession(signatureId, session, NOW))
  return idHash
}

it("sessions are counted by the address they came by, so that strangers at a preview lock nobody's account out", async () => {
  const hashes = [await opened("link"), await opened("preview"), await opened("preview")]
  await store.transact(tenant.businessId, (tx) => tx.proveSession(hashes[2] ?? Buffer.alloc(0)))
  const count = (by: CountedWay) =>
    store.transact(tenant.businessId, (tx) => tx.countSessions(signatureId, by, later(-1)))
  expect([await count("link"), await count("preview"), await count("account")]).toEqual([1, 2, 0])
})

it("a session that is looked at is written only where somebody was seen, and not at each request of a page", async () => {
  const { db } = store.database
  const idHash = await opened("link")
  const row = () =>
    db.selectFrom("signer_session").select("seen_at").where("id_hash", "=", idHash).executeTakeFirstOrThrow()
  const limits = { idleMs: 60_000, wholeMs: 300_000 }
  const find = (ms: number, seen?: boolean) => findSession(db, idHash, later(ms), limits, seen)
  for (const [ms, seen, seenMs] of [
    [4_000, true, 0],
    [30_000, false, 0],
    [30_000, true, 30_000],
    [89_000, false, 30_000],
  ] as const) {
    expect(await find(ms, seen)).toMatchObject({ signatureId, way: "link" })
    expect((await row()).seen_at).toEqual(later(seenMs))
  }
  expect(await find(90_000)).toBeNull()
})

it("what is done on a day is counted one after the other, taken back with its transaction, and forgotten", async () => {
  const add = (more: 1 | -1 = 1, at = NOW, key = "ada@example.org") =>
    store.transact(tenant.businessId, (tx) => tx.addToday("code wrong", key, at, more))
  const counts = await Promise.all(Array.from({ length: 8 }, () => add()))
  expect(counts.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const undone = store.transact(tenant.businessId, async (tx) => {
    await tx.addToday("code wrong", "ada@example.org", NOW, 1)
    throw new Error("refused")
  })
  await expect(undone).rejects.toThrow("refused")
  expect([await add(-1), await add(-1, NOW, "bob@example.org")]).toEqual([7, 0])
  const other = store.transact(tenant.businessId, (tx) => tx.addToday("code sent", "ada@example.org", NOW, 1))
  expect([await other, await add(1, later(86_400_000))]).toEqual([1, 1])
  const { db } = store.database
  expect(await removeOldCounts(db, later(86_400_000), 2)).toBe(2)
  expect(await removeOldCounts(db, later(86_400_000), 10)).toBe(1)
  expect(await add(1, later(86_400_000))).toBe(2)
})

it("a code that releases a signature and one that proves the mailbox lie beside each other", async () => {
  const of = { signatureId, sessionHash: randomBytes(32), codeHash: randomBytes(32), attemptsLeft: 5 }
  const mailbox = {
    ...of,
    purpose: "mailbox",
    binding: "",
    number: 1,
    askedAt: NOW,
    asked: [NOW],
    wrong: 0,
  } as const
  const release = { ...mailbox, purpose: "release", binding: "sha256 of hashes", number: 7 } as const
  const found = (purpose: "mailbox" | "release") =>
    store.read(tenant.businessId, (reading) => reading.findCode(purpose, signatureId))
  await store.transact(tenant.businessId, async (tx) => {
    for (const code of [mailbox, release]) await tx.saveCode(code)
  })
  expect(await found("mailbox")).toEqual(mailbox)
  expect(await found("release")).toEqual(release)
  const next = { ...release, binding: "another", number: 8, codeHash: null, attemptsLeft: 0, wrong: 2 }
  await store.transact(tenant.businessId, async (tx) => {
    expect(await tx.lockCode("release", signatureId)).toEqual(release)
    await tx.saveCode(next)
  })
  expect(await found("release")).toEqual(next)
  expect(await found("mailbox")).toEqual(mailbox)
})
