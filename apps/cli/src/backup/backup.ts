import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { finished } from "node:stream/promises"
import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { type Bucket, ObjectMissing } from "@paraph/store/blobs/bucket"
import { addressOfPrimary } from "@paraph/store/postgres/primary"
import { withServiceScope } from "@paraph/store/postgres/service-scope"
import { COMMANDS } from "../commands.ts"
import { NotUnderstood } from "../not-understood.ts"
import { print } from "../printed.ts"
import { progress } from "../progress.ts"
import { typed } from "../synopsis.ts"
import { FILES, FORMAT, lineOf, type Manifest, NOT_INCLUDED, placeOf, type Summed, summed } from "./copy.ts"
import { pgProgram } from "./pg-programs.ts"
import { holdSnapshot, type Snapshot } from "./snapshot.ts"

/** `paraph backup`: may run while the service does. 1 where the bucket lacks what rows name. */
export async function backup(configured: () => Config, words: readonly string[]): Promise<number> {
  const { values, positionals } = typed(COMMANDS.backup.usage, words)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new NotUnderstood("paraph backup: into which folder?")
  const config = configured()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new NotUnderstood(`${folder} is not empty.`)
  const bucket = openBucket(config)
  try {
    const url = withServiceScope(await addressOfPrimary(config.DATABASE_OWNER_URL || config.DATABASE_URL))
    const manifest = await copied(bucket, url, folder)
    // Written last: without it, a folder is no backup.
    const draft = join(folder, `${FILES.manifest}.partial`)
    await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(draft, join(folder, FILES.manifest))
    print({ value: { folder, ...manifest }, words: told(folder, manifest) }, values.json === true)
    return manifest.missing.length === 0 ? 0 : 1
  } finally {
    bucket.close()
  }
}

/**
 * Objects first, then one moment of the database, then the objects that came meanwhile: so what is deleted while we copy is in the
 * folder already when the database still names it.
 */
async function copied(bucket: Bucket, url: string, folder: string): Promise<Manifest> {
  const have = new Map<string, Summed>()
  const shown = progress("Copying objects", null)
  for await (const { name } of bucket.list()) {
    const sum = await copyObject(bucket, name, folder)
    if (sum !== null) have.set(name, sum)
    shown.show(have.size)
  }
  shown.end()
  const snapshot = await holdSnapshot(url)
  try {
    const at = new Date().toISOString()
    const dump = join(folder, FILES.database)
    // Row-level security holds every role here. The service scope in the address lets pg_dump read all rows (ADR 0091).
    const words = ["--format=custom", "--enable-row-security", `--snapshot=${snapshot.id}`]
    await pgProgram("pg_dump", url, [...words, "--file", dump])
    const { missing, ...objects } = await listObjects(bucket, snapshot, folder, have)
    const lists = await summed(join(folder, FILES.objects))
    return {
      ...{ format: FORMAT, at, database: await summed(dump), objects: { ...lists, ...objects }, missing },
      "not-included": NOT_INCLUDED,
    }
  } finally {
    await snapshot.end()
  }
}

/** The list of what the database names; what it does not name goes. */
async function listObjects(bucket: Bucket, snapshot: Snapshot, folder: string, have: Map<string, Summed>) {
  const list = createWriteStream(join(folder, FILES.objects), { flags: "wx", mode: 0o600 })
  const missing: string[] = []
  let [count, objectBytes] = [0, 0]
  for await (const name of snapshot.names()) {
    const sum = have.get(name) ?? (await copyObject(bucket, name, folder))
    have.delete(name)
    if (sum === null) {
      missing.push(name)
      continue
    }
    count += 1
    objectBytes += sum.bytes
    list.write(lineOf(name, sum.sha256))
  }
  list.end()
  await finished(list)
  for (const name of have.keys()) await rm(join(folder, placeOf(name)))
  return { count, objectBytes, missing }
}

/** Null where it is gone. */
async function copyObject(bucket: Bucket, name: string, folder: string): Promise<Summed | null> {
  const to = join(folder, placeOf(name))
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const file = await open(to, "wx", 0o600)
  const hash = createHash("sha256")
  let bytes = 0
  try {
    for await (const piece of bucket.get(name)) {
      hash.update(piece)
      bytes += piece.length
      await file.writeFile(piece)
    }
    await file.sync()
    return { bytes, sha256: hash.digest("hex") }
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    await rm(to)
    return null
  } finally {
    await file.close()
  }
}

const told = (folder: string, { objects, missing, database }: Manifest): string =>
  [
    `${folder}: the database (${database.bytes} bytes) and ${objects.count} objects (${objects.objectBytes} bytes).`,
    ...missing.map((name) => `${name} is missing in the bucket: paraph documents audit`),
    "Not in it, and needed to use it:",
    ...NOT_INCLUDED.map((one) => `  ${one}`),
  ].join("\n")
