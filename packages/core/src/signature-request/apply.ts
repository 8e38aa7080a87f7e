import { evidenceOf } from "../evidence/of-event.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type Event, transition } from "./machine.ts"
import type { SignatureRequest } from "./model.ts"

/** Every change of a request goes through here: lock, step, save, append evidence, enqueue; one transaction. */
export async function apply(tx: Tx, id: string, event: Event): Promise<SignatureRequest> {
  const before = await tx.lockRequest(id)
  if (before === null) throw new Refusal("not-found", "There is no such signature request.")
  const { request, effects } = transition(before, event)
  if (request === before) return before
  await tx.saveRequest(request)
  await tx.appendEvidence(id, evidenceOf(event, before, request))
  await tx.enqueue(request, effects)
  return request
}
