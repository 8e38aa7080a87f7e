import type { Config } from "@paraph/server/config"
import { migrate as bringUp } from "@paraph/store/postgres/migrate"
import { COMMANDS } from "./commands.ts"
import { print } from "./printed.ts"
import { typed } from "./synopsis.ts"

export async function migrate(configured: () => Config, words: readonly string[]): Promise<number> {
  const { values } = typed(COMMANDS.migrate.usage, words)
  const { DATABASE_OWNER_URL, DATABASE_URL } = configured()
  const done = await bringUp(DATABASE_OWNER_URL || DATABASE_URL, DATABASE_URL)
  const said = done.length === 0 ? "The schema is up to date." : `Done: ${done.join(", ")}`
  print({ value: { done }, words: said }, values.json === true)
  return 0
}
