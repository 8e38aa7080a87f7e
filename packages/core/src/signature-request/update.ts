import type { Caller } from "../access/caller.ts"
import { mustWriteRequest } from "../access/may.ts"
import type { Document } from "../document/model.ts"
import { mustBeIdentifiable } from "../identification/begin.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { mustHaveProvider } from "../remote-key/providers.ts"
import { apply } from "./apply.ts"
import { type EntryParts, mustFit, resolveEntries } from "./entries.ts"
import { type SignatureRequest, statusOf, type Terms } from "./model.ts"
import type { UpdateRequest } from "./new-request.ts"
import { expiryOf, mustBeAbleTo, mustBeCallable, mustHaveExpiry, qualitiesOf, writersOf } from "./terms.ts"

export type UpdateParts = EntryParts & {
  readonly transact: Transact
  readonly now: Clock
  readonly timeZone: string
}

/** Decisions, "update": DRAFT or OPEN; absent means unchanged. */
export async function updateSignatureRequest(
  parts: UpdateParts,
  caller: Caller,
  { id, changes, entries, mustBe }: UpdateRequest,
): Promise<SignatureRequest> {
  return parts.transact(caller.businessId, async (tx) => {
    const before = mustWriteRequest(caller, await tx.lockRequest(id))
    if (mustBe !== undefined && !mustBe(before))
      throw new Refusal("precondition-failed", "The request has changed since you read it.")
    const at = parts.now()
    const terms = await readChanges(parts, tx, before, changes)
    const updated = await apply(tx, id, { type: "update", changes: terms, at }, caller)
    const weighs = terms.quality !== undefined
    if (entries === undefined) return weighs ? mustBeIdentifiable(parts, updated) : updated
    const documents = await documentsOf(tx, before)
    const resolved = await resolveEntries(parts, tx, before.kind, entries, documents)
    const { signatures, members } = resolved
    mustFit(before.lifecycle === "draft" ? resolved : { signatures: [...signatures, ...members], groups: [] })
    const replaced = await apply(tx, id, { type: "replace-signers", ...resolved, at }, caller)
    return mustBeIdentifiable(parts, replaced)
  })
}

async function readChanges(
  parts: UpdateParts,
  tx: Tx,
  before: SignatureRequest,
  { expiresOn, writeAccess, callbacks, quality, legislation, ...changes }: UpdateRequest["changes"],
): Promise<Partial<Terms>> {
  // Who sends back what they have read changes nothing by that.
  const weight = {
    ...(quality !== undefined && quality !== before.quality && { quality }),
    ...(legislation !== undefined && legislation !== before.legislation && { legislation }),
  }
  const after = { ...before, ...weight }
  if (Object.keys(weight).length > 0) {
    const may = qualitiesOf(before.kind, parts.productionQualities)
    mustBeAbleTo(may, after.quality, after.legislation)
    mustHaveProvider(after, parts.remoteProviders)
  }
  const isAnotherDay = expiresOn !== undefined && expiresOn !== (before.expiresAt?.date ?? null)
  return {
    ...changes,
    ...weight,
    ...(writeAccess !== undefined && { writeAccess: writersOf(writeAccess, before.creator) }),
    ...(callbacks !== undefined && { callbacks: mergedCallbacks(before, callbacks) }),
    ...(isAnotherDay && { expiresAt: await newExpiry(parts, tx, before, expiresOn) }),
  }
}

function mergedCallbacks(
  before: SignatureRequest,
  changed: NonNullable<UpdateRequest["changes"]["callbacks"]>,
): Terms["callbacks"] {
  const merged = Object.entries({ ...before.callbacks, ...changed })
  const callbacks = Object.fromEntries(merged.filter(([, url]) => url !== null)) as Terms["callbacks"]
  mustBeCallable(callbacks)
  return callbacks
}

async function newExpiry(parts: UpdateParts, tx: Tx, before: SignatureRequest, date: string | null) {
  const { timeZone, now } = parts
  const settings = await tx.settings()
  mustHaveExpiry(settings)
  // The state is told before the date is judged: it is what the caller must know first.
  if (statusOf(before) !== "DRAFT")
    throw new Refusal("request-not-open", "expires_at is set and removed while the request is DRAFT.")
  return expiryOf(date, { settings, now: now(), timeZone, autoDeleteAt: before.autoDeleteAt })
}

/** The newest version of each document of the request, under the id that the request knows it by. */
export async function documentsOf(tx: Tx, request: SignatureRequest) {
  const found = new Map<string, Document>()
  // In one order for everybody, so that two who need the same ones never wait for each other.
  for (const newestId of request.documents.map((d) => d.newestId).sort()) {
    const newest = await tx.findDocument(newestId)
    if (newest !== null) found.set(newestId, newest)
  }
  return request.documents.map(({ id, newestId }) => {
    const newest = found.get(newestId)
    if (newest === undefined) throw new Error("A document of the request is missing.")
    return { ...newest, id }
  })
}
