import { mustBeIdentified } from "../../identification/needed.ts"
import { Refusal } from "../../refusal.ts"
import type { EventOf, Step } from "../event.ts"
import { keyHolder } from "../key-holder.ts"
import type { Signature, SignatureRequest, SigningTurn } from "../model.ts"
import { change, openSignature, whoseTurnItIs } from "../turn.ts"
import { mustBeInTime } from "./ending.ts"

/**
 * A signer's own key signs what was shown and released, so nobody else may change the documents in between: the signer takes a
 * turn on them, which ends by itself.
 */
export function takeTurn(request: SignatureRequest, event: EventOf<"take-turn">): Step {
  const signature = whoseTurnItIs(request, event.signatureId)
  if (keyHolder(request) !== "signer")
    throw new Refusal("signature-not-open", "No key of the signer is wanted here.")
  mustBeInTime(request, event.at)
  mustBeIdentified(request, signature, event.at)
  // A double tap: the first one's turn goes on.
  if (isHeld(signature.turn, event.at)) return { request, effects: [] }
  mustBeFree(request, signature, event.at)
  const { releaseId, until, name, provider } = event
  // A weight that only a provider's certificate has is never made by a key of ours (decisions, "what a quality means here").
  if (provider === null && request.quality === "QES" && request.kind === "production")
    throw new Refusal("signature-not-open", "A qualified provider makes this signature.")
  // Nothing can be prepared before the certificate is known, and that is at the provider.
  const state = provider === null ? ("preparing" as const) : ("logging-in" as const)
  const taken = {
    consent: event.consent,
    turn: { releaseId, until, provider, state, name },
    waitingFor: null,
  }
  return {
    request: { ...change(request, signature.id, taken), updatedAt: event.at },
    effects: provider === null ? [{ type: "prepare-release", signatureId: signature.id, releaseId }] : [],
  }
}

export function logIn(request: SignatureRequest, event: EventOf<"log-in">): Step {
  const { id, turn } = held(request, event)
  if (turn.state !== "logging-in") return { request, effects: [] }
  const preparing = { turn: { ...turn, state: "preparing" as const } }
  return {
    request: change(request, id, preparing),
    effects: [{ type: "prepare-release", signatureId: id, releaseId: turn.releaseId }],
  }
}

/** The key, the certificate and the bytes to sign are there; now the signer is asked for a factor. */
export function offerRelease(request: SignatureRequest, event: EventOf<"offer-release">): Step {
  const { id, turn, consent } = held(request, event)
  if (turn.state !== "preparing") return { request, effects: [] }
  const { name = turn.name } = event
  const offered = { turn: { ...turn, name, state: "offered" as const }, waitingFor: null }
  const named = consent === null ? null : { ...consent, name: name.name }
  return { request: change(request, id, { ...offered, consent: named }), effects: [] }
}

export function release(request: SignatureRequest, event: EventOf<"release">): Step {
  const signature = held(request, event)
  if (signature.turn.state !== "offered") throw over()
  const { releaseId, provider } = signature.turn
  const released = { turn: { ...signature.turn, state: "released" as const } }
  return {
    request: { ...change(request, signature.id, released), updatedAt: event.at },
    effects:
      provider === null
        ? marksToMake(signature)
        : [{ type: "sign-remotely", signatureId: signature.id, releaseId }],
  }
}

export function keepValues(request: SignatureRequest, event: EventOf<"keep-values">): Step {
  const signature = openSignature(request, event.signatureId)
  const { turn } = signature
  if (turn?.releaseId !== event.releaseId || turn.state !== "released") throw over()
  const effects = marksToMake(signature)
  return { request: change(request, signature.id, { waitingFor: null }), effects }
}

const marksToMake = ({ id, marks }: Signature): Step["effects"] =>
  marks
    .filter((m) => m.versionId === null)
    .map((m) => ({ type: "sign", signatureId: id, documentId: m.documentId }))

/** The signer went back, let the time pass, or the provider made no signature: they have agreed to nothing. */
export function endTurn(request: SignatureRequest, event: EventOf<"end-turn">): Step {
  const { id, turn } = openSignature(request, event.signatureId)
  if (turn === null || turn.releaseId !== event.releaseId) return { request, effects: [] }
  if (turn.state === "released" && event.by !== "provider") return { request, effects: [] }
  if (event.by === "time" && turn.until > event.at) return { request, effects: [] }
  return { request: change(request, id, { consent: null, turn: null, waitingFor: null }), effects: [] }
}

/** Somebody else is at one of these documents: by a turn that lasts, or by a signature that is being made. */
export function mustBeFree(request: SignatureRequest, own: Signature, at: Date): void {
  const ids = own.marks.flatMap((m) => (m.versionId === null ? m.documentId : []))
  const isAtOneOf = ({ marks }: Signature) =>
    marks.some((m) => m.versionId === null && ids.includes(m.documentId))
  const others = request.signatures.filter((s) => s.id !== own.id && s.state === "open" && isAtOneOf(s))
  if (others.some((other) => hasAgreed(other, at)))
    throw new Refusal("others-signing", "Somebody else is signing this document just now. Try again shortly.")
}

/** The same for who needs no turn: signatures by the service's own key wait for each other by themselves. */
export function mustNotDisturb(request: SignatureRequest, own: Signature, at: Date): void {
  const others = request.signatures.filter((s) => s.turn !== null)
  mustBeFree({ ...request, signatures: others }, own, at)
}

export const isHeld = (turn: SigningTurn | null, at: Date): boolean =>
  turn !== null && (turn.state === "released" || turn.until > at)

/** Whoever let the turn pass has agreed to nothing, whether or not a sweep has come by. */
export const hasAgreed = ({ consent, turn }: Signature, at: Date): boolean =>
  consent !== null && (turn === null || isHeld(turn, at))

function held(
  request: SignatureRequest,
  event: { readonly signatureId: string; readonly releaseId: string; readonly at: Date },
): Signature & { readonly turn: SigningTurn } {
  const signature = openSignature(request, event.signatureId)
  const { turn } = signature
  if (turn?.releaseId !== event.releaseId || turn.until <= event.at) throw over()
  mustBeInTime(request, event.at)
  return { ...signature, turn }
}

const over = () => new Refusal("release-over", "The time to confirm has passed. Please sign again.")
