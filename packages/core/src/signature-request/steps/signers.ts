import { LIMITS } from "../../limits.ts"
import { Refusal } from "../../refusal.ts"
import type { EventOf, Step } from "../event.ts"
import { type Signature, type SignatureRequest, statusOf } from "../model.ts"
import { change, invitations, openSignature, turn } from "../turn.ts"
import { complete, hasExpired, tellObservers } from "./ending.ts"
import { hasAgreed } from "./releasing.ts"

/** DRAFT → OPEN. v1 and v2 write to those whose turn it is, v3 to everybody at once (SR-11, SR-18). */
export function start(request: SignatureRequest, { members, at }: EventOf<"start">): Step {
  if (hasExpired(request, at))
    throw new Refusal("request-not-open", "Its expires_at has passed; it cannot be initiated.")
  const signatures = [...request.signatures, ...members]
  const started: SignatureRequest = {
    ...request,
    signatures,
    groups: [],
    lifecycle: "started",
    updatedAt: at,
  }
  mustNotBeTooMany(started)
  const atOnce = request.inviting === "all-at-once" ? signatures : []
  const step = invitations(started, at, { before: [], atOnce })
  return { ...step, effects: [...step.effects, ...tellObservers(request.observers)] }
}

/** A member's statement about a signer who has not agreed yet; it replaces an earlier one. */
export function vouch(request: SignatureRequest, event: EventOf<"vouch">): Step {
  const signature = openSignature(request, event.signatureId)
  if (hasAgreed(signature, event.at))
    throw new Refusal("signature-not-open", "The signer has agreed already; the name is settled.")
  const vouched = change(request, event.signatureId, { vouch: event.vouch })
  return { request: { ...vouched, updatedAt: event.at }, effects: [] }
}

/** To an OPEN request the invitation goes out at once; one whose turn comes later reads so in the mail. */
export const addSigner = (request: SignatureRequest, { signature, at }: EventOf<"add-signer">): Step =>
  join(request, [signature], at)

/** While DRAFT a group is an entry; where the request is OPEN already its members join at once. */
export function addGroup(request: SignatureRequest, { entry, members, at }: EventOf<"add-group">): Step {
  if (request.lifecycle !== "draft") return join(request, members, at)
  const groups = [...request.groups, entry]
  const after = { ...request, groups, updatedAt: at }
  mustNotBeTooMany(after)
  return { request: after, effects: [] }
}

function join(request: SignatureRequest, newcomers: readonly Signature[], at: Date): Step {
  const after = { ...request, signatures: [...request.signatures, ...newcomers], updatedAt: at }
  mustNotBeTooMany(after)
  if (request.lifecycle === "draft") return { request: after, effects: [] }
  return invitations(after, at, { before: turn(request), atOnce: newcomers })
}

/** Decisions, "remove a signer": where all others have signed, the request is SIGNED. */
export function removeSigner(request: SignatureRequest, { signatureId, at }: EventOf<"remove-signer">): Step {
  const groups = request.groups.filter((g) => g.id !== signatureId)
  if (groups.length < request.groups.length)
    return { request: { ...request, groups, updatedAt: at }, effects: [] }
  const removed = openSignature(request, signatureId)
  if (removed.consent !== null) throw new Refusal("signature-not-open", "The signature is being made.")
  const signatures = request.signatures.filter((s) => s !== removed)
  const after = { ...request, signatures, updatedAt: at }
  if (request.lifecycle === "draft") return { request: after, effects: [] }
  if (statusOf(after) === "SIGNED") return complete({ ...after, documents: ready(after, at) })
  return invitations(after, at, { before: turn(request), atOnce: [] })
}

/** The last mark on each was not made as the last one, so the time-stamp over the whole document is still to come. */
const ready = ({ documents, signatures }: SignatureRequest, at: Date): SignatureRequest["documents"] =>
  documents.map((document) => {
    const isSigned = signatures.some((s) =>
      s.marks.some((m) => m.documentId === document.id && m.versionId !== null),
    )
    return isSigned && document.renewAt === null ? { ...document, renewAt: at } : document
  })

/** Decisions, "update": full replacement, only while nobody has signed; who is at it counts as having signed. */
export function replaceSigners(request: SignatureRequest, event: EventOf<"replace-signers">): Step {
  mustBeUntouched(request)
  const started = request.lifecycle !== "draft"
  const after: SignatureRequest = {
    ...request,
    signatures: started ? [...event.signatures, ...event.members] : event.signatures,
    groups: started ? [] : event.groups,
    updatedAt: event.at,
  }
  mustNotBeTooMany(after)
  if (!started) return { request: after, effects: [] }
  const atOnce = request.inviting === "all-at-once" ? after.signatures : []
  return invitations(after, event.at, { before: [], atOnce })
}

export function mustBeUntouched(request: SignatureRequest): void {
  if (request.signatures.some((s) => s.state !== "open" || s.consent !== null))
    throw new Refusal("signature-not-open", "Somebody has signed already.")
}

export function mustNotBeTooMany(request: Pick<SignatureRequest, "signatures" | "groups">): void {
  if (request.signatures.length + request.groups.length > LIMITS.signersPerRequest)
    throw new Refusal("constraint-violated", `A request has at most ${LIMITS.signersPerRequest} signers.`)
  const marks = [...request.signatures, ...request.groups].reduce((sum, { marks }) => sum + marks.length, 0)
  if (marks > LIMITS.marksPerRequest)
    throw new Refusal(
      "constraint-violated",
      `A request has at most ${LIMITS.marksPerRequest} marks, one for each signer and document.`,
    )
}
