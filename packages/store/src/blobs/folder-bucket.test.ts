import { randomBytes } from "node:crypto"
import { globSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { collect, createSealedFiles, newName } from "../testing/sealed-files.ts"
import { type Bucket, NameTaken } from "./bucket.ts"
import { createFolderBucket } from "./folder-bucket.ts"

const files = createSealedFiles()
const root = join(files.folder, "bucket")
const bucket = createFolderBucket(root)
const incoming = join(root, "incoming")
afterAll(() => files.close())

it("lets exactly one of twenty win who put under one name at once", async () => {
  for (const size of [10, 1_000_000]) {
    const name = newName()
    const contents = Array.from({ length: 20 }, () => randomBytes(size))
    const results = await Promise.allSettled(contents.map((bytes) => bucket.put(name, files.of(bytes))))
    const winners = contents.filter((_, index) => results[index]?.status === "fulfilled")
    expect(winners).toHaveLength(1)
    expect((await collect(bucket.get(name))).equals(winners[0] ?? Buffer.of())).toBe(true)
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(NameTaken)
  }
  expect(readdirSync(incoming)).toEqual([])
})

it("leaves nothing behind of a put that was refused", async () => {
  const file = files.of(randomBytes(100_000))
  await expect(bucket.put(newName(), { ...file, crc32: 0 })).rejects.toThrow("checksum")
  expect(readdirSync(incoming)).toEqual([])
})

it("does not list what a crash left behind, and removes it when it is old", async () => {
  const [old, young] = [join(incoming, "old"), join(incoming, "young")]
  for (const path of [old, young]) writeFileSync(path, "half a docu")
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  utimesSync(old, twoHoursAgo, twoHoursAgo)
  expect((await namesIn(bucket)).filter((name) => /old|young/.test(name))).toEqual([])
  createFolderBucket(root)
  // The young one may be of another process, which is still writing it.
  expect(readdirSync(incoming)).toEqual(["young"])
})

it("does not mind the files of a desktop", async () => {
  const name = newName()
  await bucket.put(name, files.of(randomBytes(10)))
  const shard = join(root, "documents", name.slice("documents/".length, "documents/".length + 2))
  for (const folder of [root, join(root, "documents"), shard]) writeFileSync(join(folder, ".DS_Store"), "x")
  expect(await namesIn(bucket)).toContain(name)
  expect((await namesIn(bucket)).join()).not.toContain("DS_Store")
})

it("keeps its folders and files from everyone else on the machine", async () => {
  await bucket.put(newName(), files.of(randomBytes(10)))
  const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777
  const objects = globSync("documents/*/*-*", { cwd: root })
  expect(objects.length).toBeGreaterThan(0)
  for (const path of objects) expect(modeOf(path)).toBe(0o600)
  for (const path of ["", "incoming", "documents", ...globSync("documents/??", { cwd: root })])
    expect(modeOf(path)).toBe(0o700)
})

it("says that a folder which was taken away is not there", async () => {
  const other = createFolderBucket(join(files.folder, "other"))
  await other.health()
  rmSync(join(files.folder, "other"), { recursive: true })
  await expect(other.health()).rejects.toThrow("ENOENT")
  await expect(other.put(newName(), files.of(randomBytes(10)))).rejects.toThrow("ENOENT")
})

async function namesIn({ list }: Bucket): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of list()) names.push(name)
  return names
}
