import { Refusal } from "../refusal.ts"
import type { EventOf, Step } from "../signature-request/event.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { hasAgreed } from "../signature-request/steps/releasing.ts"
import { change, isReachable, openSignature, whoseTurnItIs } from "../signature-request/turn.ts"
import { identificationStep } from "./machine.ts"
import { identificationOf } from "./needed.ts"

/** A step of one signer's identification, in the machine of the request. It never moves a status. */
export function identify(request: SignatureRequest, { signatureId, step, at }: EventOf<"identify">): Step {
  const signature =
    step.type === "begin" ? whoseTurnItIs(request, signatureId) : openSignature(request, signatureId)
  const before = identificationOf(request, signature)
  if (before === null) throw new Refusal("not-found", "There is nothing to identify for.")
  // Whoever has agreed was identified: what comes after that changes nothing.
  if (hasAgreed(signature, at)) return { request, effects: [] }
  const identification = identificationStep(before, step, at)
  if (identification === before) return { request, effects: [] }
  const after = change(request, signatureId, { identification })
  if (step.type === "return") return { request: after, effects: [{ type: "ask-provider", signatureId }] }
  // Nobody sits before the page for days: who had to wait for a review is written to.
  const isReviewed = before.state === "PENDING_REVIEW" && identification.state !== "PENDING_REVIEW"
  return {
    request: after,
    effects: isReviewed && isReachable(signature) ? [{ type: "remind", signatureId }] : [],
  }
}
