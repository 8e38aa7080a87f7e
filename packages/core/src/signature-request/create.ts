import { type Caller, ownedBy } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import type { BusinessSettings } from "../business/model.ts"
import type { Document } from "../document/model.ts"
import { openingShowable, type ShowableParts } from "../document/showable.ts"
import { type IntakeParts, takeIn } from "../document/take-in.ts"
import { mustBeIdentifiable } from "../identification/begin.ts"
import { journalOfCreated, journalOfDocument } from "../journal/of-change.ts"
import { LIMITS } from "../limits.ts"
import type { Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { mustHaveProvider } from "../remote-key/providers.ts"
import { applyToNew } from "./apply.ts"
import { type Entries, type EntryParts, mustFit, resolveEntries } from "./entries.ts"
import { evidenceOfNames } from "./flagged-names.ts"
import type { Kind, SignatureRequest } from "./model.ts"
import type { CreateRequest } from "./new-request.ts"
import { mustNotBeTooMany } from "./steps/signers.ts"
import { expiryOf, mustBeAbleTo, mustBeCallable, qualitiesOf, retentionOf, writersOf } from "./terms.ts"

export type CreateRequestParts = IntakeParts &
  ShowableParts &
  EntryParts & {
    readonly transact: Transact
    /** The kinds of keys that this installation makes signatures for. */
    readonly kinds: readonly Kind[]
    /** Of the region: dates begin and end there (decisions, "expires_at"). */
    readonly timeZone: string
  }

/** Part 4.3: the row, its evidence and the jobs that follow are one transaction. */
export async function createSignatureRequest(
  parts: CreateRequestParts,
  caller: Caller,
  command: CreateRequest,
): Promise<SignatureRequest> {
  mustBeCallable(command.callbacks)
  mustMakeSignatures(parts, caller)
  const source = command.document
  const inline = source.type === "documents" ? null : await takeIn(parts, caller, command.title, source)
  return openingShowable(parts, (mustBeShowable) =>
    parts.transact(caller.businessId, async (tx) => {
      const documents = inline === null ? await existing(tx, caller, source) : [inline]
      if (command.startAs === "started") mustBeShowable(documents)
      if (inline !== null) {
        await tx.insertDocument(inline)
        await tx.appendJournal(journalOfDocument("document.created", inline, inline.createdAt))
      }
      return makeRequest(parts, tx, caller, command, documents)
    }),
  )
}

export async function makeRequest(
  parts: CreateRequestParts,
  tx: Tx,
  caller: Caller,
  command: CreateRequest,
  documents: readonly Document[],
): Promise<SignatureRequest> {
  const draft = await draftOf(parts, tx, caller, command, documents)
  const beginning = {
    evidence: [
      ...documents.map((document) => created(draft, document)),
      ...evidenceOfNames(null, draft, draft.createdAt),
    ],
    journal: journalOfCreated(draft),
  }
  const start = { type: "start", members: [], at: draft.createdAt } as const
  return applyToNew(tx, draft, beginning, command.startAs === "draft" ? null : start, caller)
}

/** Said here, and not to the person who has read and pressed "Sign". */
export function mustMakeSignatures({ kinds }: CreateRequestParts, { kind }: Caller): void {
  if (!kinds.includes(kind))
    throw new Refusal("feature-not-enabled", `This installation makes no ${kind} signatures.`)
}

const created = (draft: SignatureRequest, document: Document) => ({
  type: "request.created" as const,
  at: draft.createdAt,
  data: {
    owner: draft.owner,
    documentId: document.id,
    sha256: document.sha256,
    ...(document.flattened !== null && {
      flattenedFrom: document.flattened.originalSha256,
      flattened: document.flattened.changes.join(" "),
    }),
  },
})

/** Referenced documents, each readable for the caller and there to stay. */
export async function existing(
  tx: Tx,
  caller: Caller,
  source: CreateRequest["document"],
): Promise<readonly Document[]> {
  const ids = source.type === "documents" ? source.ids : []
  if (ids.length === 0 || ids.length > LIMITS.documentsPerRequest)
    throw new Refusal("constraint-violated", `A request has 1 to ${LIMITS.documentsPerRequest} documents.`)
  if (new Set(ids).size < ids.length) throw new Refusal("constraint-violated", "A document is named twice.")
  const documents: Document[] = []
  // In one order for everybody, so that two who need the same ones never wait for each other.
  for (const id of [...ids].sort()) documents.push(mustStay(mustRead(caller, await tx.findDocument(id))))
  return documents.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

export function mustStay(document: Document): Document {
  if (document.removingSince !== null)
    throw new Refusal("being-removed", "The document is being removed with another request.")
  return document
}

/** The request as it would be; nothing is written (decisions, "dry run"). */
export async function draftOf(
  parts: CreateRequestParts,
  tx: Tx,
  caller: Caller,
  command: CreateRequest,
  documents: readonly Document[],
): Promise<SignatureRequest> {
  const settings = await tx.settings()
  const entries = await resolveEntries(parts, tx, caller.kind, command.entries, documents)
  mustFit(entries)
  mustNotBeTooMany(entries)
  if (command.creator !== null && !(await tx.isMember(command.creator)))
    throw new Refusal("constraint-violated", "creator is no member of the business.")
  return mustBeIdentifiable(parts, newRequest(parts, caller, command, documents, entries, settings))
}

function newRequest(
  parts: CreateRequestParts,
  caller: Caller,
  command: CreateRequest,
  documents: readonly Document[],
  { signatures, groups }: Entries,
  settings: BusinessSettings,
): SignatureRequest {
  const now = parts.now()
  const quality = command.quality ?? settings.defaultQuality
  const { legislation } = command
  mustBeAbleTo(qualitiesOf(caller.kind, parts.productionQualities), quality, legislation)
  mustHaveProvider({ kind: caller.kind, quality, legislation }, parts.remoteProviders)
  const autoDeleteAt = retentionOf(settings, now, parts.timeZone)
  return {
    id: parts.newId(),
    ...ownedBy(caller),
    title: command.title,
    message: command.message,
    creator: command.creator,
    custom: command.custom,
    lifecycle: "draft",
    inviting: command.inviting,
    quality,
    legislation: command.legislation,
    documents: documents.map(({ id, title }) => ({ id, newestId: id, name: title, renewAt: null })),
    signatures,
    groups,
    observers: [],
    attachments: [],
    callbacks: command.callbacks,
    attachOnSuccess: command.attachOnSuccess,
    readAccess: command.readAccess,
    writeAccess: writersOf(command.writeAccess, command.creator),
    ccEmailAddresses: command.ccEmailAddresses,
    expiresAt: expiryOf(command.expiresOn, { settings, now, timeZone: parts.timeZone, autoDeleteAt }),
    autoDeleteAt,
    withdrawMessage: null,
    expiryWarnedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Decisions, "dry run": the request as it would be made; nothing is stored. */
export const planRequest = (
  parts: CreateRequestParts,
  caller: Caller,
  command: CreateRequest,
): Promise<SignatureRequest> =>
  parts.transact(caller.businessId, async (tx) => {
    mustMakeSignatures(parts, caller)
    mustBeCallable(command.callbacks)
    return draftOf(parts, tx, caller, command, await existing(tx, caller, command.document))
  })
