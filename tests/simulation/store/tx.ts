import type { Document } from "@paraph/core/document/model"
import type { Tx } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { noProtocols } from "@paraph/core/testing/no-protocols"
import { noSeals } from "@paraph/core/testing/no-seals"
import { noValidations } from "@paraph/core/testing/no-validations"
import { company, listeners, managed, people } from "@paraph/core/testing/quiet-world"
import { changingRemotes } from "@paraph/core/testing/remote-world"
import type { World } from "../world.ts"
import { lock, statement } from "./database.ts"
import { changingIntents } from "./intents.ts"
import { appendJournal, enqueue } from "./outbox.ts"
import { type Asking, mustHaveSignature, removeSignatures } from "./signatures.ts"
import { drop, get, put, type Transaction } from "./transaction.ts"

/** The ports of core over the tables in memory; one statement each, under the locks that the real one takes. */
export function txOf(world: World, tx: Transaction, key: string | null): Tx {
  const { state } = world
  const asking =
    <A extends readonly unknown[], T>(label: string, work: (...args: A) => T | Promise<T>) =>
    async (...args: A): Promise<T> => {
      await statement(world, tx, label)
      return work(...args)
    }
  return {
    ...QUIET,
    settings: async () => ({ ...(await people.settings()), retentionDays: world.retentionDays }),
    ...changingDocuments(world, tx, asking),
    ...changingIntents(world, tx, asking),
    insertRequest: asking("insert request", (request) => {
      put(tx, state.requests, request.id, request)
      tx.afterCommit.push(() => {
        world.records.made.push({ key, requestId: request.id })
        dates(world, request)
      })
    }),
    lockRequest: asking("lock request", async (id) => {
      if (world.plant !== "requests are read without a lock") await lock(world, tx, `request ${id}`)
      return get(tx, state.requests, id)
    }),
    saveRequest: asking("save request", async (request, before) => {
      const stay = new Set(request.signatures.map((s) => s.id))
      await removeSignatures(
        world,
        tx,
        before.signatures.flatMap((s) => (stay.has(s.id) ? [] : [s.id])),
      )
      put(tx, state.requests, request.id, request)
      tx.afterCommit.push(() => dates(world, request))
    }),
    removeRequest: asking("remove request", (request, at) => removeRequest(world, tx, request, at)),
    appendEvidence: asking("append evidence", (requestId, evidence) => {
      for (const one of evidence) put(tx, state.evidence, world.newId("evidence"), { ...one, requestId })
    }),
    appendJournal: asking("append journal", (entries) => appendJournal(world, tx, entries)),
    enqueue: asking("enqueue", (request, effects) => enqueue(world, tx, request, effects)),
    insertLink: asking("insert link", async (signatureId, tokenHash) => {
      await mustHaveSignature(world, tx, signatureId)
      const hash = Buffer.from(tokenHash).toString("base64")
      put(tx, state.links, hash, { signatureId })
      tx.afterCommit.push(() => world.records.links.set(hash, signatureId))
    }),
  }
}

/** What nobody does in this world. */
const QUIET = {
  ...people,
  ...company,
  ...listeners,
  ...managed,
  ...noSeals,
  ...noValidations,
  ...noProtocols,
  ...changingRemotes(new Map()),
  findLook: async () => null,
  keepLook: async () => undefined,
  removeLooks: async () => undefined,
  findRelease: async () => null,
  insertRelease: async () => undefined,
  passRelease: async () => undefined,
  noteSignerKey: async () => undefined,
  forgetSignerKey: async () => undefined,
  saveProvenName: async () => undefined,
  insertSession: async () => undefined,
  countSessions: async () => 0,
  servedPages: async () => [],
  proveSession: async () => undefined,
  sessionLanguage: async () => null,
  lockCode: async () => null,
  saveCode: async () => undefined,
  addToday: async () => 1,
  requestsWith: async () => [],
}

const changingDocuments = (
  world: World,
  tx: Transaction,
  asking: Asking,
): Pick<Tx, "insertDocument" | "findDocument" | "lockDocument" | "saveAccess" | "removeDocument"> => {
  const { documents, loose } = world.state
  const locked = async (id: string) => {
    await lock(world, tx, `document ${id}`)
    return get(tx, documents, id)
  }
  return {
    insertDocument: asking("insert document", async (document) => {
      const { name } = document.blob
      await lock(world, tx, `loose ${name}`)
      if (get(tx, loose, name)?.claimed !== false)
        throw new Error(`The object ${name} is not there to be owned.`)
      drop(tx, loose, name)
      if ((await locked(document.id)) !== null) throw new Error("duplicate key value: document")
      put(tx, documents, document.id, document)
    }),
    findDocument: asking("find document", locked),
    lockDocument: asking("lock document", locked),
    saveAccess: asking("save access", (document) => put(tx, documents, document.id, document)),
    removeDocument: asking("remove document", (document, at) => {
      drop(tx, documents, document.id)
      put(tx, loose, document.blob.name, { dueAt: at.getTime(), claimed: false })
    }),
  }
}

/** Its documents, in all their versions, are marked for the sweep (SR-20). */
async function removeRequest(
  world: World,
  tx: Transaction,
  request: SignatureRequest,
  at: Date,
): Promise<void> {
  const { requests, documents } = world.state
  await removeSignatures(
    world,
    tx,
    request.signatures.map((s) => s.id),
  )
  drop(tx, requests, request.id)
  const uploads = new Set(request.documents.map((d) => d.id))
  for (const { newestId } of request.documents) {
    let version: Document | null = get(tx, documents, newestId)
    while (version !== null) {
      await lock(world, tx, `document ${version.id}`)
      put(tx, documents, version.id, { ...version, removingSince: at })
      version =
        version.parentId === null || uploads.has(version.id) ? null : get(tx, documents, version.parentId)
    }
  }
  tx.afterCommit.push(() => world.wake("dates", at.getTime()))
}

/** Somebody looks when its dates pass. */
function dates(world: World, { expiresAt, autoDeleteAt, documents }: SignatureRequest): void {
  const warned = expiresAt === null ? null : new Date(expiresAt.passesAt.getTime() - 2 * 86_400_000)
  const renewals = documents.map((d) => d.renewAt)
  for (const date of [expiresAt?.passesAt ?? null, warned, autoDeleteAt?.beginsAt ?? null, ...renewals])
    if (date !== null) world.wake("dates", date.getTime())
}

export const tookOver = () =>
  new Refusal("idempotency-running", "Another request with this Idempotency-Key took over.")
