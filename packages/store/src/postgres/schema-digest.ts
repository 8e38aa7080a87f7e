import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"

/** What decides which schema `migrate` leaves behind, beside the migrations; the last names the versions of what we install. */
const ALSO = ["migrate.ts", "row-policies.ts", "server-role.ts", "../jobs/queues.ts", "../../package.json"]

/** The same for the same schema: whoever keeps a migrated database may use it again while this has not changed. */
export function schemaDigest(): string {
  const here = new URL("./", import.meta.url)
  const migrations = globSync("migrations/*", { cwd: here }).sort()
  const hash = createHash("sha256")
  for (const file of [...migrations, ...ALSO])
    hash
      .update(`${file}\0`)
      .update(readFileSync(new URL(file, here)))
      .update("\0")
  return hash.digest("hex")
}
