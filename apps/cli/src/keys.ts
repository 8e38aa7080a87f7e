import { parseArgs } from "node:util"
import { startSecretKeys } from "@paraph/gateways/secret-keys"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openKeyRing } from "@paraph/server/key-ring"
import { rewrapBusinessKeys, rewrapDocuments, rotateBusinessKey } from "@paraph/store/keys/rotate"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { type Database, openDatabase } from "@paraph/store/postgres/database"
import { shellUser } from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

type Options = { readonly business?: string; readonly all?: boolean }
type Act = (db: Database, config: Config, options: Options) => Promise<object>

const ACTS: Readonly<Record<string, Act>> = {
  /** In the token that the configuration names; the key never leaves it. */
  create: async (_, config) => {
    const keys = startSecretKeys({
      module: config.PKCS11_MODULE,
      tokenLabel: config.PKCS11_KEK_TOKEN,
      pinFile: config.PKCS11_KEK_PIN_FILE,
      env: config.SOFTHSM2_CONF === "" ? {} : { SOFTHSM2_CONF: config.SOFTHSM2_CONF },
    })
    try {
      await keys.generate(config.PKCS11_KEK_LABEL)
      return { created: config.PKCS11_KEK_LABEL }
    } finally {
      await keys.close()
    }
  },
  rewrap: (db, config, { all }) =>
    withRing(config, (ring) => rewrapBusinessKeys(db, ring, all === true ? "all" : "older")),
  rotate: (db, config, { business }) =>
    withRing(config, (ring) =>
      rotateBusinessKey(db, ring, needed(business), createClock(config.CLOCK_FILE)()),
    ),
  /** Ends a rotation that was cut off, and removes older keys that nothing is wrapped by any more. */
  "finish-rotation": (db, config, { business }) =>
    withRing(config, (ring) => rewrapDocuments(db, ring, needed(business), createClock(config.CLOCK_FILE)())),
}

/** `paraph keys`: prints one JSON object of what was done. No byte of a document is touched by any of it. */
export async function keys(config: Config, words: readonly string[]): Promise<number> {
  const [name = ""] = words
  const act = ACTS[name]
  if (act === undefined) throw new NotUnderstood(`paraph keys: ${Object.keys(ACTS).join(", ")}`)
  const { db, close } = openDatabase(config.DATABASE_URL, { max: 2, name: "paraph-keys" })
  try {
    const options = optionsOf(words.slice(1))
    const done = await act(db, config, options)
    // What happens in the HSM alone may happen before there is a database.
    if (name !== "create") await record(db, config, { act: `keys ${name}`, business: options.business, done })
    console.log(JSON.stringify(done))
    return 0
  } finally {
    await close()
  }
}

type Done = { readonly act: string; readonly business: string | undefined; readonly done: object }

/** After the act, which works in many transactions (ADR 0025). */
const record = (db: Database, config: Config, { act, business, done }: Done): Promise<void> =>
  appendAudit(db, {
    at: createClock(config.CLOCK_FILE)(),
    by: { person: null, shellUser: shellUser() },
    act,
    businessId: business ?? null,
    target: business === undefined ? "every business" : `business ${business}`,
    after: done,
  })

async function withRing<T>(config: Config, work: (ring: ReturnType<typeof openKeyRing>) => Promise<T>) {
  const ring = openKeyRing(config)
  try {
    return await work(ring)
  } finally {
    await ring.close()
  }
}

function optionsOf(words: readonly string[]): Options {
  const options = { business: { type: "string" }, all: { type: "boolean" } } as const
  try {
    return parseArgs({ args: [...words], options, strict: true }).values
  } catch (error) {
    throw new NotUnderstood((error as Error).message)
  }
}

function needed(business: string | undefined): string {
  if (!business) throw new NotUnderstood("--business is needed.")
  return business
}
