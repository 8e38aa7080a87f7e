import type { Config } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { audit } from "@paraph/store/blobs/audit"
import { openDatabase } from "@paraph/store/postgres/database"
import { NotUnderstood } from "./not-understood.ts"

/**
 * `paraph documents audit`: every document has its object, and every object its row. Prints what is not so, and ends
 * with 1 when there is any; `--remove-unnamed` deletes the objects that no row names, which nobody can open any more.
 */
export async function documents(config: Config, words: readonly string[]): Promise<number> {
  const remove = words[1] === "--remove-unnamed"
  if (words[0] !== "audit" || words.length > (remove ? 2 : 1))
    throw new NotUnderstood("paraph documents audit [--remove-unnamed]")
  const { db, close } = openDatabase(config.DATABASE_URL, { max: 2, name: "paraph-audit" })
  const bucket = openBucket(config)
  const counts = { lost: 0, unnamed: 0, "wrong-size": 0 }
  try {
    for await (const finding of audit(db, bucket)) {
      counts[finding.type] += 1
      console.log(JSON.stringify(finding))
      if (remove && finding.type === "unnamed") await bucket.remove(finding.name)
    }
  } finally {
    bucket.close()
    await close()
  }
  console.log(JSON.stringify(counts))
  return counts.lost + counts.unnamed + counts["wrong-size"] === 0 ? 0 : 1
}
