import { randomBytes } from "node:crypto"
import type { Document } from "@paraph/core/document/model"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createBusinessKeys } from "../keys/business-keys.ts"
import * as loose from "../postgres/loose-blobs.ts"
import { sampleDocument, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore, once } from "../testing/own-store.ts"
import { collect } from "../testing/sealed-files.ts"
import { createBlobs, OWNED_WITHIN_MS } from "./blobs.ts"

// Any number of uploads and sweeps, step by step, in any order, each of which may stop for ever at any step (its process
// died). Whatever happens, the audit finds nothing at any moment, no document that was acknowledged is lost, and what is
// left over is swept in the end.

const UPLOADS = 2
const SWEEPS = 2
const BYTES = randomBytes(1_000)

let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  store = await createOwnStore()
  tenant = await store.tenant()
})
afterAll(() => store?.close())

type Upload = {
  readonly proceed: () => void
  readonly outcome: Promise<Document | null>
  document: Document | null
  owned: boolean
}

/** Begins to keep a document, and stops when its name is written and nothing is stored. */
async function beginUpload(): Promise<Upload> {
  const { database, spool, ring, clock, bucket } = store
  const stored = Promise.withResolvers<void>()
  const named = Promise.withResolvers<void>()
  const blobs = createBlobs({
    bucket: { ...bucket, put: (name, file) => stored.promise.then(() => bucket.put(name, file)) },
    spool,
    keys: createBusinessKeys(database.db, ring, () => clock.now),
    insertLoose: async (name, dueAt) => {
      await loose.insertLoose(database.db, name, dueAt)
      named.resolve()
    },
    makeDue: (name, at) => loose.makeDue(database.db, name, at),
    now: () => clock.now,
    shelfBytes: 0,
  })
  const held = await blobs.holdBytes({ businessId: tenant.businessId, kind: "production" }, once(BYTES))
  const { sizeBytes, sha256 } = held
  const outcome = blobs.keepHeld(held).then(
    (blob) => sampleDocument(tenant, { blob, sizeBytes, sha256 }),
    () => null,
  )
  await named.promise
  return { proceed: stored.resolve, outcome, document: null, owned: false }
}

type World = {
  readonly uploads: (Upload | undefined)[]
  readonly sweeps: (readonly string[] | undefined)[]
  readonly acknowledged: Set<Document>
}

/** Over all runs, also those that were removed again: how often the way to the end was gone. */
let everAcknowledged = 0

type Act = (world: World, which: number) => Promise<void>

const acts: Readonly<Record<string, Act>> = {
  begin: async ({ uploads }, which) => {
    uploads[which] = await beginUpload()
  },
  store: async ({ uploads }, which) => {
    const upload = uploads[which]
    if (upload === undefined) return
    upload.proceed()
    upload.document = await upload.outcome
  },
  own: async ({ uploads, acknowledged }, which) => {
    const upload = uploads[which]
    if (!upload?.document || upload.owned) return
    const { document } = upload
    const owning = store.transact(tenant.businessId, (tx) => tx.insertDocument(document))
    upload.owned = await owning.then(
      () => true,
      () => false,
    )
    if (!upload.owned) return
    acknowledged.add(document)
    everAcknowledged += 1
  },
  abandon: async ({ uploads }, which) => {
    const blob = uploads[which]?.document?.blob
    if (blob !== undefined) await store.blobs.abandon(blob)
  },
  remove: async ({ acknowledged }) => {
    const [document] = acknowledged
    if (document === undefined) return
    acknowledged.delete(document)
    await store.remove(document)
  },
  claim: async ({ sweeps }, which) => {
    const againAt = new Date(store.clock.now.getTime() + 300_000)
    sweeps[which % SWEEPS] = await loose.claimDue(store.database.db, store.clock.now, { limit: 2, againAt })
  },
  delete: async ({ sweeps }, which) => {
    for (const name of sweeps[which % SWEEPS] ?? []) await store.bucket.remove(name)
  },
  sweep: async () => void (await store.sweep(1)),
  wait: async () => {
    store.clock.now = new Date(store.clock.now.getTime() + (OWNED_WITHIN_MS * 2) / 3)
  },
}

/** Deleting comes before forgetting, in every sweep. */
const forget: Act = async (world, which) => {
  await acts.delete?.(world, which)
  await loose.forgetLoose(store.database.db, world.sweeps[which % SWEEPS] ?? [])
  world.sweeps[which % SWEEPS] = undefined
}

const all = { ...acts, forget }
/** Uploads are three steps that must follow each other; without some weight most of them come to nothing. */
const WEIGHTS: Readonly<Record<string, number>> = { begin: 3, store: 5, own: 5 }
const act = fc.oneof(
  ...Object.keys(all).map((name) => ({ arbitrary: fc.constant(name), weight: WEIGHTS[name] ?? 1 })),
)
const step = fc.tuple(act, fc.nat({ max: UPLOADS - 1 }))

it("row and object never disagree, in whatever order uploads and sweeps go on, and wherever they die", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
      const world: World = { uploads: [], sweeps: [], acknowledged: new Set() }
      for (const [name, which] of steps) {
        await all[name as keyof typeof all]?.(world, which)
        expect(await store.findings()).toEqual([])
      }
      await expectSwept(world)
    }),
    { numRuns: 60 },
  )
  expect(everAcknowledged).toBeGreaterThan(20)
})

async function expectSwept({ uploads, acknowledged }: World): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    store.clock.now = new Date(store.clock.now.getTime() + 2 * OWNED_WITHIN_MS)
    await store.sweep()
  }
  const names: string[] = []
  for await (const { name } of store.bucket.list()) names.push(name)
  expect(names).toEqual([...acknowledged].map(({ blob }) => blob.name).sort())
  expect(await store.findings()).toEqual([])
  for (const document of acknowledged) {
    expect((await collect(store.blobs.readContent(document))).equals(BYTES)).toBe(true)
    await store.remove(document)
  }
  await store.sweep()
  // Those that hang between their name and their object end; too late, which is theirs to notice.
  for (const upload of uploads) {
    upload?.proceed()
    await upload?.outcome
  }
  await store.sweep()
  expect(await store.findings()).toEqual([])
}
