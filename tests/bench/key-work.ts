// What is done with keys for one advanced signature, bare and by us: for us that is a pair in the token, a certificate of the
// built-in authority on record with its first OCSP answer, the signer's value, and the end of the pair.
import { fork } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { resolve } from "node:path"
import { createBuiltInAuthority } from "@paraph/gateways/issuing-ca/built-in"
import { type Keys, startKeys } from "@paraph/gateways/keys"
import { createAuthorityRecords } from "@paraph/store/postgres/authority-records"
import { openDatabase } from "@paraph/store/postgres/database"
import { type Spent, startWatch } from "./fastest.ts"
import { processorTimes } from "./processor-time.ts"

const BARE = resolve(import.meta.dirname, "../../packages/gateways/src/keys-pkcs11/testing/bare-token.ts")
const DAY_MS = 86_400_000

type Env = Readonly<Record<string, string>>

const tokenOf = (env: Env) => ({
  module: env.PKCS11_MODULE ?? "",
  tokenLabel: env.PKCS11_PRODUCTION_TOKEN ?? "",
  pinFile: env.PKCS11_PRODUCTION_PIN_FILE ?? "",
})

/** One process, one session, one pair after the other: milliseconds for each. */
export function openBare(env: Env) {
  const child = fork(BARE, { env: { SOFTHSM2_CONF: env.SOFTHSM2_CONF ?? "" }, execArgv: [] })
  child.send(tokenOf(env))
  const asked = async (what: number | { readonly signatures: number }): Promise<Spent> => {
    child.send(what)
    const [spent] = (await once(child, "message")) as [Spent]
    return spent
  }
  return {
    work: (pairs: number) => asked(pairs),
    /** With one pair, which is made before. */
    sign: (signatures: number) => asked({ signatures }),
    close: () => void child.disconnect(),
  }
}

/** Ours, in this process and its key process, so many at a time. */
export function openKeyWork(env: Env) {
  const keys = startKeys({ ...tokenOf(env), env: { SOFTHSM2_CONF: env.SOFTHSM2_CONF ?? "" } })
  const { serviceDb: db, close } = openDatabase(env.DATABASE_URL ?? "", { max: 8, name: "bench" })
  const issue = createBuiltInAuthority({
    records: createAuthorityRecords(db),
    keys: () => keys,
    address: env.CA_URL ?? "",
    policies: [],
    randomBytes: (size) => randomBytes(size),
    newId: randomUUID,
  })
  const work = async (count: number, atOnce: number): Promise<Spent> => {
    await keys.health()
    const stop = startWatch()
    const before = ofKeyProcess(keys)
    const turns = Array.from({ length: count }).values()
    const lane = async () => {
      for (const _ of turns) await one(keys, issue)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    const { clockMs, processorMs } = stop()
    const all = processorMs + ofKeyProcess(keys) - before
    return { clockMs: clockMs / count, processorMs: all / count }
  }
  return { work, close: () => Promise.all([keys.close(), close()]) }
}

async function one(keys: Keys, issue: ReturnType<typeof createBuiltInAuthority>): Promise<void> {
  const id = randomUUID()
  const keyLabel = `signer-${id}`
  const publicKeySpki = (await keys.publicKey(keyLabel)) ?? (await keys.generate(keyLabel, "P-256"))
  const none = { givenName: null, surname: null, organization: null, country: null, serialNumber: null }
  const subject = { ...none, commonName: "Ada Lovelace" }
  const now = new Date()
  const notAfter = new Date(now.getTime() + DAY_MS)
  await issue({ id, kind: "production", subject, keyLabel, publicKeySpki, notAfter, nameProof: null }, now)
  await keys.sign(keyLabel, randomBytes(300), "ecdsa-sha256")
  await keys.destroy(keyLabel)
}

const ofKeyProcess = (keys: Keys): number => {
  const { it = 0 } = processorTimes({ it: [keys.processId() ?? 0] }, [])
  return it
}
