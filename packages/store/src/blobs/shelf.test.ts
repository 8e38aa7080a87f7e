import { randomBytes } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import type { Document } from "@paraph/core/document/model"
import { sealedSize } from "@paraph/seal/stream"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { collect, createSealedFiles, newName, type SealedFiles } from "../testing/sealed-files.ts"
import { type Bucket, ObjectMissing, RangeOutside } from "./bucket.ts"
import { createFolderBucket } from "./folder-bucket.ts"
import { createShelf } from "./shelf.ts"
import { openSpool, type Spool } from "./spool.ts"

const BYTES = 1_000
const ROOM = 3

let files: SealedFiles
let bucket: Bucket
/** The names that the bucket was asked for. */
const asked: string[] = []
let store: OwnStore
let tenant: Tenant
let spool: Spool

beforeAll(async () => {
  files = createSealedFiles()
  const folder = createFolderBucket(`${files.folder}/bucket`)
  bucket = {
    ...folder,
    get: (name, range) => {
      asked.push(name)
      return folder.get(name, range)
    },
  }
  store = await createOwnStore({ bucket, shelfBytes: ROOM * sealedSize(BYTES) })
  tenant = await store.tenant()
  spool = await openSpool(`${files.folder}/spool`)
})

afterAll(async () => {
  await store?.close()
  await spool?.close()
  files?.close()
})

const uploads = (count: number): Promise<Document[]> =>
  Promise.all(Array.from({ length: count }, () => store.upload(tenant, randomBytes(BYTES))))

const timesAsked = (document: Document) => asked.filter((name) => name === document.blob.name).length

it("those who hold one document share one download and one file, which stays until the last lets go", async () => {
  const [document, ...others] = await uploads(1 + ROOM + 1)
  if (document === undefined) throw new Error("A document is missing.")
  const holders = await Promise.all(Array.from({ length: 5 }, () => store.blobs.holdDocument(document)))
  expect(timesAsked(document)).toBe(1)
  expect(new Set(holders.map(({ file }) => file.path)).size).toBe(1)
  const [first, ...rest] = holders
  if (first === undefined) throw new Error("A holder is missing.")
  // Twice by one is once.
  await first.release()
  await first.release()
  for (const holder of rest.slice(1)) await holder.release()
  for (const other of others) await (await store.blobs.holdDocument(other)).release()
  const [last] = rest
  if (last === undefined) throw new Error("A holder is missing.")
  expect((await collect(store.blobs.readHeld(last))).length).toBe(BYTES)
  await last.release()
})

it("what nobody holds stays while there is room, and what was used longest ago leaves first", async () => {
  const documents = await uploads(ROOM + 1)
  const path = async (document: Document) => {
    const held = await store.blobs.holdDocument(document)
    await held.release()
    return held.file.path
  }
  const [a, b, c, d] = documents as [Document, Document, Document, Document]
  const [first, second, third] = [await path(a), await path(b), await path(c)]
  expect(await path(a)).toBe(first)
  const fourth = await path(d)
  expect([first, second, third, fourth].map(existsSync)).toEqual([true, false, true, true])
  expect(readdirSync(store.spool.folder)).toHaveLength(ROOM)
  expect(await path(b)).not.toBe(second)
  expect([a, b, c, d].map(timesAsked)).toEqual([1, 2, 1, 1])
})

it("a download that failed is not kept", async () => {
  const [document] = await uploads(1)
  if (document === undefined) throw new Error("A document is missing.")
  const lost = { ...document, blob: { ...document.blob } }
  const { path, ...rest } = await copyOf(document)
  await bucket.remove(document.blob.name)
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.blobs.holdDocument(lost)))
  expect(outcomes.map((o) => o.status === "rejected" && o.reason instanceof ObjectMissing)).toEqual([
    true,
    true,
    true,
  ])
  await bucket.put(document.blob.name, { path, ...rest })
  const held = await store.blobs.holdDocument(document)
  expect((await collect(store.blobs.readHeld(held))).length).toBe(BYTES)
  await held.release()
})

it("an object that is cut is an error, and leaves nothing behind", async () => {
  const [document] = await uploads(1)
  if (document === undefined) throw new Error("A document is missing.")
  const bytes = await collect(bucket.get(document.blob.name))
  const before = readdirSync(store.spool.folder).length
  for (const size of [0, 33, bytes.length - 1]) {
    await bucket.remove(document.blob.name)
    await bucket.put(document.blob.name, files.of(bytes.subarray(0, size)))
    await expect(store.blobs.holdDocument(document)).rejects.toThrow(RangeOutside)
  }
  expect(readdirSync(store.spool.folder)).toHaveLength(before)
})

it("what is taken while others are removed to make room is not removed with them", async () => {
  const [a, b, large] = [newName(), newName(), newName()]
  for (const name of [a, b]) await bucket.put(name, files.of(randomBytes(BYTES)))
  await bucket.put(large, files.of(randomBytes(2 * BYTES)))
  let taken: { path: string; release: () => Promise<void> } | null = null
  const watching: Spool = {
    ...spool,
    remove: async (path) => {
      taken ??= await shelf.take(b, BYTES)
      await spool.remove(path)
    },
  }
  const shelf = createShelf(watching, bucket, 2 * BYTES)
  for (const [name, sizeBytes] of [
    [a, BYTES],
    [b, BYTES],
    [large, 2 * BYTES],
  ] as const)
    await (await shelf.take(name, sizeBytes)).release()
  expect(existsSync((taken as { path: string } | null)?.path ?? "")).toBe(true)
  for (const name of readdirSync(spool.folder)) await spool.remove(`${spool.folder}/${name}`)
})

it("whatever is taken and let go, in whatever order, no file goes while it is held, and no more stay than may", async () => {
  const names = Array.from({ length: 5 }, newName)
  for (const name of names) await bucket.put(name, files.of(randomBytes(BYTES)))
  const acts = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 3,
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(acts, fc.integer({ min: 0, max: 3 }), async (users, room) => {
      const shelf = createShelf(spool, bucket, room * BYTES)
      // All at once: each takes, does something for a few turns, looks whether its file is there, and lets go.
      await Promise.all(
        users.map(async ([which, turns]) => {
          for (let again = 0; again < 3; again += 1) {
            const { path, release } = await shelf.take(names[which] ?? "", BYTES)
            for (let n = 0; n < turns; n += 1) await new Promise(setImmediate)
            expect(existsSync(path)).toBe(true)
            await release()
          }
        }),
      )
      const left = readdirSync(spool.folder)
      expect(left.length).toBeLessThanOrEqual(room)
      await Promise.all(left.map((name) => spool.remove(`${spool.folder}/${name}`)))
    }),
    { numRuns: 60 },
  )
})

/** As the spool had it when it was put. */
const copyOf = async ({ blob }: Document) => files.of(await collect(bucket.get(blob.name)))
