import { IssuingFailed } from "@paraph/gateways/issuing-ca/failed"
import type { Kind, Role } from "@paraph/gateways/issuing-ca/records"
import type { AuthorityWorld } from "@paraph/gateways/issuing-ca/world"
import type { Keys } from "@paraph/gateways/keys"
import { authorityWorld, openToken } from "@paraph/server/authority-parts"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { createRandomness } from "@paraph/server/randomness"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { oneAtATime } from "@paraph/store/postgres/authorities"
import { createAuthorityRecords } from "@paraph/store/postgres/authority-records"
import { openDatabase, type ServiceDatabase } from "@paraph/store/postgres/database"
import { shellUser } from "./admin-act.ts"
import { CA_ACTS, type CaAct, type CaOptions } from "./ca-acts.ts"
import { NotUnderstood } from "./not-understood.ts"
import { typed } from "./synopsis.ts"

/** `paraph ca`: prints one JSON object, or a request in PEM; each act that changes something is a row of the audit log. */
export async function ca(configured: () => Config, words: readonly string[]): Promise<number> {
  console.log(await caAnswer(configured, words))
  return 0
}

/** What is printed then, for those who have several acts done in one process. */
export async function caAnswer(
  configured: () => Config,
  words: readonly string[],
  randomness = createRandomness("", "ca"),
): Promise<string> {
  const [name = "", ...rest] = words
  const act = Object.hasOwn(CA_ACTS, name) ? CA_ACTS[name] : undefined
  if (act === undefined) throw new NotUnderstood(`paraph ca: ${Object.keys(CA_ACTS).join(", ")}`)
  const { json, ...values } = typed(act.usage, rest).values
  const options = values as CaOptions
  const kind = kindOf(act, options)
  const run = act.read(options)
  const config = configured()
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 4, name: "paraph-ca" })
  const held = holdTokens(config, options)
  try {
    const now = createClock(config.CLOCK_FILE)()
    const world = authorityWorld(config, createAuthorityRecords(db), held.keys, randomness)
    const done = await alone(db, () => run({ db, world, config, kind, now }))
    if (act.changes) await record(db, `ca ${name}`, kind, now, done.told)
    if (done.printed !== undefined && json !== true) return done.printed
    return JSON.stringify(done.printed === undefined ? done.told : { ...done.told, pem: done.printed })
  } catch (error) {
    // What is wrong with a name or a certificate is the caller's to mend, and said in words.
    if (error instanceof IssuingFailed) throw new NotUnderstood(error.message)
    throw error
  } finally {
    await held.close()
    await close()
  }
}

function kindOf({ usage }: CaAct, { kind }: CaOptions): Kind | null {
  if (kind === "demo" || kind === "production") return kind
  if (kind === undefined && usage.includes("[--kind")) return null
  throw new NotUnderstood("--kind is demo or production.")
}

/** Opened when they are asked for: a list needs no HSM. */
function holdTokens(config: Config, options: CaOptions) {
  const { "root-token": label, "root-pin-file": pinFile } = options
  if ((label === undefined) !== (pinFile === undefined))
    throw new NotUnderstood("--root-token and --root-pin-file go together.")
  const opened = new Map<string, Keys>()
  const keys: AuthorityWorld["keys"] = (kind: Kind, role: Role) => {
    const other = role === "root" && label && pinFile ? { label, pinFile } : undefined
    const place = other === undefined ? kind : "root"
    const found = opened.get(place) ?? openToken(config, kind, other)
    opened.set(place, found)
    return found
  }
  return { keys, close: async () => void (await Promise.all([...opened.values()].map((one) => one.close()))) }
}

/** A worker may be at it just now; it is soon done. */
async function alone<T>(db: ServiceDatabase, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const done = await oneAtATime(db, async () => ({ value: await work() }))
    if (done !== undefined) return done.value
    await new Promise((wake) => setTimeout(wake, 500))
  }
  throw new NotUnderstood("A worker is at the authority for half a minute already. Try again.")
}

const record = (
  db: ServiceDatabase,
  act: string,
  kind: Kind | null,
  at: Date,
  after: object,
): Promise<void> =>
  appendAudit(db, {
    at,
    by: { person: null, shellUser: shellUser() },
    act,
    businessId: null,
    target: `authority ${kind}`,
    after,
  })
