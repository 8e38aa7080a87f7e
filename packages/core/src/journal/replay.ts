import type { Caller } from "../access/caller.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { WhichEvents } from "../webhook/model.ts"
import { mustBeOwn } from "../webhook/own.ts"

export type ReplayEvents = { readonly webhookId: string; readonly which: WhichEvents }

/** Sends entries of the journal to a webhook of the caller once more; answers how many. */
export function replayEvents(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  { webhookId, which }: ReplayEvents,
): Promise<number> {
  return parts.transact(caller.businessId, async (tx) => {
    const webhook = mustBeOwn(caller, await tx.lockWebhook(webhookId))
    if (webhook.stoppedAt !== null)
      throw new Refusal("constraint-violated", "The webhook is stopped. Give it a new secret first.")
    return tx.replayEvents(webhook, which, parts.now())
  })
}
