import type { Caller } from "../access/caller.ts"
import { Refusal } from "../refusal.ts"
import type { Webhook } from "./model.ts"

/** A webhook is of the API user who made it, by keys of one kind; nobody else is told that it exists (choice 130). */
export function mustBeOwn(caller: Caller, webhook: Webhook | null): Webhook {
  if (webhook === null || webhook.ownerId !== caller.userId || webhook.kind !== caller.kind)
    throw new Refusal("not-found", "There is no such webhook.")
  return webhook
}
