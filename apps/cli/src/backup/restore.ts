import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import type { Bucket } from "@paraph/store/blobs/bucket"
import { migrate } from "@paraph/store/postgres/migrate"
import { addressOfPrimary } from "@paraph/store/postgres/primary"
import { withServiceScope } from "@paraph/store/postgres/service-scope"
import { COMMANDS } from "../commands.ts"
import { eraseAgainFrom, told } from "../erase-again.ts"
import { Failed } from "../failed.ts"
import { NotUnderstood } from "../not-understood.ts"
import { print } from "../printed.ts"
import { progress } from "../progress.ts"
import { typed } from "../synopsis.ts"
import { FILES, listedIn, type Manifest, placeOf, readManifest, type Summed, summed } from "./copy.ts"
import { pgProgram } from "./pg-programs.ts"
import { isFor } from "./snapshot.ts"

/** `paraph restore`: into an empty database and an empty bucket, and only what is as it was. */
export async function restore(configured: () => Config, words: readonly string[]): Promise<number> {
  const { values, positionals } = typed(COMMANDS.restore.usage, words)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new NotUnderstood("paraph restore: from which folder?")
  const config = configured()
  const owner = withServiceScope(await addressOfPrimary(config.DATABASE_OWNER_URL || config.DATABASE_URL))
  const bucket = openBucket(config)
  try {
    await mustTakeIt(owner)
    const manifest = await readManifest(folder)
    const there = await mustBeOfThis(bucket, folder)
    await mustBeAsItWas(folder, manifest)
    await putObjects(bucket, folder, manifest, there)
    const words = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
    await pgProgram("pg_restore", owner, [...words, join(folder, FILES.database)])
    const migrated = await migrate(owner, config.DATABASE_URL)
    const again = await eraseAgainFrom(bucket, config)
    const { objects, at, missing } = manifest
    print(
      {
        value: { folder, at, objects: objects.count, missing, migrated, "erased-again": again },
        words: [
          `The service is as it was at ${at}, with ${objects.count} objects.`,
          told(again),
          "Next: paraph doctor, paraph documents audit, paraph log check.",
        ].join("\n"),
      },
      values.json === true,
    )
    return again.held.length === 0 ? 0 : 1
  } finally {
    bucket.close()
  }
}

async function mustTakeIt(owner: string): Promise<void> {
  const found = await isFor(owner)
  if (found === "nothing: not empty") throw new Failed("The database is not empty. Nothing was restored.")
  if (found === "nothing: no rights")
    throw new Failed(
      "The role may not make tables and schemas in the database: give the one that owns it as DATABASE_OWNER_URL. Nothing was restored.",
    )
}

/** The objects that are there; none, or some of this backup, which a restore that broke off has left. */
async function mustBeOfThis(bucket: Bucket, folder: string): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  for await (const { name } of bucket.list()) there.add(name)
  if (there.size === 0) return there
  const strange = new Set(there)
  for await (const { name } of listedIn(folder)) strange.delete(name)
  const [first] = strange
  if (first !== undefined) throw new Failed(`The bucket is not empty: it has ${first}. Nothing was restored.`)
  return there
}

/** All of it is read before anything is written. */
async function mustBeAsItWas(folder: string, { database, objects }: Manifest): Promise<void> {
  await mustSum(join(folder, FILES.database), database)
  await mustSum(join(folder, FILES.objects), objects)
  const shown = progress("Checking objects", objects.count)
  let count = 0
  for await (const { name, sha256 } of listedIn(folder)) {
    await mustSum(join(folder, placeOf(name)), { sha256 })
    count += 1
    shown.show(count)
  }
  shown.end()
  if (count !== objects.count)
    throw new Failed(`${FILES.objects} has ${count} objects, not ${objects.count}.`)
}

async function mustSum(path: string, { sha256 }: Pick<Summed, "sha256">): Promise<void> {
  const found = await summed(path).catch(() => null)
  if (found?.sha256 !== sha256)
    throw new Failed(
      `${path} ${found === null ? "is missing" : "is not what was written"}. Nothing was restored.`,
    )
}

/** Before the database, which must never name what is not there. */
async function putObjects(
  bucket: Bucket,
  folder: string,
  { objects }: Manifest,
  there: ReadonlySet<string>,
): Promise<void> {
  const shown = progress("Restoring objects", objects.count)
  let count = 0
  for await (const { name, sha256 } of listedIn(folder)) {
    const path = join(folder, placeOf(name))
    if (there.has(name)) await mustBeTheSame(bucket, name, sha256)
    else {
      const bytes = await readFile(path)
      await bucket.put(name, { path, sizeBytes: bytes.length, crc32: crc32(bytes) })
    }
    count += 1
    shown.show(count)
  }
  shown.end()
}

async function mustBeTheSame(bucket: Bucket, name: string, sha256: string): Promise<void> {
  const hash = createHash("sha256")
  for await (const piece of bucket.get(name)) hash.update(piece)
  if (hash.digest("hex") !== sha256)
    throw new Failed(`The bucket has another ${name} than the backup. The database is as empty as it was.`)
}
