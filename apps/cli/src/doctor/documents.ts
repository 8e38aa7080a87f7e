import { randomUUID } from "node:crypto"
import { newKey } from "@paraph/seal/wrap"
import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { type Bucket, NameTaken, PREFIX } from "@paraph/store/blobs/bucket"
import { openSpool, type Spool } from "@paraph/store/blobs/spool"
import { openDatabase } from "@paraph/store/postgres/database"
import { forgetLoose, insertLoose } from "@paraph/store/postgres/loose-blobs"

const HOUR_MS = 3_600_000
const SAMPLE = new TextEncoder().encode("paraph doctor")

/** Writes, reads and removes one object, since a bucket that can be reached may still refuse each of these. */
export async function documentsWork(config: Config): Promise<string> {
  const bucket = openBucket(config)
  try {
    await bucket.health()
    await namedLoose(config, (name) => mustKeep(bucket, config, name))
    const place =
      config.DOCUMENTS_FOLDER === "" ? `bucket ${config.S3_BUCKET}` : `folder ${config.DOCUMENTS_FOLDER}`
    return `${place} keeps an object, refuses another one of its name, and removes it`
  } finally {
    bucket.close()
  }
}

/** Every object is named by a row before it is there: should we be killed, a worker sweeps it away. */
async function namedLoose(config: Config, use: (name: string) => Promise<void>): Promise<void> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  const name = `${PREFIX}${randomUUID()}`
  try {
    await insertLoose(db, name, new Date(Date.now() + HOUR_MS))
    await use(name)
    await forgetLoose(db, [name])
  } finally {
    await close()
  }
}

async function mustKeep(bucket: Bucket, config: Config, name: string): Promise<void> {
  const spool = await openSpool(config.SPOOL_FOLDER)
  try {
    const { sealed } = await sampleIn(spool)
    await bucket.put(name, sealed)
    let bytes = 0
    for await (const piece of bucket.get(name)) bytes += piece.length
    if (bytes !== sealed.sizeBytes) throw new Error("what was put there comes back shorter or longer")
    const again = await bucket.put(name, sealed).catch((error: unknown) => error)
    if (again === undefined)
      throw new Error(
        "an object was written over: the store does not know If-None-Match, and must not be used",
      )
    if (!(again instanceof NameTaken)) throw again
    await bucket.remove(name)
    for await (const _ of bucket.list()) break
  } finally {
    await spool.close()
  }
}

const sampleIn = (spool: Spool) => spool.take(newKey(), "doctor", once(SAMPLE))

async function* once(bytes: Uint8Array) {
  yield bytes
}
