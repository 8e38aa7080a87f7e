import type { Document } from "../document/model.ts"
import type { Held } from "../document/ports.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { Refusal } from "../refusal.ts"
import { destroyOnceUsed } from "../release/destroy.ts"
import type { Release } from "../release/model.ts"
import type { DestroySignerKey, Sha256Of } from "../release/ports.ts"
import { mustBeReleased } from "../release/use.ts"
import { apply } from "./apply.ts"
import type { Intent } from "./intent.ts"
import type { Kind, SignatureRequest } from "./model.ts"
import type { FinishMark, RaiseMarks, SignBytes, SigningKey, StampValue } from "./ports.ts"
import { baseOf, type IntentParts, keepIntent } from "./prepare-intent.ts"
import { renewalOf } from "./renew.ts"
import { fieldOf, fieldsOn, isLastOn, isStillWanted, type SigningTask, signatureOf } from "./wanted-mark.ts"

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

export type SigningParts = VersionParts &
  IntentParts & {
    readonly signBytes: SignBytes
    readonly stampValue: StampValue
    readonly finishMark: FinishMark
    readonly raiseMarks: RaiseMarks
    readonly sha256Of: Sha256Of
    readonly destroySignerKey: DestroySignerKey
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
  const intent = await intentOn(parts, task, request, base, held)
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
      sha256: signedDocument.sha256,
      certificate: { ...stamped.prepared.certificate, sha256: stamped.prepared.certificateSha256 },
      renewAt: renewalOf(raised.archiveEndsAt, at),
      at,
    })
  })
}

/** A signer's own key signs what was prepared before its release, and nothing that is prepared now. */
async function intentOn(
  parts: SigningParts,
  task: SigningTask,
  request: SignatureRequest,
  base: Document,
  held: Held,
): Promise<Intent> {
  if (signatureOf(request, task)?.turn == null)
    return keepIntent(parts, task, request, { base, held, own: null })
  const { signatureId, documentId } = task
  const kept = await parts.read(task.businessId, (reading) =>
    reading.findIntent(signatureId, documentId, base.id),
  )
  if (kept === null) throw new Refusal("not-released", "The document is not the one that was released.")
  return kept
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
  const { kind } = request
  const release = await releaseFor(parts, task, request, intent)
  const made = await parts.signBytes(keyOf(kind, release), intent.prepared)
  parts.pass("value-made")
  const kept = await parts.transact(task.businessId, (tx) => tx.keepValue(intent, made))
  if (kept.value === null) throw new Error("The kept intent has no signature value.")
  if (release !== null) await destroyOnceUsed(parts, task, release)
  return { ...kept, value: kept.value }
}

function keyOf(kind: Kind, release: Release | null): SigningKey {
  if (release === null) return { holder: "service", kind }
  // What a provider signs is on record before the mark is asked for (core/src/remote-key/sign.ts).
  if (release.key.at === "provider") throw new Error("The provider's signature is not on record.")
  return { holder: "signer", kind, keyLabel: release.key.label }
}

/** Null where the service's own key signs. */
async function releaseFor(
  parts: SigningParts,
  task: SigningTask,
  { signatures }: SignatureRequest,
  intent: Intent,
): Promise<Release | null> {
  const signature = signatures.find((s) => s.id === task.signatureId)
  if (signature === undefined || signature.turn === null) return null
  const { releaseId } = signature.turn
  const release = await parts.read(task.businessId, (reading) => reading.findRelease(releaseId))
  const sha256 = parts.sha256Of({ base64: intent.prepared.signedAttributes })
  return mustBeReleased(release, signature, intent, sha256)
}

/** A time-stamp may cost money: what was bought is kept before it is used. */
async function keepStamp(parts: SigningParts, task: SigningTask, signed: Signed): Promise<Signed> {
  if (signed.stamp !== null) return signed
  const stamp = await parts.stampValue(signed.prepared, signed.value)
  if (stamp === null) return signed
  const kept = await parts.transact(task.businessId, (tx) => tx.keepStamp(signed, stamp))
  // Where the certificate was revoked meanwhile, another worker may have begun anew: our value is of nothing that is on record now.
  if (kept.versionId !== signed.versionId) throw new Error("The mark was prepared anew meanwhile.")
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
