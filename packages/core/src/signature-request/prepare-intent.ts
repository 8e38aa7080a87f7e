import type { Document } from "../document/model.ts"
import type { Held, HoldDocument } from "../document/ports.ts"
import { placingOf } from "../document/visual.ts"
import { displayName } from "../names/characters.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import type { Intent, PreparedMark } from "./intent.ts"
import type { Kind, SignatureRequest } from "./model.ts"
import type {
  CertificateOf,
  IsInVain,
  OwnCertificate,
  PrepareMark,
  PrepareOptions,
  ShownLook,
} from "./ports.ts"
import { shownLines } from "./shown-lines.ts"
import { ownField, type SigningTask, signatureOf, visualOf } from "./wanted-mark.ts"

export type IntentParts = {
  readonly transact: Transact
  readonly read: Read
  readonly holdDocument: HoldDocument
  readonly prepareMark: PrepareMark
  readonly certificateOf: CertificateOf
  readonly isInVain: IsInVain
  readonly now: Clock
  readonly newId: NewId
}

/** The intent of a mark by the service's own key, where `own` is null, or by that of a signer's certificate. */
export async function prepareIntent(
  parts: IntentParts,
  task: SigningTask,
  request: SignatureRequest,
  own: OwnCertificate | null,
): Promise<Intent> {
  const base = await baseOf(parts, task, request)
  const held = await parts.holdDocument(base)
  try {
    return await keepIntent(parts, task, request, { base, held, own })
  } finally {
    await held.release()
  }
}

/** The newest version of the document, which the mark is made on. */
export async function baseOf(
  parts: Pick<IntentParts, "read">,
  task: SigningTask,
  request: SignatureRequest,
): Promise<Document> {
  const newestId = request.documents.find((d) => d.id === task.documentId)?.newestId
  const base = newestId && (await parts.read(task.businessId, (reading) => reading.findDocument(newestId)))
  if (!base) throw new Error("A document of the request is missing.")
  return base
}

export async function keepIntent(
  parts: IntentParts,
  task: SigningTask,
  request: SignatureRequest,
  { base, held, own }: { readonly base: Document; readonly held: Held; readonly own: OwnCertificate | null },
): Promise<Intent> {
  const { signatureId, documentId } = task
  const kept = await parts.read(task.businessId, (reading) =>
    reading.findIntent(signatureId, documentId, base.id),
  )
  if (kept !== null && (await isStillGood(parts, request.kind, kept, own))) return kept
  const signedAt = parts.now()
  const look = await shownLook(parts, task, request)
  const options = { ...wantedMark(request, task, base, signedAt), look, own }
  const prepared = await preparedFor(parts, held, options)
  if (prepared.baseSha256 !== base.sha256) throw new Error("The document's bytes are not those of its row.")
  const intent = {
    signatureId,
    documentId,
    baseId: base.id,
    versionId: parts.newId(),
    prepared,
    value: null,
    stamp: null,
  }
  // One that got its value this moment is another worker's, and stays; what an earlier turn left is nobody's.
  const isMade = kept !== null && (own === null) === (kept.value !== null)
  const inVain = isMade ? kept.versionId : undefined
  return parts.transact(task.businessId, (tx) => tx.keepIntent({ ...intent, createdAt: signedAt }, inVain))
}

async function preparedFor(
  parts: IntentParts,
  held: Held,
  options: PrepareOptions & { readonly own: OwnCertificate | null },
): Promise<PreparedMark> {
  const prepared = await parts.prepareMark(held, options)
  return options.own === null ? prepared : { ...prepared, releaseId: options.own.releaseId }
}

/** The key may have been replaced since: an intent without a value is then prepared anew, for the new certificate. */
async function isStillGood(
  parts: IntentParts,
  kind: Kind,
  kept: Intent,
  own: OwnCertificate | null,
): Promise<boolean> {
  // A certificate of a provider lasts for years: another turn has another look, place and time.
  if (own !== null)
    return kept.prepared.certificateSha256 === own.sha256 && kept.prepared.releaseId === own.releaseId
  if (kept.value !== null) return !(await parts.isInVain(kind, kept))
  return kept.prepared.certificateSha256 === (await parts.certificateOf(kind))
}

/** What the signer chose to be shown; a drawing or a picture lies apart from the request. */
async function shownLook(
  parts: Pick<IntentParts, "read">,
  task: SigningTask,
  request: SignatureRequest,
): Promise<ShownLook> {
  const look = signatureOf(request, task)?.consent?.look ?? { type: "plain" }
  if (look.type === "plain" || look.type === "typed") return look
  const kept = await parts.read(task.businessId, (reading) => reading.findLook(task.signatureId))
  if (kept?.shown.type !== look.type) throw new Error("What the signer chose to be shown is missing.")
  return kept.shown
}

/** The place that the request enforces, or else the one that the signer chose, and what is said there (part 2.3). */
function wantedMark(
  request: SignatureRequest,
  task: SigningTask,
  base: Document,
  signedAt: Date,
): Omit<PrepareOptions, "look" | "own"> {
  const { kind } = request
  const signature = signatureOf(request, task)
  const signerName = displayName(signature?.consent?.name ?? "")
  return {
    kind,
    ...placingOf(base, visualOf(request, task), ownField(task.signatureId)),
    lines: shownLines({ kind, signerName, language: signature?.language ?? "en", signedAt }),
    signerName,
    signedAt,
  }
}
