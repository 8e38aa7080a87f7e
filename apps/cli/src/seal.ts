import type { Kind } from "@paraph/core/signature-request/model"
import { IssuingFailed } from "@paraph/gateways/issuing-ca/failed"
import type { Keys } from "@paraph/gateways/keys"
import { openToken } from "@paraph/server/authority-parts"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { oneAtATime } from "@paraph/store/postgres/authorities"
import { isBusiness } from "@paraph/store/postgres/businesses-seen"
import { openDatabase, type ServiceDatabase } from "@paraph/store/postgres/database"
import { givenId, type Options, shellUser } from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { SEAL_ACTS, type SealDesk } from "./seal-acts.ts"
import { typed } from "./synopsis.ts"

/** `paraph seal`: prints one JSON object, or a request in PEM; each act that changes something is a row of the audit log. */
export async function seal(configured: () => Config, words: readonly string[]): Promise<number> {
  const [name = "", ...rest] = words
  const act = Object.hasOwn(SEAL_ACTS, name) ? SEAL_ACTS[name] : undefined
  if (act === undefined) throw new NotUnderstood(`paraph seal: ${Object.keys(SEAL_ACTS).join(", ")}`)
  const options = typed(act.usage, rest).values as Options
  const businessId = givenId(options, "business")
  const run = act.read(options)
  const config = configured()
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 4, name: "paraph-seal" })
  const tokens = holdTokens(config)
  try {
    if (!(await isBusiness(db, businessId))) throw new NotUnderstood("There is no such business.")
    const now = createClock(config.CLOCK_FILE)()
    const desk: SealDesk = { db, config, keys: tokens.keys, businessId, now }
    const done = await (act.changes ? alone(db, () => run(desk)) : run(desk))
    if (act.changes) {
      const target = `seal ${done.seal}`
      const by = { person: null, shellUser: shellUser() }
      await appendAudit(db, { at: now, by, act: `seal ${name}`, businessId, target, after: done.told })
    }
    const value = done.printed === undefined ? done.told : { ...done.told, pem: done.printed }
    print({ value, words: done.printed ?? JSON.stringify(value) }, options.json === true)
    return 0
  } catch (error) {
    // What is wrong with a name or a certificate is the caller's to mend, and said in words.
    if (error instanceof IssuingFailed) throw new NotUnderstood(error.message)
    throw error
  } finally {
    await tokens.close()
    await close()
  }
}

/** Opened when they are asked for: a list needs no HSM. */
function holdTokens(config: Config) {
  const opened = new Map<Kind, Keys>()
  return {
    keys: (kind: Kind): Keys => {
      const found = opened.get(kind) ?? openToken(config, kind)
      opened.set(kind, found)
      return found
    },
    close: async () => void (await Promise.all([...opened.values()].map((one) => one.close()))),
  }
}

/** A worker may be making a certificate just now; it is soon done. */
async function alone<T>(db: ServiceDatabase, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const done = await oneAtATime(db, async () => ({ value: await work() }))
    if (done !== undefined) return done.value
    await new Promise((wake) => setTimeout(wake, 500))
  }
  throw new NotUnderstood("A worker is at its keys for half a minute already. Try again.")
}
