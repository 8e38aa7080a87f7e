import { Refusal } from "../../refusal.ts"
import type { Effect, EventOf, Letter, Recipient, Step } from "../event.ts"
import { addressesOf, type Observer, type Signature, type SignatureRequest, statusOf } from "../model.ts"
import { isReachable, turn } from "../turn.ts"

/** The last signer has signed: by a mark, or because the one who was missing is no longer asked (ST-03). */
export const complete = (request: SignatureRequest): Step => ({
  request,
  effects: [{ type: "call-back", which: "success" }, ...tell("completed", everybody(request))],
})

/** Nobody is told: it is the same document, and whoever reads the request finds its newest version. */
export function renew(request: SignatureRequest, event: EventOf<"renew">): Step {
  const document = request.documents.find((d) => d.id === event.documentId)
  if (document?.newestId !== event.onto) throw new Refusal("document-moved-on", "Another worker was faster.")
  const renewed = { ...document, newestId: event.versionId, renewAt: event.renewAt }
  const documents = request.documents.map((d) => (d === document ? renewed : d))
  return { request: { ...request, documents, updatedAt: event.at }, effects: [] }
}

/** Part 6: any other end state calls the error address. A letter goes to everybody but the one who ended it. */
export function failed(request: SignatureRequest, letter: Letter | null, by?: string): Step {
  const enders = request.signatures.flatMap((s) => (s.id === by ? [s.email?.toLowerCase()] : []))
  const to = everybody(request).filter(({ email }) => !enders.includes(email.toLowerCase()))
  const told = letter === null ? [] : tell(letter, to)
  return { request, effects: [{ type: "call-back", which: "error" }, ...told] }
}

export function expire(request: SignatureRequest, { at }: EventOf<"expire">): Step {
  if (!hasExpired(request, at)) throw new Refusal("request-not-open", "The request has not expired yet.")
  return failed({ ...request, lifecycle: "expired", updatedAt: at }, "expired")
}

export const hasExpired = ({ expiresAt }: SignatureRequest, at: Date): boolean =>
  expiresAt !== null && at >= expiresAt.passesAt

/** The date counts, not the moment at which a sweep comes by. */
export function mustBeInTime(request: SignatureRequest, at: Date): void {
  if (hasExpired(request, at)) throw new Refusal("request-not-open", "The request has expired.")
}

/** Decisions, "withdraw". */
export const withdraw = (request: SignatureRequest, { message, at }: EventOf<"withdraw">): Step =>
  failed({ ...request, lifecycle: "withdrawn", withdrawMessage: message, updatedAt: at }, "withdrawn")

export function warnOfExpiry(request: SignatureRequest, { at }: EventOf<"warn-of-expiry">): Step {
  if (request.expiryWarnedAt !== null) return { request, effects: [] }
  const missing = eachOnce(knowing(turn(request)))
  return { request: { ...request, expiryWarnedAt: at }, effects: tell("expiring-soon", missing) }
}

/** Deletion is no state: the request is gone. Whoever waits for it to be signed is told; no address is called. */
export const removal = (request: SignatureRequest): readonly Effect[] =>
  statusOf(request) === "OPEN" ? tell("withdrawn", everybody(request)) : []

const tell = (letter: Letter, recipients: readonly Recipient[]): readonly Effect[] =>
  recipients.map((to) => ({ type: "tell", letter, to }))

export const tellObservers = (observers: readonly Observer[]): readonly Effect[] =>
  tell("observer-added", addressesOf(observers).map(following))

const following = (email: string): Recipient => ({ email, language: "en", signatureId: null })

/** Signers who know of the request, and those who only follow it; each address once. */
function everybody(request: SignatureRequest): readonly Recipient[] {
  const follow = [request.creator ?? [], request.ccEmailAddresses, addressesOf(request.observers)].flat()
  return eachOnce([...knowing(request.signatures), ...follow.map(following)])
}

/** Those who were written to before. */
const knowing = (signatures: readonly Signature[]): readonly Recipient[] =>
  signatures.flatMap((s) =>
    isReachable(s) && s.invitedAt !== null && s.email !== null
      ? [{ email: s.email, language: s.language, signatureId: s.id }]
      : [],
  )

function eachOnce(recipients: readonly Recipient[]): readonly Recipient[] {
  const known = new Set<string>()
  return recipients.filter(({ email }) => {
    const key = email.toLowerCase()
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}
