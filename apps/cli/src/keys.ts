import { startSecretKeys } from "@paraph/gateways/secret-keys"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openKeyRing } from "@paraph/server/key-ring"
import { rewrapBusinessKeys, rewrapDocuments, rotateBusinessKey } from "@paraph/store/keys/rotate"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { openDatabase, type ServiceDatabase } from "@paraph/store/postgres/database"
import { shellUser } from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"
import { alsoJson, type Described, typed } from "./synopsis.ts"

type Options = { readonly business?: string; readonly all?: boolean }
type Act = Described & {
  readonly run: (db: ServiceDatabase, config: Config, options: Options) => Promise<object>
}

export const KEYS_ACTS: Readonly<Record<string, Act>> = alsoJson({
  create: {
    usage: "",
    about: "makes the operator's key in the HSM (KEK_PROVIDER pkcs11); it never leaves it",
    run: async (_, config) => {
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
  },
  rewrap: {
    usage: "[--all]",
    about: "wraps every business's key with the operator's key of today",
    run: (db, config, { all }) =>
      withRing(config, (ring) => rewrapBusinessKeys(db, ring, all === true ? "all" : "older")),
  },
  rotate: {
    usage: "--business ID",
    about: "a new key for a business; its documents' keys are wrapped anew",
    run: (db, config, { business }) =>
      withRing(config, (ring) =>
        rotateBusinessKey(db, ring, needed(business), createClock(config.CLOCK_FILE)()),
      ),
  },
  "finish-rotation": {
    usage: "--business ID",
    about: "ends a rotation that was cut off, and removes older keys that nothing is wrapped by any more",
    run: (db, config, { business }) =>
      withRing(config, (ring) =>
        rewrapDocuments(db, ring, needed(business), createClock(config.CLOCK_FILE)()),
      ),
  },
})

/** `paraph keys`: prints one JSON object of what was done. No byte of a document is touched by any of it. */
export async function keys(configured: () => Config, words: readonly string[]): Promise<number> {
  const [name = ""] = words
  const act = Object.hasOwn(KEYS_ACTS, name) ? KEYS_ACTS[name] : undefined
  if (act === undefined) throw new NotUnderstood(`paraph keys: ${Object.keys(KEYS_ACTS).join(", ")}`)
  const options = typed(act.usage, words.slice(1)).values as Options
  const config = configured()
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 2, name: "paraph-keys" })
  try {
    const done = await act.run(db, config, options)
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
const record = (db: ServiceDatabase, config: Config, { act, business, done }: Done): Promise<void> =>
  appendAudit(db, {
    at: createClock(config.CLOCK_FILE)(),
    by: { person: null, shellUser: shellUser() },
    act,
    businessId: business ?? null,
    target: business === undefined ? "every business" : `business ${business}`,
    after: done,
  })

async function withRing<T>(
  config: Config,
  work: (ring: Awaited<ReturnType<typeof openKeyRing>>) => Promise<T>,
) {
  const ring = await openKeyRing(config)
  try {
    return await work(ring)
  } finally {
    await ring.close()
  }
}

function needed(business: string | undefined): string {
  if (!business) throw new NotUnderstood("--business is needed.")
  return business
}
