import { type Caller, ownedBy } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import { callbackUrlFault } from "../callback/address.ts"
import type { Document } from "../document/model.ts"
import { type DocumentSource, type IntakeParts, takeIn } from "../document/take-in.ts"
import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import type { Kind, Legislation, Quality, Signature, SignatureRequest } from "./model.ts"

export type NewSigner = { readonly email: string; readonly place: number | null; readonly language: Language }

export type CreateRequest = {
  readonly title: string
  readonly message: string | null
  readonly document: DocumentSource | { readonly type: "document"; readonly id: string }
  readonly signers: readonly NewSigner[]
  readonly callbacks: SignatureRequest["callbacks"]
  readonly quality: Quality | null
  readonly legislation: Legislation | null
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
  /** v1 and v2 are OPEN at once, v3 begins as DRAFT (part 3.1). */
  readonly startAs: "started" | "draft"
  readonly inviting: SignatureRequest["inviting"]
}

export type CreateRequestParts = IntakeParts & {
  readonly transact: Transact
  /** The kinds of keys that this installation makes signatures for. */
  readonly kinds: readonly Kind[]
}

/** Part 4.3: the row, its evidence and the jobs that follow are one transaction. */
export async function createSignatureRequest(
  parts: CreateRequestParts,
  caller: Caller,
  command: CreateRequest,
): Promise<SignatureRequest> {
  mustBePossible(command)
  // Said here, and not to the person who has read and pressed "Sign".
  if (!parts.kinds.includes(caller.kind))
    throw new Refusal("feature-not-enabled", `This installation makes no ${caller.kind} signatures.`)
  const source = command.document
  const inline = source.type === "document" ? null : await takeIn(parts, caller, command.title, source)
  return parts.transact(caller.businessId, async (tx) => {
    const document = inline ?? (await existing(tx, caller, source))
    if (inline !== null) await tx.insertDocument(inline)
    const draft = newRequest(parts, caller, command, document)
    await tx.insertRequest(draft)
    const data = { owner: draft.owner, documentId: document.id, sha256: document.sha256 }
    await tx.appendEvidence(draft.id, [{ type: "request.created", at: draft.createdAt, data }])
    if (command.startAs === "draft") return draft
    return apply(tx, draft.id, { type: "start", at: draft.createdAt })
  })
}

function mustBePossible(command: CreateRequest): void {
  for (const [which, url] of Object.entries(command.callbacks)) {
    const fault = callbackUrlFault(url)
    if (fault !== null) throw new Refusal("constraint-violated", `callback_${which}_url ${fault}.`)
  }
  if (command.signers.length > LIMITS.signersPerRequest)
    throw new Refusal("constraint-violated", `A request has at most ${LIMITS.signersPerRequest} signers.`)
  // A link is never enough for AES or QES; until their factors are here, such a request is refused, not weakened.
  if (command.quality !== null && command.quality !== "SES")
    throw new Refusal("feature-not-enabled", `The quality ${command.quality} is not enabled.`)
}

async function existing(tx: Tx, caller: Caller, source: CreateRequest["document"]): Promise<Document> {
  const document = mustRead(caller, source.type === "document" ? await tx.findDocument(source.id) : null)
  if (document.removingSince !== null)
    throw new Refusal("being-removed", "The document is being removed with another request.")
  return document
}

function newRequest(
  parts: Pick<CreateRequestParts, "now" | "newId">,
  caller: Caller,
  command: CreateRequest,
  document: Document,
): SignatureRequest {
  const now = parts.now()
  return {
    id: parts.newId(),
    ...ownedBy(caller),
    title: command.title,
    message: command.message,
    lifecycle: "draft",
    inviting: command.inviting,
    quality: command.quality ?? "SES",
    legislation: command.legislation,
    documents: [{ id: document.id, newestId: document.id }],
    signatures: command.signers.map((signer) => newSignature(parts.newId(), signer, [document.id])),
    callbacks: command.callbacks,
    readAccess: command.readAccess,
    writeAccess: command.writeAccess,
    ccEmailAddresses: [],
    createdAt: now,
    updatedAt: now,
  }
}

/** An entry that waits for its signer, with a mark wanted on each of the documents. */
export const newSignature = (id: string, signer: NewSigner, documentIds: readonly string[]): Signature => ({
  id,
  ...signer,
  state: "open",
  consent: null,
  signedAt: null,
  declineReason: null,
  marks: documentIds.map((documentId) => ({ documentId, versionId: null })),
})
