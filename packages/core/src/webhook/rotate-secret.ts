import type { Caller } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Transact } from "../ports.ts"
import type { NewWebhookParts } from "./create.ts"
import type { Webhook } from "./model.ts"
import { mustBeOwn } from "./own.ts"

/**
 * A new secret, at once; the one before it signs beside it for a day, and an older one no more (choice 132). One that was
 * stopped goes on, and the secret that others may know signs no more (choice 204).
 */
export function rotateSecret(
  parts: Pick<NewWebhookParts, "now" | "newWebhookSecret"> & { readonly transact: Transact },
  caller: Caller,
  id: string,
): Promise<Webhook> {
  return parts.transact(caller.businessId, async (tx) => {
    const webhook = mustBeOwn(caller, await tx.lockWebhook(id))
    const now = parts.now()
    const validUntil = new Date(now.getTime() + LIMITS.webhookSecretOverlapMs)
    const last = webhook.stoppedAt === null ? webhook.secrets.slice(0, 1) : []
    const before = last.map(({ secret }) => ({ secret, validUntil }))
    const secrets = [{ secret: parts.newWebhookSecret(), validUntil: null }, ...before]
    const rotated = { ...webhook, secrets, shownTo: caller.keyId, stoppedAt: null, updatedAt: now }
    await tx.saveWebhookSecrets(rotated)
    return rotated
  })
}
