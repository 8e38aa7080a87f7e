import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { mustFindGroups } from "@paraph/core/group/find"
import type { Group } from "@paraph/core/group/model"
import type { Transact } from "@paraph/core/ports"
import { apply } from "@paraph/core/signature-request/apply"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { listGroups } from "./groups.ts"
import { createTransact } from "./transact.ts"

let database: own.OwnDatabase
let transact: Transact
let tenant: own.Tenant
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  transact = createTransact({ db: database.db, enqueue: async () => undefined, sealer: own.plainDetails })
  tenant = await own.insertTenant(database)
})
afterAll(() => database?.close())

const sampleGroup = (...emails: readonly string[]): Group => ({
  id: randomUUID(),
  businessId: tenant.businessId,
  kind: "demo",
  ownerId: tenant.ownerId,
  owner: tenant.owner,
  name: "Auditors",
  members: emails.map((email) => ({ email, firstName: null, lastName: null, language: null })),
  versionId: randomUUID(),
  createdAt: own.NOW,
  updatedAt: own.NOW,
})

async function insertedGroup(...emails: readonly string[]): Promise<Group> {
  const group = sampleGroup(...emails)
  await transact(tenant.businessId, (tx) => tx.insertGroup(group))
  return group
}

async function insertedRequest(): Promise<SignatureRequest> {
  const document = await own.storedDocument(database, tenant)
  const request = own.sampleRequest(tenant, [document], 0)
  await transact(tenant.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
  })
  return request
}

/** As the use case does it: the request first, then the group. */
const observe = (requestId: string, groupId: string) =>
  transact(tenant.businessId, async (tx) => {
    await tx.lockRequest(requestId)
    const group = (await mustFindGroups(tx, "demo", [groupId])).get(groupId)
    const members = group?.members.map(({ email }) => email) ?? []
    const of = { type: "GROUP" as const, groupId, name: "Auditors", members }
    const observer = { id: randomUUID(), of, invitedAt: own.NOW, invitedBy: tenant.owner }
    return apply(tx, requestId, { type: "add-observer", observer, at: own.NOW })
  })

const change = (id: string, ...emails: readonly string[]) =>
  transact(tenant.businessId, async (tx) => {
    const group = await tx.lockGroup(id)
    if (group === null) throw new Error("The group is not there.")
    await tx.saveGroup({ ...group, members: sampleGroup(...emails).members, versionId: randomUUID() })
  })

async function readersOf(requestId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom("request_reader")
    .select("username")
    .where("request_id", "=", requestId)
    .execute()
  return rows.map(({ username }) => username).filter((name) => name !== tenant.owner)
}

it("groups are found in the order asked for, and not by another business", async () => {
  const groups = [await insertedGroup("a@example.org"), await insertedGroup("b@example.org")]
  const ids = groups.map(({ id }) => id).reverse()
  const find = (businessId: string) => transact(businessId, (tx) => tx.findGroups([...ids, randomUUID()]))
  expect(await find(tenant.businessId)).toEqual([...groups].reverse())
  expect(await find((await own.insertTenant(database)).businessId)).toEqual([])
})

it("who joins a group that observes is in the list of the request, who leaves it is not", async () => {
  const group = await insertedGroup("anna@example.org", "bob@example.org")
  const other = await insertedGroup("bob@example.org")
  const request = await insertedRequest()
  await observe(request.id, group.id)
  await observe(request.id, other.id)
  await change(group.id, "carl@example.org")
  // Bob still observes by the other group.
  expect((await readersOf(request.id)).sort()).toEqual(["bob@example.org", "carl@example.org"])
  await change(other.id, "dora@example.org")
  expect((await readersOf(request.id)).sort()).toEqual(["carl@example.org", "dora@example.org"])
})

it("a group that is needed cannot be taken away, by those who race for it either", async () => {
  for (let round = 0; round < 10; round++) {
    const group = await insertedGroup("anna@example.org")
    const request = await insertedRequest()
    const remove = transact(tenant.businessId, async (tx) => {
      await tx.lockGroup(group.id)
      if (await tx.isGroupNeeded(group.id)) return "needed"
      await tx.removeGroup(group.id)
      return "removed"
    })
    const [added, removed] = await Promise.allSettled([observe(request.id, group.id), remove])
    // The one or the other; and the loser is told in words of ours, not by a foreign key.
    const told = removed.status === "fulfilled" ? removed.value : String(removed.reason)
    expect([added.status, told]).toEqual(
      added.status === "fulfilled" ? ["fulfilled", "needed"] : ["rejected", "removed"],
    )
    if (added.status === "rejected") expect(added.reason).toMatchObject({ code: "constraint-violated" })
  }
})

it("changes of groups and new observers at once never lock each other out, and the list is right afterwards", async () => {
  const groups = [await insertedGroup("a@example.org"), await insertedGroup("b@example.org")]
  const requests = await Promise.all(Array.from({ length: 6 }, insertedRequest))
  const acts = requests.flatMap(({ id }, n) =>
    groups.flatMap((group) => [
      () => observe(id, group.id),
      () => change(group.id, `${n}@example.org`, `x-${group.id}@example.org`),
    ]),
  )
  await Promise.all(acts.map((act) => act()))
  for (const { id } of groups) await change(id, `last-${id}@example.org`)
  const expected = groups.map(({ id }) => `last-${id}@example.org`).sort()
  for (const { id } of requests) expect((await readersOf(id)).sort()).toEqual(expected)
})

it("a list is of one business and one kind, in both directions", async () => {
  const lister = await own.insertTenant(database)
  const caller: Caller = {
    ...lister,
    userId: lister.ownerId,
    username: lister.owner,
    keyId: "",
    kind: "demo",
  }
  const made = Array.from({ length: 5 }, (_, n) => ({
    ...sampleGroup(`m${n}@example.org`),
    businessId: lister.businessId,
    createdAt: new Date(own.NOW.getTime() + n),
  }))
  await transact(lister.businessId, async (tx) => {
    for (const group of made) await tx.insertGroup(group)
    await tx.insertGroup({
      ...sampleGroup("p@example.org"),
      businessId: lister.businessId,
      kind: "production",
    })
  })
  const list = (from: Parameters<typeof listGroups>[2]["from"]) =>
    database.db.transaction().execute((trx) => listGroups(trx, caller, { pageSize: 2, search: null, from }))
  const newest = [...made].reverse()
  const first = await list({ type: "page", number: 1 })
  expect(first).toEqual({ groups: newest.slice(0, 2), hasNext: true, hasPrevious: false })
  const second = await list({ type: "after", cursor: newest[1] ?? first.groups[0] ?? sampleGroup() })
  expect(second).toEqual({ groups: newest.slice(2, 4), hasNext: true, hasPrevious: true })
  const back = await list({ type: "before", cursor: newest[2] ?? sampleGroup() })
  expect(back).toEqual({ groups: newest.slice(0, 2), hasNext: true, hasPrevious: false })
})
