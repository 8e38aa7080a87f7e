import type { Document } from "../document/model.ts"
import type { Held, HoldDocument } from "../document/ports.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { placingOf } from "../document/visual.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import type { Intent } from "./intent.ts"
import type { Kind, SignatureRequest } from "./model.ts"
import type {
  CertificateOf,
  FinishMark,
  IsInVain,
  PrepareMark,
  PrepareOptions,
  RaiseMarks,
  ShownLook,
  SignBytes,
  StampValue,
} from "./ports.ts"
import { renewalOf } from "./renew.ts"
import { shownLines } from "./shown-lines.ts"
import {
  fieldOf,
  fieldsOn,
  isLastOn,
  isStillWanted,
  ownField,
  type SigningTask,
  signatureOf,
  visualOf,
} from "./wanted-mark.ts"

/** The named points of the signing job at which tests end the process (tests/faults). */
export const SIGNING_POINTS = [
  "intent-kept",
  "value-made",
  "value-kept",
  "stamp-kept",
  "blob-stored",
  "mark-applied",
] as const
export type SigningPoint = (typeof SIGNING_POINTS)[number]

export type SigningParts = VersionParts & {
  readonly transact: Transact
  readonly read: Read
  readonly holdDocument: HoldDocument
  readonly prepareMark: PrepareMark
  readonly certificateOf: CertificateOf
  readonly isInVain: IsInVain
  readonly signBytes: SignBytes
  readonly stampValue: StampValue
  readonly finishMark: FinishMark
  readonly raiseMarks: RaiseMarks
  readonly now: Clock
  readonly newId: NewId
  /** Told each point that is passed; a test may end the process there. */
  readonly pass: (point: SigningPoint) => void
}

/** Intent, value, time-stamp, blob, apply; each is on record before the next begins. */
export async function makeMark(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
): Promise<void> {
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
  held: Held,
): Promise<void> {
  const intent = await keepIntent(parts, task, request, base, held)
  parts.pass("intent-kept")
  const signed = await keepValue(parts, task, request, intent)
  parts.pass("value-kept")
  const stamped = await keepStamp(parts, task, signed)
  parts.pass("stamp-kept")

  const mark = parts.finishMark(stamped.prepared, stamped.value, stamped.stamp)
  const raised = await parts.raiseMarks(held, mark, raising(request, task))
  const version = await appended(parts, held, joined(mark, raised.tail))
  parts.pass("blob-stored")

  const at = parts.now()
  const signedDocument = childOf(base, stamped.versionId, version, at)
  await parts.transact(task.businessId, async (tx) => {
    const { signatureId, documentId } = task
    await tx.insertDocument(signedDocument)
    await apply(tx, task.requestId, {
      type: "mark",
      signatureId,
      documentId,
      onto: base.id,
      versionId: signedDocument.id,
      renewAt: renewalOf(raised.archiveEndsAt),
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
  held: Held,
): Promise<Intent> {
  const { signatureId, documentId } = task
  const kept = await parts.read(task.businessId, (reading) =>
    reading.findIntent(signatureId, documentId, base.id),
  )
  if (kept !== null && (await isStillGood(parts, request.kind, kept))) return kept
  const signedAt = parts.now()
  const look = await shownLook(parts, task, request)
  const prepared = await parts.prepareMark(held, { ...wantedMark(request, task, base, signedAt), look })
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
  return parts.transact(task.businessId, (tx) =>
    tx.keepIntent({ ...intent, createdAt: signedAt }, kept?.versionId),
  )
}

/** The key may have been replaced since: an intent without a value is then prepared anew, for the new certificate. */
async function isStillGood(parts: SigningParts, kind: Kind, kept: Intent): Promise<boolean> {
  if (kept.value !== null) return !(await parts.isInVain(kind, kept))
  return kept.prepared.certificateSha256 === (await parts.certificateOf(kind))
}

/** What the signer chose to be shown; a drawing or a picture lies apart from the request. */
async function shownLook(
  parts: SigningParts,
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
): Omit<PrepareOptions, "look"> {
  const { kind } = request
  const signature = signatureOf(request, task)
  const signerName = signature?.consent?.name ?? ""
  return {
    kind,
    ...placingOf(base, visualOf(request, task), ownField(task.signatureId)),
    lines: shownLines({ kind, signerName, language: signature?.language ?? "en", signedAt }),
    signerName,
    signedAt,
  }
}

type Signed = Intent & { readonly value: Uint8Array }

async function keepValue(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
  intent: Intent,
): Promise<Signed> {
  if (intent.value !== null) return { ...intent, value: intent.value }
  // The request may have ended since the intent, hours ago even: then no key is used.
  if (!(await isStillWanted(parts, task)))
    throw new Refusal("signature-not-open", "No mark is wanted any more.")
  const made = await parts.signBytes(request.kind, intent.prepared)
  parts.pass("value-made")
  const kept = await parts.transact(task.businessId, (tx) => tx.keepValue(intent, made))
  if (kept.value === null) throw new Error("The kept intent has no signature value.")
  return { ...kept, value: kept.value }
}

/** A time-stamp may cost money: what was bought is kept before it is used. */
async function keepStamp(parts: SigningParts, task: SigningTask, signed: Signed): Promise<Signed> {
  if (signed.stamp !== null) return signed
  const stamp = await parts.stampValue(signed.prepared, signed.value)
  if (stamp === null) return signed
  const kept = await parts.transact(task.businessId, (tx) => tx.keepStamp(signed, stamp))
  return { ...kept, value: signed.value }
}

/**
 * Every finished document is B-LT, and what nobody else will sign is B-LTA: then everything that a validator needs, for every
 * signature of the request, stands under one time-stamp over the whole document.
 */
const raising = (request: SignatureRequest, task: SigningTask): Parameters<RaiseMarks>[2] =>
  isLastOn(request, task)
    ? {
        kind: request.kind,
        to: "B-LTA",
        fields: [...fieldsOn(request, task.documentId), fieldOf(request, task)],
      }
    : { kind: request.kind, to: "B-LT", fields: [fieldOf(request, task)] }

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
