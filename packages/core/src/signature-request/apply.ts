import { evidenceOf } from "../evidence/of-event.ts"
import { journalOf, journalOfRemoved } from "../journal/of-change.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Event } from "./event.ts"
import { transition } from "./machine.ts"
import type { SignatureRequest } from "./model.ts"
import { removal } from "./steps/ending.ts"

/** Every change of a request goes through here: lock, step, save, append evidence and journal, enqueue; one transaction. */
export async function apply(tx: Tx, id: string, event: Event): Promise<SignatureRequest> {
  const before = await locked(tx, id)
  const { request, effects } = transition(before, event)
  if (request === before) return before
  await tx.saveRequest(request, before)
  await tx.appendEvidence(id, evidenceOf(event, before, request))
  await tx.appendJournal(journalOf(event, before, request))
  await tx.enqueue(request, effects)
  return request
}

/** The same for the end of all: the request goes, and its documents are marked for the sweep (SR-20). */
export async function applyRemoval(tx: Tx, id: string, at: Date): Promise<void> {
  const request = await locked(tx, id)
  await tx.appendEvidence(id, [{ type: "request.deleted", at }])
  await tx.appendJournal(journalOfRemoved(request, at))
  await tx.enqueue(request, removal(request))
  await tx.removeRequest(request, at)
}

async function locked(tx: Tx, id: string): Promise<SignatureRequest> {
  const request = await tx.lockRequest(id)
  if (request === null) throw new Refusal("not-found", "There is no such signature request.")
  return request
}
