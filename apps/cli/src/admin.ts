import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { createRandomness } from "@paraph/server/randomness"
import { openDatabase } from "@paraph/store/postgres/database"
import { type Act, deskAt, type Options, optional } from "./admin-act.ts"
import { BRANDING_ACTS } from "./admin-branding.ts"
import { BUSINESS_ACTS } from "./admin-businesses.ts"
import { CREDIT_ACTS } from "./admin-credits.ts"
import { DOMAIN_ACTS } from "./admin-domains.ts"
import { KEY_ACTS } from "./admin-keys.ts"
import { PEOPLE_ACTS } from "./admin-people.ts"
import { STORY_ACTS } from "./admin-stories.ts"
import { NotUnderstood } from "./not-understood.ts"
import { alsoJson, typed } from "./synopsis.ts"

const OWN_ACTS: Readonly<Record<string, Act>> = {
  ...BUSINESS_ACTS,
  ...KEY_ACTS,
  ...PEOPLE_ACTS,
  ...DOMAIN_ACTS,
  ...BRANDING_ACTS,
  ...CREDIT_ACTS,
  ...STORY_ACTS,
}

export const ACTS: Readonly<Record<string, Act>> = alsoJson(
  Object.fromEntries(
    Object.entries(OWN_ACTS).map(([name, act]) => [name, { ...act, usage: `${act.usage} [--as ADDRESS]` }]),
  ),
)

/** `paraph admin`: prints one JSON object, so that scripts can read what people see. */
export async function admin(configured: () => Config, words: readonly string[]): Promise<number> {
  console.log(await adminAnswer(configured, words))
  return 0
}

/** What is printed then, for those who have many acts done in one process. */
export async function adminAnswer(
  configured: () => Config,
  words: readonly string[],
  randomness = createRandomness("", "admin"),
): Promise<string> {
  const [name = "", ...rest] = words
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (act === undefined) throw new NotUnderstood(`paraph admin: ${Object.keys(ACTS).join(", ")}`)
  const options = typed(act.usage, rest).values as Options
  const run = act.read(options)
  const config = configured()
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-admin" })
  try {
    const done = await db.transaction().execute(async (trx) => {
      const now = createClock(config.CLOCK_FILE)()
      return run(await deskAt({ trx, config, now, randomness }, optional(options, "as")))
    })
    return JSON.stringify(done)
  } finally {
    await close()
  }
}
