import type { Caller } from "../access/caller.ts"
import { deletedBy, OUT_OF_TIME } from "../evidence/erase.ts"
import type { Evidence } from "../evidence/model.ts"
import { evidenceOf } from "../evidence/of-event.ts"
import type { JournalEntry } from "../journal/model.ts"
import { journalOf, journalOfRemoved } from "../journal/of-change.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Event } from "./event.ts"
import { mustNotBeHeld } from "./hold.ts"
import { transition } from "./machine.ts"
import { type Signature, type SignatureRequest, statusOf } from "./model.ts"
import { removal } from "./steps/ending.ts"

/**
 * Every change of a request goes through here: lock, step, save, append evidence and journal, enqueue; one transaction.
 * What a caller of the interface does is evidence in the caller's name; signers and the clock have none.
 */
export async function apply(tx: Tx, id: string, event: Event, caller?: Caller): Promise<SignatureRequest> {
  const before = await locked(tx, id)
  const { request, effects } = transition(before, event)
  if (request === before) return before
  await tx.saveRequest(request, before)
  await tx.removeLooks(endedBetween(before, request))
  await tx.appendEvidence(id, by(caller, evidenceOf(event, before, request)))
  await tx.appendJournal(journalOf(event, before, request))
  await tx.enqueue(request, effects)
  return request
}

/** What is told of a request before its first event. */
export type Beginning = { readonly evidence: readonly Evidence[]; readonly journal: readonly JournalEntry[] }

/**
 * The same for one that is only being made: nobody else can have it, so it is written once, as its first event leaves it. Without
 * an event it stays the draft that it is.
 */
export async function applyToNew(
  tx: Tx,
  draft: SignatureRequest,
  beginning: Beginning,
  event: Event | null,
  caller: Caller,
): Promise<SignatureRequest> {
  const { request, effects } = event === null ? { request: draft, effects: [] } : transition(draft, event)
  const follows =
    event === null
      ? NOTHING
      : { evidence: evidenceOf(event, draft, request), journal: journalOf(event, draft, request) }
  await tx.insertRequest(request)
  await tx.appendEvidence(draft.id, [...beginning.evidence, ...by(caller, follows.evidence)])
  await tx.appendJournal([...beginning.journal, ...follows.journal])
  await tx.enqueue(request, effects)
  return request
}

const NOTHING: Beginning = { evidence: [], journal: [] }

/** The signatures for which nobody needs a drawing or a picture any more: made, declined, or of a request that has ended. */
function endedBetween(before: SignatureRequest, after: SignatureRequest): readonly string[] {
  const isAlive = (request: SignatureRequest, { state }: Signature) =>
    statusOf(request) === "OPEN" && state === "open"
  const alive = new Set(after.signatures.filter((s) => isAlive(after, s)).map((s) => s.id))
  return before.signatures.filter((s) => isAlive(before, s) && !alive.has(s.id)).map((s) => s.id)
}

/** The same for the end of all: the request goes, its documents are marked for the sweep (SR-20), and its story is erased (ADR 0055). */
export async function applyRemoval(tx: Tx, id: string, at: Date, caller?: Caller): Promise<void> {
  const request = await locked(tx, id)
  await mustNotBeHeld(tx, id)
  await tx.appendEvidence(id, by(caller, [{ type: "request.deleted", at }]))
  await tx.appendJournal(journalOfRemoved(request, at))
  await tx.enqueue(request, removal(request))
  await tx.removeRequest(request, at)
  const why = caller === undefined ? OUT_OF_TIME : deletedBy(caller)
  await tx.eraseStory({ id, about: "signature-request", at, ...why })
}

/** Several may write a request: which of them did it, and by which key. */
function by(caller: Caller | undefined, evidence: readonly Evidence[]): readonly Evidence[] {
  if (caller === undefined) return evidence
  const { username, keyId } = caller
  return evidence.map((one) => ({ ...one, data: { ...one.data, by: username, key: keyId } }))
}

async function locked(tx: Tx, id: string): Promise<SignatureRequest> {
  const request = await tx.lockRequest(id)
  if (request === null) throw new Refusal("not-found", "There is no such signature request.")
  return request
}
