import type { IssuedCertificate } from "../certificate/ports.ts"
import { LIMITS } from "../limits.ts"
import type { Signer } from "../login/signer.ts"
import { Refusal } from "../refusal.ts"
import { keyAtProvider, NoKeyThere, type RemoteKeyParts } from "../remote-key/key.ts"
import { apply } from "../signature-request/apply.ts"
import type { EventOf } from "../signature-request/event.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { Kind, Signature, SignatureRequest, SigningTurn } from "../signature-request/model.ts"
import { type IntentParts, prepareIntent } from "../signature-request/prepare-intent.ts"
import { NEVER } from "../signature-request/sign.ts"
import { change } from "../signature-request/turn.ts"
import type { EstablishedName, Release, ReleasedKey, ReleasedMark } from "./model.ts"
import { nameStatement, subjectOf } from "./name.ts"
import type { IssueSignerCertificate, MakeSignerKey, Sha256Of } from "./ports.ts"

export type ReleaseTask = Signer & { readonly releaseId: string }

export type PrepareParts = IntentParts &
  RemoteKeyParts & {
    readonly makeSignerKey: MakeSignerKey
    readonly issueSignerCertificate: IssueSignerCertificate
    readonly sha256Of: Sha256Of
  }

/** Whose certificate will stand in the marks, and where its key lies. */
export type OfferedKey = {
  readonly key: ReleasedKey
  readonly issued: IssuedCertificate
  /** As the certificate has it, where it says more than we knew. */
  readonly name: EstablishedName
}

/** A label says what the key is for; one of a signer is never used for anything else. */
export const signerKeyLabel = (releaseId: string): string => `signer-${releaseId}`

/**
 * Between the click and the factor: the key, the certificate, and the bytes of every mark. The key is on record before it is made;
 * whatever dies in between runs again with the same key and the same certificate. At a provider both are there already.
 */
export async function prepareRelease(parts: PrepareParts, task: ReleaseTask): Promise<void> {
  const found = await wanted(parts, task)
  if (found === null) return
  try {
    await offer(parts, task, await prepared(parts, task, found))
  } catch (error) {
    // Somebody went back, or the time is over: what was made is destroyed by the sweep.
    if ((await wanted(parts, task)) === null) return
    const { signatureId, releaseId } = task
    const at = parts.now()
    if (error instanceof NoKeyThere) {
      const { problem } = error
      return happen(parts, task, { type: "end-turn", signatureId, releaseId, by: "provider", problem, at })
    }
    if (error instanceof Refusal && NEVER.includes(error.code))
      return happen(parts, task, { type: "fail", signatureId, at })
    if (error instanceof Refusal && error.lacks !== undefined)
      await happen(parts, task, { type: "wait", signatureId, lack: error.lacks, at })
    throw error
  }
}

export type Found = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly turn: SigningTurn
}

async function wanted(parts: PrepareParts, task: ReleaseTask): Promise<Found | null> {
  const request = await parts.read(task.businessId, (reading) => reading.findRequest(task.requestId), "once")
  return wantedOf(request, task, parts.now())
}

function wantedOf(request: SignatureRequest | null, task: ReleaseTask, now: Date): Found | null {
  const signature = request?.signatures.find((s) => s.id === task.signatureId)
  const turn = signature?.turn ?? null
  if (!request || !signature || turn === null || signature.state !== "open") return null
  const isWanted = turn.releaseId === task.releaseId && turn.state === "preparing" && turn.until > now
  return isWanted ? { request, signature, turn } : null
}

type Prepared = { readonly release: Release; readonly name: EstablishedName }

async function prepared(
  parts: PrepareParts,
  task: ReleaseTask,
  { request, signature, turn }: Found,
): Promise<Prepared> {
  const { businessId, signatureId } = task
  const { kind } = request
  const { releaseId: id, until, provider } = turn
  const { key, issued, name } =
    provider === null
      ? await keyInToken(parts, task, kind, turn)
      : await keyAtProvider(parts, { ...task, provider }, { request, signature, turn })
  const algorithm = key.at === "provider" ? { algorithm: key.algorithm.name } : {}
  const own = { ...issued, ...algorithm, sha256: parts.sha256Of(issued.certificate), releaseId: id }
  const named = withName(request, signature, name)
  const marks: ReleasedMark[] = []
  for (const { documentId, versionId } of signature.marks)
    if (versionId === null)
      marks.push(markOf(parts, await prepareIntent(parts, { ...task, documentId }, named, own)))
  const of = { id, businessId, signatureId, kind, key, until, ...issued }
  return { release: { ...of, certificateSha256: own.sha256, marks, passed: null }, name }
}

async function keyInToken(
  parts: PrepareParts,
  { businessId, signatureId }: ReleaseTask,
  kind: Kind,
  { releaseId: id, until, name }: SigningTurn,
): Promise<OfferedKey> {
  const label = signerKeyLabel(id)
  await parts.transact(businessId, (tx) => tx.noteSignerKey({ keyLabel: label, kind, dueAt: until }))
  const publicKeySpki = await parts.makeSignerKey(kind, label)
  const subject = subjectOf(name, signatureId)
  const notAfter = new Date(parts.now().getTime() + LIMITS.signerCertificateMs)
  const nameProof = nameStatement(name)
  const order = { id, kind, subject, keyLabel: label, publicKeySpki, notAfter, nameProof }
  return { key: { at: "token", label }, issued: await parts.issueSignerCertificate(order), name }
}

/** What the mark shows is what the certificate says. */
const withName = (request: SignatureRequest, { id, consent }: Signature, { name }: EstablishedName) =>
  consent === null ? request : change(request, id, { consent: { ...consent, name } })

const markOf = (parts: PrepareParts, intent: Intent): ReleasedMark => ({
  documentId: intent.documentId,
  onto: intent.baseId,
  versionId: intent.versionId,
  sha256: parts.sha256Of({ base64: intent.prepared.signedAttributes }),
})

async function offer(parts: PrepareParts, task: ReleaseTask, { release, name }: Prepared): Promise<void> {
  const { businessId, requestId, signatureId, releaseId } = task
  const { certificateSha256 } = release
  const named = release.key.at === "provider" ? { name } : {}
  await parts.transact(businessId, async (tx) => {
    // Another worker may have been faster, and a second release of one turn would be another promise.
    const at = parts.now()
    if (wantedOf(await tx.lockRequest(requestId), task, at) === null) return
    await tx.insertRelease(release)
    const of = { signatureId, releaseId, certificateSha256, ...named }
    await apply(tx, requestId, { type: "offer-release", ...of, at })
  })
}

const happen = (
  parts: PrepareParts,
  task: ReleaseTask,
  event: EventOf<"fail"> | EventOf<"wait"> | EventOf<"end-turn">,
): Promise<void> =>
  parts.transact(task.businessId, async (tx) => {
    if (wantedOf(await tx.lockRequest(task.requestId), task, event.at) === null) return
    if (event.type === "end-turn") {
      await tx.noteRemote(task.releaseId, { problem: event.problem ?? null })
      await tx.keepRemoteToken(task.releaseId, null)
    }
    await apply(tx, task.requestId, event)
  })
