import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { audit } from "@paraph/store/blobs/audit"
import type { Bucket } from "@paraph/store/blobs/bucket"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { openDatabase, type ServiceDatabase } from "@paraph/store/postgres/database"
import { shellUser } from "./admin-act.ts"
import { COMMANDS } from "./commands.ts"
import { eraseAgainCommand } from "./erase-again.ts"
import { NotUnderstood } from "./not-understood.ts"
import { type Progress, progress } from "./progress.ts"
import { textOf, typed } from "./synopsis.ts"

/**
 * `paraph documents audit`: every document has its object, and every object its row. Prints what is not so, and ends
 * with 1 when there is any. `--remove-unnamed=COUNT` deletes the objects that no row names, if there are as many as the
 * person has seen before: with the wrong database, or an older one, they are somebody's documents.
 */
export async function documents(configured: () => Config, words: readonly string[]): Promise<number> {
  if (words[0] === "erase-again") return eraseAgainCommand(configured, words.slice(1))
  if (words[0] !== "audit") throw new NotUnderstood("paraph documents: audit, erase-again")
  const { values } = typed((await COMMANDS.documents.acts()).audit.usage, words.slice(1))
  const expected = textOf(values, "remove-unnamed")
  if (expected !== undefined && !/^\d{1,9}$/.test(expected))
    throw new NotUnderstood("--remove-unnamed is how many there are.")
  const config = configured()
  const findings: object[] = []
  const shown = progress("Objects looked at:", null)
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 2, name: "paraph-audit" })
  const bucket = openBucket(config)
  const counts = { lost: 0, unnamed: 0, "wrong-size": 0 }
  const unnamed: string[] = []
  try {
    for await (const finding of audit(db, watched(bucket, shown))) {
      shown.end()
      counts[finding.type] += 1
      if (finding.type === "unnamed") unnamed.push(finding.name)
      if (values.json === true) findings.push(finding)
      else console.log(JSON.stringify(finding))
    }
    if (expected !== undefined) {
      await mustBeStrays(db, unnamed.length, Number(expected))
      for (const name of unnamed) await bucket.remove(name)
      await appendAudit(db, {
        at: createClock(config.CLOCK_FILE)(),
        by: { person: null, shellUser: shellUser() },
        act: "documents remove-unnamed",
        businessId: null,
        target: "bucket",
        after: { removed: unnamed.length },
      })
    }
  } finally {
    shown.end()
    bucket.close()
    await close()
  }
  console.log(JSON.stringify(values.json === true ? { ...counts, findings } : counts))
  return counts.lost + counts.unnamed + counts["wrong-size"] === 0 ? 0 : 1
}

/** A bucket that tells how far its list was read: hours, where there are many. */
function watched(bucket: Bucket, { show }: Progress): Bucket {
  async function* list(after?: string) {
    let count = 0
    for await (const object of bucket.list(after)) {
      count += 1
      show(count)
      yield object
    }
  }
  return { ...bucket, list }
}

async function mustBeStrays(db: ServiceDatabase, found: number, expected: number): Promise<void> {
  if (found !== expected)
    throw new NotUnderstood(`There are ${found} unnamed objects, not ${expected}. Nothing was removed.`)
  const { documents } = await db
    .selectFrom("document")
    .select((select) => select.fn.countAll<number>().as("documents"))
    .executeTakeFirstOrThrow()
  if (found > documents)
    throw new NotUnderstood(
      `There are more unnamed objects (${found}) than documents (${documents}): this is not the database of the bucket.`,
    )
}
