import { mustBeIdentified } from "../../identification/needed.ts"
import { LIMITS } from "../../limits.ts"
import { Refusal } from "../../refusal.ts"
import type { EventOf, Step } from "../event.ts"
import { keyHolder } from "../key-holder.ts"
import { type Signature, type SignatureRequest, statusOf } from "../model.ts"
import { change, invitations, isReachable, openSignature, turn, whoseTurnItIs } from "../turn.ts"
import { complete, failed, mustBeInTime } from "./ending.ts"
import { hasAgreed, mustNotDisturb } from "./releasing.ts"

export function consent(request: SignatureRequest, event: EventOf<"consent">): Step {
  const signature = whoseTurnItIs(request, event.signatureId)
  // A double tap signs once: the second consent changes nothing, and the first one's jobs are under way.
  if (signature.consent !== null) return { request, effects: [] }
  if (keyHolder(request) !== "service")
    throw new Refusal("not-released", "A key of the signer's own makes this signature.")
  mustBeInTime(request, event.at)
  mustBeIdentified(request, signature, event.at)
  mustNotDisturb(request, signature, event.at)
  return {
    request: { ...change(request, signature.id, { consent: event.consent }), updatedAt: event.at },
    effects: signature.marks
      .filter((m) => m.versionId === null)
      .map((m) => ({ type: "sign", signatureId: signature.id, documentId: m.documentId })),
  }
}

/** A signature is signed when all its marks are made; the request when all its signatures are (part 3.2). */
export function mark(request: SignatureRequest, event: EventOf<"mark">): Step {
  // The turn was judged when the signer agreed; somebody who was added before them since then does not undo that.
  const signature = openSignature(request, event.signatureId)
  if (signature.consent === null) throw new Refusal("signature-not-open", "The signer has not agreed yet.")
  const document = request.documents.find((d) => d.id === event.documentId)
  const wanted = signature.marks.find((m) => m.documentId === event.documentId)
  if (document === undefined || wanted === undefined || wanted.versionId !== null)
    throw new Refusal("signature-not-open", "No mark is wanted on this document.")
  // Two signers may press the button at once; the slower one signs again, onto the newer document.
  if (document.newestId !== event.onto)
    throw new Refusal("document-moved-on", "Someone signed in the meantime.")

  const marks = signature.marks.map((m) => (m === wanted ? { ...m, versionId: event.versionId } : m))
  const isSigned = marks.every((m) => m.versionId !== null)
  const newest = { newestId: event.versionId, renewAt: event.renewAt ?? null }
  const documents = request.documents.map((d) => (d === document ? { ...d, ...newest } : d))
  const made = { marks, waitingFor: null }
  const signed = isSigned ? { ...made, state: "signed" as const, signedAt: event.at } : made
  const after = { ...change(request, signature.id, signed), documents, updatedAt: event.at }
  if (!isSigned) return { request: after, effects: [] }
  if (statusOf(after) === "SIGNED") return complete(after)

  const next = invitations(after, event.at, { before: turn(request), atOnce: [] })
  return { ...next, effects: [{ type: "call-back", which: "update" }, ...next.effects] }
}

export function decline(request: SignatureRequest, event: EventOf<"decline">): Step {
  const signature = whoseTurnItIs(request, event.signatureId)
  if (hasAgreed(signature, event.at)) throw new Refusal("signature-not-open", "The signature is being made.")
  mustBeInTime(request, event.at)
  const over = { consent: null, turn: null, waitingFor: null }
  const declined = { ...over, state: "declined" as const, declineReason: event.reason }
  const after = { ...change(request, signature.id, declined), updatedAt: event.at }
  return failed(after, "declined", signature.id)
}

/** The same lack is noted once, however often it is met. */
export function wait(request: SignatureRequest, { signatureId, lack }: EventOf<"wait">): Step {
  const { id, consent, waitingFor } = openSignature(request, signatureId)
  if (consent === null) throw new Refusal("signature-not-open", "The signer has not agreed yet.")
  if (waitingFor === lack) return { request, effects: [] }
  return { request: change(request, id, { waitingFor: lack }), effects: [] }
}

export function fail(request: SignatureRequest, { signatureId, at }: EventOf<"fail">): Step {
  const { id } = openSignature(request, signatureId)
  return failed({ ...change(request, id, { state: "error" }), updatedAt: at }, null)
}

/** What the sender sees; somebody who looks does not move `updated_at`, and who comes back for what they signed nothing. */
export function open(request: SignatureRequest, { signatureId, at }: EventOf<"open">): Step {
  const hasSigned = request.signatures.some((s) => s.id === signatureId && s.state === "signed")
  if (hasSigned && ["OPEN", "SIGNED"].includes(statusOf(request))) return { request, effects: [] }
  openSignature(request, signatureId)
  return { request: change(request, signatureId, { lastViewedAt: at }), effects: [] }
}

export function bounce(request: SignatureRequest, event: EventOf<"mail-bounced">): Step {
  const { id } = openSignature(request, event.signatureId)
  return { request: change(request, id, { mailProblem: event.problem }), effects: [] }
}

/** Part 8: one reminder per signer per hour; those reminded within it are skipped, until none is left. */
export function remind(request: SignatureRequest, { signatureIds, at }: EventOf<"remind">): Step {
  const isKnown = (id: string) => request.signatures.some((s) => s.id === id)
  if (signatureIds !== null && !signatureIds.every(isKnown))
    throw new Refusal("not-found", "There is no such signature.")
  const asked = turn(request).filter(
    (s) => isReachable(s) && s.consent === null && (signatureIds === null || signatureIds.includes(s.id)),
  )
  const due = asked.filter((s) => waitMs(s, at) <= 0)
  if (due.length === 0 && asked.length > 0) throw tooOften(asked, at)
  const ids = new Set(due.map((s) => s.id))
  const signatures = request.signatures.map((s) => (ids.has(s.id) ? { ...s, remindedAt: at } : s))
  return {
    request: due.length === 0 ? request : { ...request, signatures },
    effects: due.map((s) => ({ type: "remind", signatureId: s.id })),
  }
}

const waitMs = ({ remindedAt }: Signature, at: Date): number =>
  remindedAt === null ? 0 : remindedAt.getTime() + LIMITS.reminderEveryMs - at.getTime()

function tooOften(asked: readonly Signature[], at: Date): Refusal {
  const retryAfterSeconds = Math.ceil(Math.min(...asked.map((s) => waitMs(s, at))) / 1000)
  return new Refusal("reminder-limited", "Everybody was reminded within the hour.", { retryAfterSeconds })
}
