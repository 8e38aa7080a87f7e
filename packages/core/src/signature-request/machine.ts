import { Refusal } from "../refusal.ts"
import type { CallbackType, Consent, Signature, SignatureRequest } from "./model.ts"
import { statusOf } from "./model.ts"

export type Event =
  /** The request leaves DRAFT, or is born OPEN (v1, v2). */
  | { readonly type: "start"; readonly at: Date }
  /** Somebody more is to sign (part 4.3). */
  | { readonly type: "add-signer"; readonly signature: Signature; readonly at: Date }
  /** The signer read, agreed and pressed "sign". */
  | { readonly type: "consent"; readonly signatureId: string; readonly consent: Consent; readonly at: Date }
  /** A mark was made on one document: `onto` is the version it was made on, `versionId` the one it made. */
  | {
      readonly type: "mark"
      readonly signatureId: string
      readonly documentId: string
      readonly onto: string
      readonly versionId: string
      readonly at: Date
    }
  | {
      readonly type: "decline"
      readonly signatureId: string
      readonly reason: string | null
      readonly at: Date
    }
  /** A signature can never be made (decisions, "status_overall"). */
  | { readonly type: "fail"; readonly signatureId: string; readonly at: Date }

/** What must follow from a change. Effects are data; they become jobs in the transaction of the change. */
export type Effect =
  | { readonly type: "invite"; readonly signatureId: string }
  | { readonly type: "sign"; readonly signatureId: string; readonly documentId: string }
  | { readonly type: "call-back"; readonly which: CallbackType }

export type Step = { readonly request: SignatureRequest; readonly effects: readonly Effect[] }

/** Part 3 of the interface. Pure: no clock, no store, no mail. Nothing else changes a status. */
export function transition(request: SignatureRequest, event: Event): Step {
  if (event.type === "start") return start(request, event.at)
  const status = statusOf(request)
  if (status !== "OPEN") throw new Refusal("request-not-open", `The request is ${status}.`)

  switch (event.type) {
    case "add-signer":
      return addSigner(request, event)
    case "consent":
      return consent(request, event)
    case "mark":
      return mark(request, event)
    case "decline":
      return decline(request, event)
    case "fail":
      return fail(request, event)
  }
}

/** Who may sign now: the lowest open place, and everyone without a place (part 2.2, `order`). */
export function turn(request: Pick<SignatureRequest, "signatures">): readonly Signature[] {
  const open = request.signatures.filter((s) => s.state === "open")
  const next = Math.min(...open.flatMap((s) => s.place ?? []))
  return open.filter((s) => s.place === null || s.place === next)
}

function start(request: SignatureRequest, at: Date): Step {
  if (request.lifecycle !== "draft") throw new Refusal("request-not-open", "The request has started already.")
  const started: SignatureRequest = { ...request, lifecycle: "started", updatedAt: at }
  const invited = request.inviting === "all-at-once" ? started.signatures : turn(started)
  return { request: started, effects: invited.map(invite) }
}

/** To an OPEN request the invitation goes out at once; one whose turn comes later reads so in the mail. */
function addSigner(
  request: SignatureRequest,
  { signature, at }: Extract<Event, { type: "add-signer" }>,
): Step {
  const signatures = [...request.signatures, signature]
  return { request: { ...request, signatures, updatedAt: at }, effects: [invite(signature)] }
}

function consent(request: SignatureRequest, event: Extract<Event, { type: "consent" }>): Step {
  const signature = whoseTurnItIs(request, event.signatureId)
  // A double tap signs once: the second consent changes nothing, and the first one's jobs are under way.
  if (signature.consent !== null) return { request, effects: [] }
  return {
    request: change(request, signature.id, { consent: event.consent }, event.at),
    effects: signature.marks
      .filter((m) => m.versionId === null)
      .map((m) => ({ type: "sign", signatureId: signature.id, documentId: m.documentId })),
  }
}

function mark(request: SignatureRequest, event: Extract<Event, { type: "mark" }>): Step {
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
  const complete = marks.every((m) => m.versionId !== null)
  const documents = request.documents.map((d) => (d === document ? { ...d, newestId: event.versionId } : d))
  const signed = complete ? { marks, state: "signed" as const, signedAt: event.at } : { marks }
  const after = { ...change(request, signature.id, signed, event.at), documents }
  if (!complete) return { request: after, effects: [] }
  if (statusOf(after) === "SIGNED") return end(after, "success")

  const before = turn(request).map((s) => s.id)
  const newcomers = request.inviting === "in-order" ? turn(after).filter((s) => !before.includes(s.id)) : []
  return { request: after, effects: [{ type: "call-back", which: "update" }, ...newcomers.map(invite)] }
}

function decline(request: SignatureRequest, event: Extract<Event, { type: "decline" }>): Step {
  const signature = whoseTurnItIs(request, event.signatureId)
  if (signature.consent !== null) throw new Refusal("signature-not-open", "The signature is being made.")
  const declined = { state: "declined" as const, declineReason: event.reason }
  return end(change(request, signature.id, declined, event.at), "error")
}

function fail(request: SignatureRequest, { signatureId, at }: Extract<Event, { type: "fail" }>): Step {
  const { id } = openSignature(request, signatureId)
  return end(change(request, id, { state: "error" }, at), "error")
}

function whoseTurnItIs(request: SignatureRequest, signatureId: string): Signature {
  const signature = openSignature(request, signatureId)
  if (!turn(request).includes(signature)) throw new Refusal("not-your-turn", "Another signer comes first.")
  return signature
}

function openSignature(request: SignatureRequest, signatureId: string): Signature {
  const signature = request.signatures.find((s) => s.id === signatureId)
  if (signature === undefined) throw new Refusal("not-found", "There is no such signature.")
  if (signature.state !== "open")
    throw new Refusal("signature-not-open", `The signature is ${signature.state} already.`)
  return signature
}

function change(request: SignatureRequest, id: string, to: Partial<Signature>, at: Date): SignatureRequest {
  const signatures = request.signatures.map((s) => (s.id === id ? { ...s, ...to } : s))
  return { ...request, signatures, updatedAt: at }
}

const end = (request: SignatureRequest, which: CallbackType): Step => ({
  request,
  effects: [{ type: "call-back", which }],
})

const invite = (signature: Signature): Effect => ({ type: "invite", signatureId: signature.id })
