import { LIMITS } from "../../limits.ts"
import { Refusal } from "../../refusal.ts"
import type { EventOf, Step } from "../event.ts"
import { addressesOf, type Mark, type SignatureRequest, statusOf } from "../model.ts"
import { tellObservers } from "./ending.ts"
import { mustBeUntouched, mustNotBeTooMany } from "./signers.ts"

/** Decisions, "update": absent means unchanged. The quality is fixed once somebody has signed in it. */
export function update(request: SignatureRequest, { changes, at }: EventOf<"update">): Step {
  if (Object.keys(changes).length === 0) return { request, effects: [] }
  if (changes.expiresAt !== undefined && statusOf(request) !== "DRAFT")
    throw new Refusal("request-not-open", "expires_at is set and removed while the request is DRAFT.")
  if (changes.quality !== undefined || changes.legislation !== undefined) mustBeUntouched(request)
  return { request: { ...request, ...changes, updatedAt: at }, effects: [] }
}

/** Who was not asked for certain documents signs this one too. */
export function addDocument(request: SignatureRequest, { document, at }: EventOf<"add-document">): Step {
  if (request.documents.some((d) => d.id === document.id)) return { request, effects: [] }
  if (request.documents.length >= LIMITS.documentsPerRequest)
    throw new Refusal("constraint-violated", `A request has at most ${LIMITS.documentsPerRequest} documents.`)
  const wanted: Mark = { documentId: document.id, versionId: null, visual: null }
  const join = <T extends Asked>(entry: T): T =>
    entry.restricted ? entry : { ...entry, marks: [...entry.marks, wanted] }
  const documents = [...request.documents, document]
  const after = { ...everyEntry(request, join), documents, updatedAt: at }
  mustNotBeTooMany(after)
  return { request: after, effects: [] }
}

/** Part 2.5, rule 5: a request keeps at least one document; and everybody who is asked keeps one to sign. */
export function removeDocument(request: SignatureRequest, event: EventOf<"remove-document">): Step {
  const documents = request.documents.filter((d) => d.id !== event.documentId)
  if (documents.length === request.documents.length)
    throw new Refusal("not-found", "The request has no such document.")
  if (documents.length === 0) throw new Refusal("last-document", "A request keeps at least one document.")
  const leave = <T extends Asked>(entry: T): T => {
    const marks = entry.marks.filter((m) => m.documentId !== event.documentId)
    if (marks.length === 0)
      throw new Refusal("constraint-violated", "Somebody is asked to sign this document alone.")
    return { ...entry, marks }
  }
  return { request: { ...everyEntry(request, leave), documents, updatedAt: event.at }, effects: [] }
}

type Asked = { readonly restricted: boolean; readonly marks: readonly Mark[] }

const everyEntry = (request: SignatureRequest, to: <T extends Asked>(entry: T) => T): SignatureRequest => ({
  ...request,
  signatures: request.signatures.map(to),
  groups: request.groups.map(to),
})

/** Decisions, "v3 observers": adding twice is one observer. Of a draft nobody is told; those hear of it at its start. */
export function addObserver(request: SignatureRequest, { observer, at }: EventOf<"add-observer">): Step {
  const { of } = observer
  const isThere = request.observers.some((known) =>
    of.type === "USER"
      ? known.of.type === "USER" && known.of.email.toLowerCase() === of.email.toLowerCase()
      : known.of.type === "GROUP" && known.of.groupId === of.groupId,
  )
  if (isThere) return { request, effects: [] }
  // By their addresses: each of them is written to, and is named wherever readers are.
  if (addressesOf([...request.observers, observer]).length > LIMITS.observersPerRequest)
    throw new Refusal("constraint-violated", `A request has at most ${LIMITS.observersPerRequest} observers.`)
  return {
    request: { ...request, observers: [...request.observers, observer], updatedAt: at },
    effects: request.lifecycle === "draft" ? [] : tellObservers([observer]),
  }
}

export function removeObserver(request: SignatureRequest, event: EventOf<"remove-observer">): Step {
  const observers = request.observers.filter((o) => o.id !== event.observerId)
  if (observers.length === request.observers.length)
    throw new Refusal("not-found", "There is no such observer.")
  return { request: { ...request, observers, updatedAt: event.at }, effects: [] }
}

export function attach(request: SignatureRequest, { attachment, at }: EventOf<"attach">): Step {
  if (request.attachments.length >= LIMITS.attachmentsPerRequest)
    throw new Refusal(
      "constraint-violated",
      `A request has at most ${LIMITS.attachmentsPerRequest} attachments.`,
    )
  const attachments = [...request.attachments, attachment]
  return { request: { ...request, attachments, updatedAt: at }, effects: [] }
}

export function detach(request: SignatureRequest, { attachmentId, at }: EventOf<"detach">): Step {
  const attachments = request.attachments.filter((a) => a.id !== attachmentId)
  if (attachments.length === request.attachments.length)
    throw new Refusal("not-found", "There is no such attachment.")
  return { request: { ...request, attachments, updatedAt: at }, effects: [] }
}
