import { createHmac, randomBytes, randomUUID } from "node:crypto"
import { parseArgs } from "node:util"
import { newApiKey } from "@paraph/core/login/api-key"
import { newKey } from "@paraph/seal/wrap"
import type { Config } from "@paraph/server/config"
import { openKeyRing } from "@paraph/server/key-ring"
import { businessContext } from "@paraph/store/keys/key-ring"
import { findUser, insertBusiness, insertKey, insertUser, revokeKey } from "@paraph/store/postgres/businesses"
import { type Database, openDatabase } from "@paraph/store/postgres/database"
import { NotUnderstood } from "./not-understood.ts"

type Options = Readonly<Record<string, string | undefined>>
type Act = (db: Database, config: Config, options: Options) => Promise<object>

const DAY_MS = 86_400_000

const ACTS: Readonly<Record<string, Act>> = {
  "create-business": async (db, config, options) => {
    const id = randomUUID()
    const name = given(options, "name")
    const ring = openKeyRing(config)
    try {
      const { id: kekId, wrapped: wrappedKey } = await ring.wrap(newKey(), businessContext(id, 1))
      await insertBusiness(db, { id, name, kekId, wrappedKey, now: new Date() })
      return { business: id }
    } finally {
      await ring.close()
    }
  },

  "create-user": async (db, _, options) => {
    const id = randomUUID()
    const username = given(options, "username")
    await insertUser(db, { id, businessId: given(options, "business"), username, now: new Date() })
    return { user: id, username }
  },

  // The key is shown here and never again: the database holds its HMAC alone.
  "create-key": async (db, config, options) => {
    const kind = given(options, "kind")
    if (kind !== "demo" && kind !== "production") throw new NotUnderstood("--kind is demo or production.")
    const user = await findUser(db, given(options, "user"))
    if (user === undefined) throw new NotUnderstood("There is no such user.")
    const days = Number(options.days ?? 365)
    if (!Number.isInteger(days) || days < 1 || days > 3650) throw new NotUnderstood("--days is 1 to 3650.")
    const key = newApiKey(kind, randomBytes(32).toString("base64url"))
    const keyHash = createHmac("sha256", Buffer.from(config.KEY_PEPPER, "hex")).update(key).digest()
    const id = randomUUID()
    const now = new Date()
    const expiresAt = new Date(now.getTime() + days * DAY_MS)
    await insertKey(db, { id, userId: user.id, kind, keyHash, hint: key.slice(-4), now, expiresAt })
    return { key: id, "api-key": key, expires: expiresAt.toISOString() }
  },

  "revoke-key": async (db, _, options) => ({
    revoked: await revokeKey(db, given(options, "key"), new Date()),
  }),
}

/** `paraph admin`: prints one JSON object, so that scripts can read what people see. */
export async function admin(config: Config, words: readonly string[]): Promise<number> {
  const act = ACTS[words[0] ?? ""]
  if (act === undefined) throw new NotUnderstood(`paraph admin: ${Object.keys(ACTS).join(", ")}`)
  const { db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-admin" })
  try {
    console.log(JSON.stringify(await act(db, config, optionsOf(words.slice(1)))))
    return 0
  } finally {
    await close()
  }
}

function optionsOf(words: readonly string[]): Options {
  const option = { type: "string" } as const
  const names = {
    name: option,
    business: option,
    username: option,
    user: option,
    kind: option,
    days: option,
    key: option,
  }
  try {
    return parseArgs({ args: [...words], options: names, strict: true }).values
  } catch (error) {
    throw new NotUnderstood((error as Error).message)
  }
}

function given(options: Options, name: string): string {
  const value = options[name]?.trim()
  if (!value) throw new NotUnderstood(`--${name} is needed.`)
  return value
}
