import { type Caller, ownedBy } from "../access/caller.ts"
import { callbackUrlFault } from "../callback/address.ts"
import type { JournalType } from "../journal/model.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Webhook } from "./model.ts"

export type CreateWebhook = { readonly url: string; readonly types: readonly JournalType[] }

export type NewWebhookParts = {
  readonly transact: Transact
  readonly now: Clock
  readonly newId: NewId
  /** `whsec_` and Base64 of 32 random bytes. */
  readonly newWebhookSecret: () => string
}

/** Decisions, "webhooks". The secret is in the answer and, from then on, nowhere to be read. */
export function createWebhook(
  parts: NewWebhookParts,
  caller: Caller,
  { url, types }: CreateWebhook,
): Promise<Webhook> {
  const fault = callbackUrlFault(url)
  if (fault !== null) throw new Refusal("constraint-violated", `url ${fault}.`)
  const now = parts.now()
  const webhook: Webhook = {
    id: parts.newId(),
    ...ownedBy(caller),
    url,
    types: [...new Set(types)],
    secrets: [{ secret: parts.newWebhookSecret(), validUntil: null }],
    shownTo: caller.keyId,
    madeBy: caller.keyId,
    stoppedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return parts.transact(caller.businessId, async (tx) => {
    if ((await tx.countWebhooks(caller)) >= LIMITS.webhooksPerBusiness)
      throw new Refusal(
        "constraint-violated",
        `A business has at most ${LIMITS.webhooksPerBusiness} webhooks.`,
      )
    await tx.insertWebhook(webhook)
    return webhook
  })
}
