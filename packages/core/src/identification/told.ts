import type { Evidence } from "../evidence/model.ts"
import type { JournalType } from "../journal/model.ts"
import type { EventOf } from "../signature-request/event.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import type { Identification, IdentificationState } from "./model.ts"

type Identify = EventOf<"identify">

const EVIDENCE = {
  STARTED: "identification.started",
  PENDING_REVIEW: "identification.pending-review",
  ACCEPTED: "identification.accepted",
  REJECTED: "identification.rejected",
} as const satisfies Partial<Record<IdentificationState, Evidence["type"]>>

const JOURNAL = {
  STARTED: "identification.started",
  PENDING_REVIEW: "identification.pending_review",
  ACCEPTED: "identification.accepted",
  REJECTED: "identification.rejected",
} as const satisfies Partial<Record<IdentificationState, JournalType>>

/** What is left behind of a step. It outlives the request, so it names nobody. */
export function evidenceOfIdentification(
  event: Identify,
  before: SignatureRequest,
  after: SignatureRequest,
): readonly Evidence[] {
  const now = identificationIn(after, event)
  if (now === null) return []
  const { id, provider, attempt, reason } = now
  const { signatureId, at, step } = event
  const data = { evidence: id, provider, attempt, ...(reason !== null && { reason }) }
  if (step.type === "return") return [{ type: "identification.returned", at, signatureId, data }]
  const state = told(identificationIn(before, event), now)
  if (state === null) return []
  const of = step.type === "review" ? { ...data, reviewed: step.isThePerson ? "yes" : "no" } : data
  return [{ type: EVIDENCE[state], at, signatureId, data: of }]
}

export function journalOfIdentification(
  event: Identify,
  before: SignatureRequest,
  after: SignatureRequest,
): JournalType | null {
  const now = identificationIn(after, event)
  const state = now === null ? null : told(identificationIn(before, event), now)
  return state === null ? null : JOURNAL[state]
}

/** The state that it has come to, where that is news: going to the provider once more is, being asked to wait again is not. */
function told(before: Identification | null, now: Identification): keyof typeof EVIDENCE | null {
  if (now.state === "CREATED") return null
  const isNews = before?.state !== now.state || before.attempt !== now.attempt || before.reason !== now.reason
  return isNews ? now.state : null
}

const identificationIn = ({ signatures }: SignatureRequest, { signatureId }: Identify) =>
  signatures.find(({ id }) => id === signatureId)?.identification ?? null
