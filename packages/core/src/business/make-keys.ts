import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import { newApiKey } from "../login/api-key.ts"
import type { HashKey } from "../login/ports.ts"
import type { NewId } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { ApiKey } from "./api-key.ts"
import type { KeysTx, KeyUser } from "./ports.ts"

/** What the developer page, the operator's page and `paraph admin` do to keys: one rule for all, each in its own transaction. */
export type KeyParts = {
  readonly newId: NewId
  readonly hashKey: HashKey
  /** Base64url of 32 random bytes. */
  readonly newKeyBytes: () => string
}

/** Who acts, and when; `by` is the e-mail address where a person is known, and null for who only has a shell. */
export type Acting = { readonly at: Date; readonly by: string | null }

/** `secret` is the key itself: it is answered once, and nowhere else. */
export type MadeKey = { readonly key: ApiKey; readonly secret: string }

const DAY_MS = 86_400_000

export async function makeKey(
  tx: KeysTx,
  parts: KeyParts,
  acting: Acting,
  wanted: { readonly user: KeyUser; readonly kind: Kind; readonly name: string; readonly days: number },
): Promise<MadeKey> {
  const made = await insert(tx, parts, acting, wanted)
  const { id, name, username: user, kind, expiresAt: expires } = made.key
  const after = { name, user, kind, expires }
  await tx.appendAudit({ ...acting, act: "create-key", target: `key ${id}`, after })
  return made
}

/**
 * A new key in place of one that is out, or that an operator has ended for that: same user, kind and name; the old one and its
 * tokens are dead (AUTH-14).
 */
export async function replaceKey(
  tx: KeysTx,
  parts: KeyParts,
  acting: Acting,
  { id, days }: { readonly id: string; readonly days: number },
): Promise<MadeKey & { readonly stoppedWebhooks: readonly string[] }> {
  const old = found(await tx.lockKey(id))
  const isClaimed = old.claimableSince !== null
  if (old.revokedAt !== null && !isClaimed)
    throw new Refusal("constraint-violated", "This key is revoked already.")
  if (old.userRemovedAt !== null) throw new Refusal("constraint-violated", "The user of this key is removed.")
  const stoppedWebhooks = isClaimed ? [] : await tx.revokeKey(id, acting.at)
  if (isClaimed) await tx.markClaimed(id, acting.at)
  // One that was dead already makes no room by its end.
  if (isClaimed || old.expiresAt <= acting.at) await mustHaveRoom(tx, acting.at)
  const { kind, name, username, expiresAt: expires } = old
  const user = { id: old.userId, username }
  const made = await insert(tx, parts, acting, { user, kind, name, days })
  const before = { name, user: username, kind, expires }
  const after = { key: made.key.id, expires: made.key.expiresAt, ...stopped(stoppedWebhooks) }
  const act = isClaimed ? "claim-key" : "reset-key"
  await tx.appendAudit({ ...acting, act, target: `key ${old.id}`, before, after })
  return { ...made, stoppedWebhooks }
}

/** AUTH-14, by an operator: the key is dead at once. What takes its place is shown to those of the business, and to nobody else. */
export async function endForClaim(
  tx: KeysTx,
  acting: Acting,
  {
    id,
    businessId,
    language,
  }: { readonly id: string; readonly businessId: string; readonly language: Language },
): Promise<{ readonly stoppedWebhooks: readonly string[] }> {
  const key = found(await tx.lockKey(id))
  if (key.revokedAt !== null) throw new Refusal("constraint-violated", "This key is revoked already.")
  const stoppedWebhooks = await tx.revokeKey(id, acting.at)
  await tx.markReset(id, acting.at)
  const { name, hint, username: user, kind, expiresAt: expires } = key
  const change = {
    before: { name, user, kind, expires },
    after: { revoked: acting.at, ...stopped(stoppedWebhooks) },
  }
  await tx.appendAudit({ ...acting, act: "end-key-for-reset", target: `key ${id}`, ...change })
  const at = acting.at.toISOString()
  await tx.writeToOwners({ letter: "key-reset", businessId, at, key: { name, hint } }, language)
  return { stoppedWebhooks }
}

export async function mustHaveRoom(tx: Pick<KeysTx, "countLiveKeys">, at: Date): Promise<void> {
  if ((await tx.countLiveKeys(at)) >= LIMITS.keysPerBusiness)
    throw new Refusal(
      "constraint-violated",
      `A business has at most ${LIMITS.keysPerBusiness} keys that live. Revoke one first.`,
    )
}

/** The key and its tokens are dead, its webhooks stopped. Nothing happens to one that was revoked before. */
export async function endKey(
  tx: KeysTx,
  acting: Acting,
  id: string,
): Promise<{ readonly revoked: boolean; readonly stoppedWebhooks: readonly string[] }> {
  const key = found(await tx.lockKey(id))
  const { name, username: user, kind, expiresAt: expires } = key
  if (key.revokedAt !== null) return { revoked: false, stoppedWebhooks: [] }
  const stoppedWebhooks = await tx.revokeKey(id, acting.at)
  const change = {
    before: { name, user, kind, expires },
    after: { revoked: acting.at, ...stopped(stoppedWebhooks) },
  }
  await tx.appendAudit({ ...acting, act: "revoke-key", target: `key ${key.id}`, ...change })
  return { revoked: true, stoppedWebhooks }
}

export function found(key: ApiKey | null): ApiKey {
  if (key === null) throw new Refusal("not-found", "There is no such key.")
  return key
}

/** Webhooks that were made by that key, or whose secret was shown to it; each goes on when its user gives it a new one (choice 204). */
const stopped = (webhooks: readonly string[]) => (webhooks.length > 0 ? { stoppedWebhooks: webhooks } : {})

async function insert(
  tx: KeysTx,
  { newId, newKeyBytes, hashKey }: KeyParts,
  { at, by }: Acting,
  wanted: { readonly user: KeyUser; readonly kind: Kind; readonly name: string; readonly days: number },
): Promise<MadeKey> {
  const { user, kind, name, days } = wanted
  const secret = newApiKey(kind, newKeyBytes())
  const key: ApiKey = {
    id: newId(),
    name,
    userId: user.id,
    username: user.username,
    userRemovedAt: null,
    kind,
    hint: secret.slice(-4),
    createdAt: at,
    expiresAt: new Date(at.getTime() + days * DAY_MS),
    lastUsedAt: null,
    revokedAt: null,
    claimableSince: null,
    createdBy: by,
  }
  await tx.insertKey(key, hashKey(secret))
  return { key, secret }
}
