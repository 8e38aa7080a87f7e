import type { Document } from "../document/model.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { placingOf } from "../document/visual.ts"
import { LIMITS } from "../limits.ts"
import type { Signer } from "../login/signer.ts"
import type * as ports from "../ports.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { apply } from "./apply.ts"
import type { Intent } from "./intent.ts"
import { type SignatureRequest, statusOf, type VisualSignature } from "./model.ts"
import { shownLines } from "./shown-lines.ts"

/** The named points of the signing job at which tests end the process (tests/faults). */
export const SIGNING_POINTS = [
  "intent-kept",
  "value-made",
  "value-kept",
  "blob-stored",
  "mark-applied",
] as const
export type SigningPoint = (typeof SIGNING_POINTS)[number]

export type SigningParts = VersionParts & {
  readonly transact: ports.Transact
  readonly read: ports.Read
  readonly holdDocument: ports.HoldDocument
  readonly prepareMark: ports.PrepareMark
  readonly certificateOf: ports.CertificateOf
  readonly signBytes: ports.SignBytes
  readonly finishMark: ports.FinishMark
  readonly now: ports.Clock
  readonly newId: ports.NewId
  /** Told each point that is passed; a test may end the process there. */
  readonly pass: (point: SigningPoint) => void
}

export type SigningTask = Signer & { readonly documentId: string }

/**
 * Makes one mark: intent, value, blob, apply; each is on record before the next begins, so the job can die
 * anywhere and run again. A SES signature works without a lock on the newest version it reads; when somebody
 * else was faster, `apply` refuses and the work starts again on the newer one.
 */
export async function performSigning(parts: SigningParts, task: SigningTask): Promise<void> {
  for (;;) {
    const request = await parts.read(task.businessId, (reading) => reading.findRequest(task.requestId))
    if (request === null || !isWanted(request, task)) return
    try {
      await makeMark(parts, task, request)
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null
      if (code === "document-moved-on") continue
      // Another worker made the mark, or the request ended or went, and its rows with it: then nothing has failed.
      if (!(await isStillWanted(parts, task))) return
      const never = code !== null && NEVER.includes(code)
      // An outage only waits, visibly, until the time is over; whatever it is that fails.
      if (!never && !isTooLate(request, task, parts.now())) throw error
      await fail(parts, task)
      return
    }
    parts.pass("mark-applied")
    return
  }
}

/** The document cannot be signed, today or ever: the request ends in ERROR. Anything else is tried again. */
const NEVER: readonly RefusalCode[] = [
  "pdf-corrupt",
  "pdf-encrypted",
  "pdf-locked",
  "pdf-xfa",
  "pdf-not-a-pdf",
  // The enforced place is not one of the document as it is now.
  "constraint-violated",
]

async function makeMark(parts: SigningParts, task: SigningTask, request: SignatureRequest): Promise<void> {
  const base = await baseOf(parts, task, request)
  const held = await parts.holdDocument(base)
  try {
    await markHeld(parts, task, request, base, held)
  } finally {
    await held.release()
  }
}

async function markHeld(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
  base: Document,
  held: ports.Held,
): Promise<void> {
  const intent = await keepIntent(parts, task, request, base, held)
  parts.pass("intent-kept")
  const signed = intent.value === null ? await keepValue(parts, task, request, intent) : intent
  if (signed.value === null) throw new Error("The kept intent has no signature value.")
  parts.pass("value-kept")

  const version = await appended(parts, held, parts.finishMark(signed.prepared, signed.value))
  parts.pass("blob-stored")

  const at = parts.now()
  const signedDocument = childOf(base, signed.versionId, version, at)
  await parts.transact(task.businessId, async (tx) => {
    const { signatureId, documentId } = task
    await tx.insertDocument(signedDocument)
    await apply(tx, task.requestId, {
      type: "mark",
      signatureId,
      documentId,
      onto: base.id,
      versionId: signedDocument.id,
      at,
    })
  })
}

async function baseOf(parts: SigningParts, task: SigningTask, request: SignatureRequest): Promise<Document> {
  const newestId = request.documents.find((d) => d.id === task.documentId)?.newestId
  const base = newestId && (await parts.read(task.businessId, (reading) => reading.findDocument(newestId)))
  if (!base) throw new Error("A document of the request is missing.")
  return base
}

async function keepIntent(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
  base: Document,
  held: ports.Held,
): Promise<Intent> {
  const { signatureId, documentId } = task
  const kept = await parts.read(task.businessId, (reading) =>
    reading.findIntent(signatureId, documentId, base.id),
  )
  // The key may have been replaced since: an intent without a value is then prepared anew, for the new certificate.
  const isOfToday = kept?.prepared.certificateSha256 === parts.certificateOf(request.kind)
  if (kept !== null && (kept.value !== null || isOfToday)) return kept
  const signedAt = parts.now()
  const look = await shownLook(parts, task, request)
  const prepared = await parts.prepareMark(held, { ...wantedMark(request, task, base, signedAt), look })
  if (prepared.baseSha256 !== base.sha256) throw new Error("The document's bytes are not those of its row.")
  const intent = { signatureId, documentId, baseId: base.id, versionId: parts.newId(), prepared, value: null }
  return parts.transact(task.businessId, (tx) => tx.keepIntent({ ...intent, createdAt: signedAt }))
}

/** What the signer chose to be shown; a drawing or a picture lies apart from the request. */
async function shownLook(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
): Promise<ports.ShownLook> {
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
): Omit<ports.PrepareOptions, "look"> {
  const { kind } = request
  const signature = signatureOf(request, task)
  const signerName = signature?.consent?.name ?? ""
  return {
    kind,
    ...placingOf(base, visualOf(request, task), `Paraph-${task.signatureId}`),
    lines: shownLines({ kind, signerName, language: signature?.language ?? "en", signedAt }),
    signerName,
    signedAt,
  }
}

async function keepValue(parts: SigningParts, task: SigningTask, request: SignatureRequest, intent: Intent) {
  // The request may have ended since the intent, hours ago even: then no key is used.
  if (!(await isStillWanted(parts, task)))
    throw new Refusal("signature-not-open", "No mark is wanted any more.")
  const value = await parts.signBytes(request.kind, intent.prepared)
  parts.pass("value-made")
  return parts.transact(task.businessId, (tx) => tx.keepValue(intent, value))
}

/** Ends the request in ERROR, unless it has ended in another way meanwhile. */
async function fail(parts: SigningParts, task: SigningTask): Promise<void> {
  const { businessId, requestId, signatureId } = task
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    if (request === null || !isWanted(request, task)) return
    await apply(tx, requestId, { type: "fail", signatureId, at: parts.now() })
  })
}

const isStillWanted = async (parts: SigningParts, task: SigningTask): Promise<boolean> => {
  const request = await parts.read(task.businessId, (reading) => reading.findRequest(task.requestId))
  return request !== null && isWanted(request, task)
}

const signatureOf = (request: SignatureRequest, task: SigningTask) =>
  request.signatures.find((s) => s.id === task.signatureId)

const markOf = (request: SignatureRequest, task: SigningTask) =>
  signatureOf(request, task)?.marks.find((m) => m.documentId === task.documentId)

/** Null: it is not seen. */
function visualOf(request: SignatureRequest, task: SigningTask): VisualSignature | null {
  const enforced = markOf(request, task)?.visual ?? null
  if (enforced !== null) return enforced
  const places = signatureOf(request, task)?.consent?.places ?? []
  const positions = places.filter((p) => p.documentId === task.documentId).map((p) => p.position)
  return positions.length === 0 ? null : { type: "positions", positions }
}

/** Also asked right before the key is used: whatever a job says, nothing is signed for who has not agreed. */
function isWanted(request: SignatureRequest, task: SigningTask): boolean {
  if (statusOf(request) !== "OPEN") return false
  const signature = signatureOf(request, task)
  if (signature?.state !== "open" || signature.consent === null) return false
  const mark = markOf(request, task)
  return mark !== undefined && mark.versionId === null
}

function isTooLate(request: SignatureRequest, task: SigningTask, now: Date): boolean {
  const since = signatureOf(request, task)?.consent?.at ?? now
  return now.getTime() - since.getTime() > LIMITS.signingRetryMs
}
