import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { openKeyRing } from "@paraph/server/key-ring"
import type { Bucket, Mark } from "@paraph/store/blobs/bucket"
import { createBusinessKeys } from "@paraph/store/keys/business-keys"
import { createStorySealer } from "@paraph/store/keys/story-sealer"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { openDatabase } from "@paraph/store/postgres/database"
import { type ErasedAgain, eraseAgain } from "@paraph/store/postgres/erase-again"
import { shellUser } from "./admin-act.ts"
import { COMMANDS } from "./commands.ts"
import { print } from "./printed.ts"
import { progress } from "./progress.ts"
import { typed } from "./synopsis.ts"

/** `paraph documents erase-again` (ADR 0063): 1 where something is held. */
export async function eraseAgainCommand(configured: () => Config, words: readonly string[]): Promise<number> {
  const { values } = typed((await COMMANDS.documents.acts())["erase-again"].usage, words)
  const config = configured()
  const bucket = openBucket(config)
  try {
    const again = await eraseAgainFrom(bucket, config)
    print({ value: again, words: told(again) }, values.json === true)
    return again.held.length === 0 ? 0 : 1
  } finally {
    bucket.close()
  }
}

const BATCH = 500

/** Marks are many, and most name what the database does not have: they are asked about in batches. */
export async function eraseAgainFrom(bucket: Bucket, config: Config): Promise<ErasedAgain> {
  const now = createClock(config.CLOCK_FILE)
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 2, name: "paraph-erase-again" })
  const ring = await openKeyRing(config)
  const shown = progress("Marks looked at:", null)
  let all: ErasedAgain = { stories: 0, objects: 0, held: [] }
  let looked = 0
  try {
    const sealer = createStorySealer(createBusinessKeys(db, ring, now))
    const erase = async (marks: readonly Mark[]) => {
      const more = await eraseAgain(db, sealer, marks, now())
      all = {
        stories: all.stories + more.stories,
        objects: all.objects + more.objects,
        held: [...all.held, ...more.held],
      }
      looked += marks.length
      shown.show(looked)
    }
    const batch: Mark[] = []
    for await (const mark of bucket.listErased()) {
      batch.push(mark)
      if (batch.length === BATCH) await erase(batch.splice(0))
    }
    await erase(batch)
    if (all.stories + all.objects > 0)
      await appendAudit(db, {
        at: now(),
        by: { person: null, shellUser: shellUser() },
        act: "documents erase-again",
        businessId: null,
        target: "bucket",
        after: { stories: all.stories, objects: all.objects },
      })
  } finally {
    shown.end()
    await ring.close()
    await close()
  }
  return all
}

export const told = ({ stories, objects, held }: ErasedAgain): string =>
  [
    `${stories} stories and ${objects} documents and attachments were erased again.`,
    ...held.map(
      (id) => `${id} was erased, and is held again: release it, then paraph documents erase-again.`,
    ),
  ].join("\n")
