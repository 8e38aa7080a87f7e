import { observersOf } from "../access/may.ts"
import { comparableName } from "../access/user-name.ts"
import type { Document } from "../document/model.ts"
import { journalOfIdentification } from "../identification/told.ts"
import type { Event } from "../signature-request/event.ts"
import { firstDocument, type SignatureRequest, type Status, statusOf } from "../signature-request/model.ts"
import type { JournalEntry, JournalType } from "./model.ts"

/** What the journal tells of a change of a request: the event itself, who was invited by it, and an end, in this order. */
export function journalOf(
  event: Event,
  before: SignatureRequest,
  after: SignatureRequest,
): readonly JournalEntry[] {
  const about = of(after, event.at)
  const known = new Map(before.signatures.map((s) => [s.id, s]))
  const invited = after.signatures.filter(
    ({ id, invitedAt }) => invitedAt !== null && (known.get(id)?.invitedAt ?? null) === null,
  )
  const ended = statusOf(before) === statusOf(after) ? undefined : ENDS[statusOf(after)]
  return [
    ...ofEvent(event, before, after),
    ...invited.map(({ id }) => about("signature.invited", id)),
    ...(ended === undefined ? [] : [about(ended)]),
  ]
}

const ENDS: Partial<Record<Status, JournalType>> = {
  SIGNED: "signature_request.signed",
  DECLINED: "signature_request.declined",
  ERROR: "signature_request.error",
  EXPIRED: "signature_request.expired",
  WITHDRAWN: "signature_request.withdrawn",
}

function ofEvent(event: Event, before: SignatureRequest, after: SignatureRequest): readonly JournalEntry[] {
  const about = of(after, event.at)
  switch (event.type) {
    case "start":
      return [about("signature_request.initiated")]
    case "update":
    case "add-signer":
    case "add-group":
    case "remove-signer":
    case "replace-signers":
    case "add-document":
    case "remove-document":
    case "add-observer":
    case "remove-observer":
    case "vouch":
    case "attach":
    case "detach":
      return [about("signature_request.updated")]
    case "open":
      return [about("signature.opened", event.signatureId)]
    case "identify": {
      const type = journalOfIdentification(event, before, after)
      return type === null ? [] : [about(type, event.signatureId)]
    }
    case "remind":
      return remindedBetween(before, after).map((id) => about("signature.reminded", id))
    case "mark":
      return isSigned(after, event.signatureId) ? [about("signature.signed", event.signatureId)] : []
    case "decline":
      return [about("signature.declined", event.signatureId)]
    case "renew":
      return [{ ...about("document.renewed"), documentId: event.versionId }]
    // Their end is told by the status; what a person agrees to, and mails that come back, is evidence and no event.
    case "fail":
    case "expire":
    case "withdraw":
    case "consent":
    case "take-turn":
    case "log-in":
    case "offer-release":
    case "release":
    case "keep-values":
    case "end-turn":
    case "wait":
    case "mail-bounced":
    case "warn-of-expiry":
      return []
  }
}

const isSigned = ({ signatures }: SignatureRequest, id: string): boolean =>
  signatures.some((s) => s.id === id && s.state === "signed")

function remindedBetween(before: SignatureRequest, after: SignatureRequest): readonly string[] {
  const known = new Map(before.signatures.map((s) => [s.id, s.remindedAt?.getTime()]))
  return after.signatures.flatMap(({ id, remindedAt }) =>
    remindedAt !== null && remindedAt.getTime() !== known.get(id) ? [id] : [],
  )
}

/** The first of all, before anything has happened to the request. */
export const journalOfCreated = (request: SignatureRequest): readonly JournalEntry[] => [
  of(request, request.createdAt)("signature_request.created"),
]

/** Decisions, "delete": no callback, but the journal has it. */
export const journalOfRemoved = (request: SignatureRequest, at: Date): readonly JournalEntry[] => [
  of(request, at)("signature_request.deleted"),
]

/** Of a document that was uploaded or made of another one; a signed version is told by `signature.signed` (choice 128). */
export const journalOfDocument = (
  type: "document.created" | "document.renewed" | "document.deleted",
  document: Pick<Document, "id" | "kind" | "owner" | "readAccess" | "writeAccess">,
  at: Date,
): readonly JournalEntry[] => [
  {
    type,
    at,
    kind: document.kind,
    readers: readersOf(document),
    requestId: null,
    signatureId: null,
    documentId: document.id,
    callbackId: null,
    status: null,
  },
]

const of =
  (request: SignatureRequest, at: Date) =>
  (type: JournalType, signatureId: string | null = null): JournalEntry => ({
    type,
    at,
    kind: request.kind,
    readers: requestReadersOf(request),
    requestId: request.id,
    signatureId,
    documentId: firstDocument(request).newestId,
    callbackId: null,
    status: statusOf(request),
  })

/** Who may read the request now, each once, in the form in which names are compared; observers too. */
export const requestReadersOf = (request: SignatureRequest): readonly string[] => [
  ...new Set([...readersOf(request), ...observersOf(request).map(comparableName)]),
]

/** Who may read a document or a request by its lists, each once, in the form in which names are compared. */
export const readersOf = (thing: {
  readonly owner: string
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
}): readonly string[] => [
  ...new Set([thing.owner, ...thing.writeAccess, ...thing.readAccess].map(comparableName)),
]
