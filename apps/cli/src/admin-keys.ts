import { createHmac, randomBytes, randomUUID } from "node:crypto"
import { newApiKey } from "@paraph/core/login/api-key"
import type { Kind } from "@paraph/core/signature-request/model"
import { findUser, insertKey, listKeys, lockKey, revokeKey } from "@paraph/store/postgres/businesses"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

const DAY_MS = 86_400_000
export const KEY_DAYS_MOST = 3650

/** Part 5.2 and 5.6: keys of a business's users, their lifetime, and what is done when one is out. */
export const KEY_ACTS: Readonly<Record<string, act.Act>> = {
  "create-key": {
    usage: "--user NAME --kind demo|production [--days N]",
    about: "a new API key, shown once; it lives as long as was agreed with the business",
    read: (options) => {
      const username = act.given(options, "user")
      const kind = act.oneOf(options, "kind", ["demo", "production"])
      const days = daysOf(options)
      return async (desk) => {
        const user = await findUser(desk.trx, username)
        if (user === undefined || user.removed_at !== null) throw new NotUnderstood("There is no such user.")
        const made = await makeKey(desk, { ...user, kind }, days)
        const entry = { act: "create-key", businessId: user.business_id, target: `key ${made.key}` }
        await desk.record({ ...entry, after: { user: username, kind, expires: made.expires } })
        return made
      }
    },
  },

  "reset-key": {
    usage: "--key ID [--days N]",
    about:
      "a new key in place of one that is out: same user, same kind; the old one and its tokens are dead, its webhooks stopped",
    read: (options) => {
      const id = act.givenId(options, "key")
      const days = daysOf(options)
      return async (desk) => {
        const old = await findKey(desk, id)
        if (old.revoked_at !== null) throw new NotUnderstood("This key is revoked already.")
        if (old.removed_at !== null) throw new NotUnderstood("The user of this key is removed.")
        const { stoppedWebhooks } = await revokeKey(desk.trx, id, desk.now)
        const { api_user_id, business_id, kind } = old
        const made = await makeKey(desk, { id: api_user_id, business_id, kind }, days)
        const entry = { act: "reset-key", businessId: business_id, target: `key ${id}` }
        const before = { user: old.username, kind, expires: old.expires_at }
        const after = { key: made.key, expires: made.expires, ...stopped(stoppedWebhooks) }
        await desk.record({ ...entry, before, after })
        return { reset: id, ...made, ...stopped(stoppedWebhooks) }
      }
    },
  },

  "revoke-key": {
    usage: "--key ID",
    about: "the key and its tokens are dead, its webhooks stopped; revoked is false when they were already",
    read: (options) => {
      const id = act.givenId(options, "key")
      return async (desk) => {
        const { business_id, username: user, kind, expires_at: expires } = await findKey(desk, id)
        const { revoked, stoppedWebhooks } = await revokeKey(desk.trx, id, desk.now)
        const entry = { act: "revoke-key", businessId: business_id, target: `key ${id}` }
        const change = {
          before: { user, kind, expires },
          after: { revoked: desk.now, ...stopped(stoppedWebhooks) },
        }
        if (revoked) await desk.record({ ...entry, ...change })
        return { revoked, ...stopped(stoppedWebhooks) }
      }
    },
  },

  "list-keys": {
    usage: "--business ID",
    about: "every key of a business, the dead ones too; hint is its last four characters",
    read: (options) => {
      const id = act.givenId(options, "business")
      return async (desk) => {
        await act.findBusiness(desk, id)
        const keys = await listKeys(desk.trx, id)
        return { keys: keys.map((key) => shown(key, desk.now)) }
      }
    },
  },
}

/** Webhooks that were made by that key, or whose secret was shown to it; each goes on when its user gives it a new one (choice 204). */
const stopped = (webhooks: readonly string[]) => (webhooks.length > 0 ? { "stopped-webhooks": webhooks } : {})

function daysOf(options: act.Options): number | null {
  const days = act.optional(options, "days")
  return days === undefined ? null : act.wholeNumber(days, "days", KEY_DAYS_MOST)
}

async function findKey({ trx }: act.Desk, id: string) {
  const key = await lockKey(trx, id)
  if (key === undefined) throw new NotUnderstood("There is no such key.")
  return key
}

/** The key is shown here and never again: the database holds its HMAC alone. */
async function makeKey(
  desk: act.Desk,
  user: { readonly id: string; readonly business_id: string; readonly kind: Kind },
  asked: number | null,
) {
  const days = asked ?? (await act.findBusiness(desk, user.business_id)).keyLifetimeDays
  const { trx, config, now } = desk
  const key = newApiKey(user.kind, randomBytes(32).toString("base64url"))
  const keyHash = createHmac("sha256", Buffer.from(config.KEY_PEPPER, "hex")).update(key).digest()
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const { id: userId, kind } = user
  await insertKey(trx, { id, userId, kind, keyHash, hint: key.slice(-4), now, expiresAt })
  return { key: id, "api-key": key, expires: expiresAt.toISOString() }
}

type Key = Awaited<ReturnType<typeof listKeys>>[number]

const shown = (key: Key, now: Date) => ({
  key: key.id,
  user: key.username,
  kind: key.kind,
  hint: key.hint,
  state: stateOf(key, now),
  created: key.created_at,
  expires: key.expires_at,
  revoked: key.revoked_at,
})

function stateOf(key: Key, now: Date): string {
  if (key.revoked_at !== null) return "revoked"
  if (key.removed_at !== null) return "user removed"
  return key.expires_at <= now ? "expired" : "alive"
}
