import { createHmac } from "node:crypto"
import type { LetterToOwners } from "@paraph/core/account/model"
import type { ApiKey } from "@paraph/core/business/api-key"
import {
  endForClaim,
  endKey,
  type KeyParts,
  type MadeKey,
  makeKey,
  replaceKey,
} from "@paraph/core/business/make-keys"
import { DEVELOPERS } from "@paraph/core/business/model"
import type { KeysTx } from "@paraph/core/business/ports"
import type { Language } from "@paraph/core/language"
import { hashesWith, peppersOf } from "@paraph/server/peppers"
import { createWriteToMember } from "@paraph/store/jobs/enqueue"
import { openJobs } from "@paraph/store/jobs/jobs"
import { apiKeyRows, businessOfKey, listKeys } from "@paraph/store/postgres/api-keys"
import { findUser } from "@paraph/store/postgres/businesses"
import { addressesOf, writeToOwners } from "@paraph/store/postgres/owners"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

export const KEY_DAYS_MOST = 3650

/** Part 5.2 and 5.6: keys of a business's users, their lifetime, and what is done when one is out. */
export const KEY_ACTS: Readonly<Record<string, act.Act>> = {
  "create-key": {
    usage: "--user NAME --kind demo|production [--name NAME] [--days N]",
    about: "a new API key, shown once; it lives as long as was agreed with the business",
    read: (options) => {
      const username = act.given(options, "user")
      const kind = act.oneOf(options, "kind", ["demo", "production"])
      const name = act.optional(options, "name") ?? username
      const days = daysOf(options)
      return async (desk) => {
        const user = await findUser(desk.trx, username)
        if (user === undefined || user.removed_at !== null) throw new NotUnderstood("There is no such user.")
        const { tx, parts, acting } = roomOf(desk, user.business_id)
        const wanted = { user, kind, name, days: days ?? (await agreedDays(desk, user.business_id)) }
        return shownOnce(await makeKey(tx, parts, acting, wanted))
      }
    },
  },

  "reset-key": {
    usage: "--key ID [--days N]",
    about:
      "for a key that is out: it and its tokens are dead, its webhooks stopped; the business claims the one in its place in the console, and where nobody there can, it is shown here",
    read: (options) => {
      const id = act.givenId(options, "key")
      const asked = daysOf(options)
      return async (desk) => {
        const businessId = await findBusinessOf(desk, id)
        const { tx, parts, acting } = roomOf(desk, businessId)
        const days = asked ?? (await agreedDays(desk, businessId))
        if ((await addressesOf(desk.trx, businessId, DEVELOPERS)).length > 0) {
          const ended = await endForClaim(tx, acting, { id, businessId, language: "en" })
          return { reset: id, "to-be-claimed": true, ...stopped(ended) }
        }
        const made = await replaceKey(tx, parts, acting, { id, days })
        return { reset: id, ...shownOnce(made), ...stopped(made) }
      }
    },
  },

  "revoke-key": {
    usage: "--key ID",
    about: "the key and its tokens are dead, its webhooks stopped; revoked is false when they were already",
    read: (options) => {
      const id = act.givenId(options, "key")
      return async (desk) => {
        const { tx, acting } = roomOf(desk, await findBusinessOf(desk, id))
        const ended = await endKey(tx, acting, id)
        return { revoked: ended.revoked, ...stopped(ended) }
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
        const keys = await listKeys(desk.trx, id, DEAD_KEYS_MOST, desk.now)
        return { keys: keys.map((key) => shown(key, desk.now)).reverse() }
      }
    },
  },
}

const DEAD_KEYS_MOST = 100_000

/** What the rules of keys need, in the transaction of the act; the record says who used the shell. */
function roomOf(desk: act.Desk, businessId: string) {
  const { trx, config, now: at, randomness, by, record } = desk
  const tx: KeysTx = {
    ...apiKeyRows(trx, businessId),
    appendAudit: ({ act, target, before, after }) =>
      record({ act, businessId, target, ...(before && { before }), ...(after && { after }) }),
    writeToOwners: (letter, language) => writeByQueue(desk, letter, language),
  }
  const peppers = peppersOf(config)
  const parts: KeyParts = {
    newId: randomness.newId,
    newKeyBytes: () => Buffer.from(randomness.randomBytes(32)).toString("base64url"),
    hashKey: (key) => hashesWith(peppers, (pepper) => createHmac("sha256", pepper).update(key).digest()),
  }
  return { tx, parts, acting: { at, by: by.person } }
}

/** Written by the worker, if this act comes to its end. */
async function writeByQueue(
  { trx, config }: act.Desk,
  letter: LetterToOwners,
  language: Language,
): Promise<void> {
  const jobs = await openJobs(config.DATABASE_URL, {
    worker: false,
    onError: (error) => {
      throw error
    },
  })
  try {
    await writeToOwners(
      trx,
      createWriteToMember(jobs.boss, () => undefined),
      letter,
      language,
    )
  } finally {
    await jobs.stop(1000)
  }
}

const agreedDays = async (desk: act.Desk, businessId: string): Promise<number> =>
  (await act.findBusiness(desk, businessId)).keyLifetimeDays

const shownOnce = ({ key, secret }: MadeKey) => ({
  key: key.id,
  "api-key": secret,
  expires: key.expiresAt.toISOString(),
})

/** Each goes on when its user gives it a new secret (choice 204). */
const stopped = ({ stoppedWebhooks: webhooks }: { readonly stoppedWebhooks: readonly string[] }) =>
  webhooks.length > 0 ? { "stopped-webhooks": webhooks } : {}

function daysOf(options: act.Options): number | null {
  const days = act.optional(options, "days")
  return days === undefined ? null : act.wholeNumber(days, "days", KEY_DAYS_MOST)
}

async function findBusinessOf({ trx }: act.Desk, keyId: string): Promise<string> {
  const businessId = await businessOfKey(trx, keyId)
  if (businessId === null) throw new NotUnderstood("There is no such key.")
  return businessId
}

const shown = (key: ApiKey, now: Date) => ({
  key: key.id,
  name: key.name,
  user: key.username,
  kind: key.kind,
  hint: key.hint,
  state: stateOf(key, now),
  created: key.createdAt,
  expires: key.expiresAt,
  used: key.lastUsedAt,
  revoked: key.revokedAt,
})

function stateOf(key: ApiKey, now: Date): string {
  if (key.revokedAt !== null) return "revoked"
  if (key.userRemovedAt !== null) return "user removed"
  return key.expiresAt <= now ? "expired" : "alive"
}
