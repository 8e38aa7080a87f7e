import type { Caller } from "../access/caller.ts"
import { addDays, dateIn } from "../dates.ts"
import type { Document } from "../document/model.ts"
import { type MustBeShowable, openingShowable } from "../document/showable.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Read, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import {
  type CreateRequestParts,
  existing,
  makeRequest,
  mustMakeSignatures,
} from "../signature-request/create.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import type { CreateRequest, NewSigner, Wanted } from "../signature-request/new-request.ts"
import { type CopyParts, withCopies } from "./copy.ts"
import type { NamedSigner, Template, TemplateSigner, UseTemplate } from "./model.ts"
import { mustBeOurs } from "./read.ts"

export type UseTemplateParts = CreateRequestParts & CopyParts & { readonly read: Read }

/** A request from a template: a DRAFT, or sent at once. From here on it has nothing to do with the template any more. */
export async function useTemplate(
  parts: UseTemplateParts,
  caller: Caller,
  id: string,
  asked: UseTemplate,
): Promise<SignatureRequest> {
  mustMakeSignatures(parts, caller)
  const { template, documents } = await find(parts, caller, id)
  const { documentIds: ids } = asked
  const make = (tx: Tx, of: readonly Document[]) =>
    makeRequest(parts, tx, caller, commandOf(parts, template, asked, of), of)
  if (ids !== null)
    return openingShowable(parts, (mustBeShowable) =>
      parts.transact(caller.businessId, async (tx) => {
        const of = await existing(tx, caller, { type: "documents", ids })
        if (asked.initiate) mustBeShowable(of)
        return make(tx, of)
      }),
    )
  if (documents.length === 0)
    throw new Refusal("constraint-violated", "The template has no documents: name some in document_ids.")
  // Whoever is missing is told of before anything is copied.
  commandOf(parts, template, asked, documents)
  const start = (mustBeShowable: MustBeShowable) => {
    if (asked.initiate) mustBeShowable(documents)
    return Promise.resolve()
  }
  await openingShowable(parts, start)
  return withCopies(parts, caller, documents, (copies) =>
    parts.transact(caller.businessId, async (tx) => {
      for (const copy of copies) {
        await tx.insertDocument(copy)
        await tx.appendJournal(journalOfDocument("document.created", copy, copy.createdAt))
      }
      return make(tx, copies)
    }),
  )
}

/** In one snapshot; its documents are for everybody who may use it. */
function find(parts: UseTemplateParts, caller: Caller, id: string) {
  return parts.read(caller.businessId, async (reading) => {
    const template = mustBeOurs(caller, await reading.findTemplate(id))
    return { template, documents: await reading.findDocuments(template.documentIds) }
  })
}

function commandOf(
  parts: CreateRequestParts,
  { name, request }: Template,
  asked: UseTemplate,
  documents: readonly Document[],
): CreateRequest {
  const { message, quality, legislation, ccEmailAddresses, attachOnSuccess, expiresInDays } = request
  return {
    title: asked.title ?? request.title ?? name,
    message: asked.message ?? message,
    quality,
    legislation,
    ccEmailAddresses,
    attachOnSuccess,
    callbacks: {},
    custom: null,
    readAccess: [],
    writeAccess: [],
    creator: null,
    document: { type: "documents", ids: documents.map((document) => document.id) },
    entries: entriesOf(request.signers, asked.signers, documents),
    expiresOn: expiresInDays === null ? null : addDays(dateIn(parts.timeZone, parts.now()), expiresInDays),
    startAs: asked.initiate ? "started" : "draft",
    inviting: "all-at-once",
  }
}

function entriesOf(
  signers: readonly TemplateSigner[],
  named: readonly NamedSigner[],
  documents: readonly Document[],
): readonly NewSigner[] {
  const known = new Map(named.map((one) => [one.label.toLowerCase(), one]))
  if (known.size < named.length)
    throw new Refusal("constraint-violated", "A label stands twice among the signatures.")
  const entries = signers.map((signer) => {
    const one = known.get(signer.label.toLowerCase())
    known.delete(signer.label.toLowerCase())
    const email = one?.email ?? signer.email
    if (email === null)
      throw new Refusal("constraint-violated", `Nobody is named for "${signer.label}": say account_email.`)
    return {
      type: "person" as const,
      email,
      identity: null,
      place: signer.place,
      notify: one?.notify ?? signer.notify,
      language: one?.language ?? signer.language,
      wanted: wantedOf(signer, documents),
    }
  })
  for (const { label } of known.values())
    throw new Refusal("constraint-violated", `The template has no signer "${label}".`)
  return entries
}

/** Everybody signs all documents: at the places that are said, and freely where there are none. */
function wantedOf({ label, places }: TemplateSigner, documents: readonly Document[]): Wanted {
  if (places.length === 0) return { type: "all", visual: null }
  if (places.some(({ document }) => document >= documents.length))
    throw new Refusal("constraint-violated", `${label} has a place in a document that is not there.`)
  const marks = documents.map(({ id }, number) => {
    const positions = places.filter(({ document }) => document === number).map(({ position }) => position)
    return {
      documentId: id,
      visual: positions.length === 0 ? null : { type: "positions" as const, positions },
    }
  })
  return { type: "some", marks }
}
