import { LIMITS } from "../limits.ts"
import type { Signer } from "../login/signer.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { EventOf } from "../signature-request/event.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { Signature, SignatureRequest, SigningTurn } from "../signature-request/model.ts"
import { type IntentParts, prepareIntent } from "../signature-request/prepare-intent.ts"
import { NEVER } from "../signature-request/sign.ts"
import type { Release, ReleasedMark } from "./model.ts"
import { subjectOf } from "./name.ts"
import type { IssueSignerCertificate, MakeSignerKey, Sha256Of } from "./ports.ts"

export type ReleaseTask = Signer & { readonly releaseId: string }

export type PrepareParts = IntentParts & {
  readonly makeSignerKey: MakeSignerKey
  readonly issueSignerCertificate: IssueSignerCertificate
  readonly sha256Of: Sha256Of
}

/** A label says what the key is for; one of a signer is never used for anything else. */
export const signerKeyLabel = (releaseId: string): string => `signer-${releaseId}`

/**
 * Between the click and the factor: the key, the certificate, and the bytes of every mark. The key is on record before it is made;
 * whatever dies in between runs again with the same key and the same certificate.
 */
export async function prepareRelease(parts: PrepareParts, task: ReleaseTask): Promise<void> {
  const found = await wanted(parts, task)
  if (found === null) return
  try {
    await offer(parts, task, await prepared(parts, task, found))
  } catch (error) {
    // Somebody went back, or the time is over: what was made is destroyed by the sweep.
    if ((await wanted(parts, task)) === null) return
    const { signatureId } = task
    const at = parts.now()
    if (error instanceof Refusal && NEVER.includes(error.code))
      return happen(parts, task, { type: "fail", signatureId, at })
    if (error instanceof Refusal && error.lacks !== undefined)
      await happen(parts, task, { type: "wait", signatureId, lack: error.lacks, at })
    throw error
  }
}

type Found = { readonly request: SignatureRequest; readonly signature: Signature; readonly turn: SigningTurn }

async function wanted(parts: PrepareParts, task: ReleaseTask): Promise<Found | null> {
  const request = await parts.read(task.businessId, (reading) => reading.findRequest(task.requestId))
  return wantedOf(request, task, parts.now())
}

function wantedOf(request: SignatureRequest | null, task: ReleaseTask, now: Date): Found | null {
  const signature = request?.signatures.find((s) => s.id === task.signatureId)
  const turn = signature?.turn ?? null
  if (!request || !signature || turn === null || signature.state !== "open") return null
  const isWanted = turn.releaseId === task.releaseId && turn.state === "preparing" && turn.until > now
  return isWanted ? { request, signature, turn } : null
}

async function prepared(
  parts: PrepareParts,
  task: ReleaseTask,
  { request, signature, turn }: Found,
): Promise<Release> {
  const { businessId, signatureId } = task
  const { kind } = request
  const { releaseId: id, until } = turn
  const keyLabel = signerKeyLabel(id)
  await parts.transact(businessId, (tx) => tx.noteSignerKey({ keyLabel, kind, dueAt: until }))
  const publicKeySpki = await parts.makeSignerKey(kind, keyLabel)
  const subject = subjectOf(turn.name, signatureId)
  const notAfter = new Date(parts.now().getTime() + LIMITS.signerCertificateMs)
  const issued = await parts.issueSignerCertificate({ id, kind, subject, keyLabel, publicKeySpki, notAfter })
  const own = { ...issued, sha256: parts.sha256Of(issued.certificate) }
  const marks: ReleasedMark[] = []
  for (const { documentId, versionId } of signature.marks)
    if (versionId === null)
      marks.push(markOf(parts, await prepareIntent(parts, { ...task, documentId }, request, own)))
  const of = { id, businessId, signatureId, kind, keyLabel, until, ...issued }
  return { ...of, certificateSha256: own.sha256, marks, passed: null }
}

const markOf = (parts: PrepareParts, intent: Intent): ReleasedMark => ({
  documentId: intent.documentId,
  onto: intent.baseId,
  versionId: intent.versionId,
  sha256: parts.sha256Of({ base64: intent.prepared.signedAttributes }),
})

async function offer(parts: PrepareParts, task: ReleaseTask, release: Release): Promise<void> {
  const { businessId, requestId, signatureId, releaseId } = task
  const { certificateSha256 } = release
  await parts.transact(businessId, async (tx) => {
    // Another worker may have been faster, and a second release of one turn would be another promise.
    const at = parts.now()
    if (wantedOf(await tx.lockRequest(requestId), task, at) === null) return
    await tx.insertRelease(release)
    await apply(tx, requestId, { type: "offer-release", signatureId, releaseId, certificateSha256, at })
  })
}

const happen = (
  parts: PrepareParts,
  task: ReleaseTask,
  event: EventOf<"fail"> | EventOf<"wait">,
): Promise<void> =>
  parts.transact(task.businessId, async (tx) => {
    if (wantedOf(await tx.lockRequest(task.requestId), task, event.at) === null) return
    await apply(tx, task.requestId, event)
  })
