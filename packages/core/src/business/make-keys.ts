import { newApiKey } from "../login/api-key.ts"
import type { HashKey, NewId } from "../ports.ts"
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

/** A new key in place of one that is out: same user, kind and name; the old one and its tokens are dead (AUTH-14). */
export async function replaceKey(
  tx: KeysTx,
  parts: KeyParts,
  acting: Acting,
  { id, days }: { readonly id: string; readonly days: number },
): Promise<MadeKey & { readonly stoppedWebhooks: readonly string[] }> {
  const old = found(await tx.lockKey(id))
  if (old.revokedAt !== null) throw new Refusal("constraint-violated", "This key is revoked already.")
  if (old.userRemovedAt !== null) throw new Refusal("constraint-violated", "The user of this key is removed.")
  const stoppedWebhooks = await tx.revokeKey(id, acting.at)
  const { kind, name, username, expiresAt: expires } = old
  const user = { id: old.userId, username }
  const made = await insert(tx, parts, acting, { user, kind, name, days })
  const before = { name, user: username, kind, expires }
  const after = { key: made.key.id, expires: made.key.expiresAt, ...stopped(stoppedWebhooks) }
  await tx.appendAudit({ ...acting, act: "reset-key", target: `key ${old.id}`, before, after })
  return { ...made, stoppedWebhooks }
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
const stopped = (webhooks: readonly string[]) => (webhooks.length > 0 ? { "stopped-webhooks": webhooks } : {})

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
    createdBy: by,
  }
  await tx.insertKey(key, hashKey(secret))
  return { key, secret }
}
