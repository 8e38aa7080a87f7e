import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sealedSize } from "@paraph/seal/stream"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Tenant } from "../testing/own-database.ts"
import { createOwnStore, kept, type OwnStore } from "../testing/own-store.ts"
import { createSealedFiles, newName } from "../testing/sealed-files.ts"
import { audit, type Finding } from "./audit.ts"
import { type Bucket, type Listed, PREFIX } from "./bucket.ts"
import { createFolderBucket } from "./folder-bucket.ts"

const files = createSealedFiles()
const root = join(files.folder, "bucket")
let bucket: Bucket
let store: OwnStore
let tenant: Tenant

beforeAll(async () => {
  bucket = createFolderBucket(root)
  store = await createOwnStore({ bucket })
  tenant = await store.tenant()
})
afterAll(async () => {
  await store?.close()
  files.close()
})

const upload = () => store.upload(tenant, randomBytes(100))
const byName = (a: Finding, b: Finding) => (a.name < b.name ? -1 : 1)

async function findings(of: Bucket): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const finding of audit(store.database.db, of)) all.push(finding)
  return all
}

it("names what is lost, what nobody names, and what is not as long as it must be; and nothing else", async () => {
  const documents = await Promise.all(Array.from({ length: 8 }, upload))
  // In the bucket and owned by nobody; named and not in the bucket: both are as it should be.
  const waiting = await kept(store.blobs, tenant, randomBytes(10))
  await store.database.db.insertInto("loose_blob").values({ name: newName(), due_at: new Date() }).execute()
  expect(await store.findings()).toEqual([])

  const [lost, cut, longer] = documents.map(({ blob }) => blob.name) as [string, string, string]
  await bucket.remove(lost)
  for (const [name, size] of [
    [cut, sealedSize(100) - 1],
    [longer, sealedSize(100) + 1],
  ] as const) {
    await bucket.remove(name)
    await bucket.put(name, files.of(randomBytes(size)))
  }
  const stray = newName()
  await bucket.put(stray, files.of(randomBytes(5)))
  const expected: Finding[] = [
    { type: "lost", name: lost },
    { type: "wrong-size", name: cut },
    { type: "wrong-size", name: longer },
    { type: "unnamed", name: stray },
  ]
  expect(await store.findings()).toEqual(expected.sort(byName))

  for (const document of documents) await store.remove(document)
  await store.blobs.abandon(waiting.blob)
  await bucket.remove(stray)
  await store.sweep()
  expect(await store.findings()).toEqual([])
})

it("lays any number side by side: the first, the last, and those at the edges of each batch are found", async () => {
  const names = Array.from({ length: 2_600 }, newName).sort()
  await sql`insert into loose_blob (name, due_at) select unnest(${names}::text[]), ${new Date()}`.execute(
    store.database.db,
  )
  const { db } = store.database
  const document = await upload()
  // Copies of one row, each with an object of the right size; every hundredth name stays loose.
  const owned = names.filter((_, index) => index % 100 !== 50)
  await sql`delete from loose_blob where name = any(${owned}::text[])`.execute(db)
  await sql`insert into document select copy.* from document d, unnest(${owned}::text[]) as n,
      jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'blob_name', n)) as copy where d.id = ${document.id}`.execute(
    db,
  )
  const bytes = Buffer.alloc(sealedSize(100))
  for (const name of owned) writeObject(name, bytes)
  expect(await store.findings()).toEqual([])

  const at = [0, 999, 1_000, 1_001, 1_999, 2_000, 2_599].map((index) => names[index] ?? "")
  for (const name of at) await bucket.remove(name)
  const strays = [`${PREFIX}00000000-0000`, `${PREFIX}ffffffff-ffff-ffff`]
  for (const name of strays) writeObject(name, bytes)
  const expected = [
    ...at.map((name) => ({ type: "lost", name }) as const),
    ...strays.map((name) => ({ type: "unnamed", name }) as const),
  ]
  expect(await store.findings()).toEqual(expected.sort(byName))

  await sql`delete from document where business_id = ${tenant.businessId}`.execute(db)
  await sql`delete from loose_blob`.execute(db)
  for await (const { name } of bucket.list()) await bucket.remove(name)
})

/** The rows are read first, as many as go into a batch; then the list is asked for, and gives what it is told here. */
const listing = (list: () => AsyncGenerator<Listed>): Bucket => ({ ...bucket, list })

async function listed(): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const object of bucket.list()) all.push(object)
  return all
}

it("an object that is swept after it was listed is not told of, nor its document", async () => {
  const before = await Promise.all([upload(), upload()])
  const swept = listing(async function* () {
    const documents = [...before, await upload(), await upload()]
    const objects = await listed()
    for (const document of documents) await store.remove(document)
    await store.sweep()
    yield* objects
  })
  expect(await findings(swept)).toEqual([])
})

it("a document that is removed while the list goes by its place is not lost", async () => {
  const before = await Promise.all([upload(), upload()])
  const removed = listing(async function* () {
    for (const document of before) await store.remove(document)
    await store.sweep()
    yield* await listed()
  })
  expect(await findings(removed)).toEqual([])
})

it("a document that was taken in after the rows were read is not told of", async () => {
  const newer = listing(async function* () {
    for (let n = 0; n < 3; n += 1) await upload()
    yield* await listed()
  })
  expect(await findings(newer)).toEqual([])
})

it("a document that was taken in after the list had passed its place is not lost", async () => {
  const older = await listed()
  for (let n = 0; n < 3; n += 1) await upload()
  const stale = listing(async function* () {
    yield* older
  })
  expect(await findings(stale)).toEqual([])
})

it("finds nothing while documents come, go and are swept all the time", async () => {
  let over = false
  const work = async () => {
    let done = 0
    for (; !over; done += 1) {
      const document = await upload()
      if (done % 3 > 0) await store.remove(document)
      if (done % 5 === 0) await store.sweep()
    }
    return done
  }
  const workers = [1, 2, 3, 4].map(work)
  try {
    for (let n = 0; n < 25; n += 1) expect(await store.findings()).toEqual([])
  } finally {
    over = true
  }
  for (const done of await Promise.all(workers)) expect(done).toBeGreaterThan(5)
})

it("a name that goes from one table to the other while it is looked for is never in neither", async () => {
  for (let n = 0; n < 40; n += 1) {
    let owning: Promise<void> = Promise.resolve()
    const racing = listing(async function* () {
      const document = await kept(store.blobs, tenant, randomBytes(10))
      const objects = await listed()
      // Each look at the rows from here on is a race with the transaction that owns it.
      owning = store.transact(tenant.businessId, (tx) => tx.insertDocument(document))
      yield* objects
    })
    expect(await findings(racing)).toEqual([])
    await owning
  }
})

function writeObject(name: string, bytes: Buffer): void {
  const own = name.slice(PREFIX.length)
  const path = join(root, "documents", own.slice(0, 2), own)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}
