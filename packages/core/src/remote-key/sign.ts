import { LIMITS } from "../limits.ts"
import type { Signer } from "../login/signer.ts"
import { isGivenUp } from "../patience.ts"
import type { Clock, Read, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Release } from "../release/model.ts"
import type { Sha256Of } from "../release/ports.ts"
import { apply } from "../signature-request/apply.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { intentsOf, type KeyThere } from "./go.ts"
import type { RemoteSigning, RemoteToken } from "./model.ts"
import type { RemoteAnswer, SignRemotely } from "./ports.ts"

export type RemoteTask = Signer & { readonly releaseId: string }

export type RemoteSigningParts = {
  readonly transact: Transact
  readonly read: Read
  readonly now: Clock
  readonly sha256Of: Sha256Of
  readonly signRemotely: SignRemotely
}

/**
 * Has the provider sign what was released: all documents by one call. The same call with the same release cannot sign twice, so it
 * is repeated until an answer comes; the person is asked again only when that says no (ADR 0039, "never asking or paying twice").
 */
export async function performRemoteSigning(
  parts: RemoteSigningParts,
  task: RemoteTask,
  attempt = 1,
): Promise<void> {
  const found = await leased(parts, task)
  if (found === null) return
  const answer = await asked(parts, found, attempt)
  await noted(parts, task, found, answer)
  if (answer.state === "later" || answer.state === "pending") throw waiting()
}

async function asked(parts: RemoteSigningParts, found: Leased, attempt: number): Promise<RemoteAnswer> {
  const { release, key, known, token, intents } = found
  const { kind, certificate, signatureId: reference, passed } = release
  if (token === null) return { state: "no", problem: "expired" }
  const answer = await parts.signRemotely({
    ...{ provider: key.provider, credentialId: key.credentialId, algorithm: key.algorithm },
    ...{ kind, token, certificate, reference, responseId: known.responseId },
    toBeSigned: intents.map(({ prepared }) => prepared.signedAttributes),
  })
  const now = parts.now()
  const isTooLate = isGivenUp(passed?.at ?? now, now, LIMITS.signingRetryMs, attempt)
  if (!isTooLate || answer.state === "signed") return answer
  return { state: "no", problem: answer.state === "no" ? answer.problem : "unreachable" }
}

type Leased = {
  readonly release: Release
  readonly key: KeyThere
  readonly known: RemoteSigning
  readonly token: RemoteToken | null
  readonly intents: readonly Intent[]
  readonly until: Date
}

/** On record before it is asked: who asks. Null: nothing is wanted any more, or it is done. */
async function leased(parts: RemoteSigningParts, task: RemoteTask): Promise<Leased | null> {
  const { businessId, requestId, signatureId, releaseId } = task
  const now = parts.now()
  const until = new Date(now.getTime() + LIMITS.providerLeaseMs)
  const isWanted = await parts.transact(businessId, async (tx) => {
    if (!isWantedOf(await tx.lockRequest(requestId), task)) return false
    if (!(await tx.leaseRemote(releaseId, { now, until }))) throw waiting()
    return true
  })
  if (!isWanted) return null
  return parts.read(businessId, async (reading) => {
    const release = await reading.findRelease(releaseId)
    const known = await reading.findRemoteSigning(signatureId)
    if (release?.key.at !== "provider" || release.passed === null || known?.releaseId !== releaseId)
      throw new Error("What was released at a provider is missing.")
    const intents = await intentsOf(parts, reading, release)
    const token = await reading.findRemoteToken(releaseId)
    // The job ran before: what is on record is never asked for again.
    if (intents.every(({ value }) => value !== null)) return null
    return { release, key: release.key, known, token, intents, until }
  })
}

function isWantedOf(request: SignatureRequest | null, { signatureId, releaseId }: RemoteTask): boolean {
  const signature = request?.signatures.find((s) => s.id === signatureId)
  return (
    signature?.state === "open" &&
    signature.turn?.releaseId === releaseId &&
    signature.turn.state === "released" &&
    signature.marks.some((m) => m.versionId === null)
  )
}

/** All values in one write, with the jobs that finish the documents; or what is known instead of them. */
function noted(
  parts: RemoteSigningParts,
  task: RemoteTask,
  { known, intents, until }: Leased,
  answer: RemoteAnswer,
): Promise<void> {
  const { businessId, requestId, signatureId, releaseId } = task
  return parts.transact(businessId, async (tx) => {
    if (!isWantedOf(await tx.lockRequest(requestId), task)) return
    const at = parts.now()
    const isOurs = await tx.returnRemote(releaseId, until)
    // Whoever was too slow has no say any more; a signature is one all the same.
    if (!isOurs && answer.state !== "signed") return
    switch (answer.state) {
      case "signed":
        await keepValues(tx, intents, answer.values)
        await tx.keepRemoteToken(releaseId, null)
        await apply(tx, requestId, { type: "keep-values", signatureId, releaseId, at })
        return
      case "pending":
        await tx.noteRemote(releaseId, { responseId: answer.responseId, mayHaveSigned: true })
        await apply(tx, requestId, { type: "wait", signatureId, lack: "provider", at })
        return
      case "later":
        await tx.noteRemote(releaseId, { mayHaveSigned: known.mayHaveSigned || answer.mayHaveSigned })
        await apply(tx, requestId, { type: "wait", signatureId, lack: "provider", at })
        return
      case "no": {
        // A signature was made whose value nobody has: the evidence says so, and a bill can be disputed by its reference.
        const problem = known.mayHaveSigned ? "lost" : answer.problem
        await tx.keepRemoteToken(releaseId, null)
        await tx.noteRemote(releaseId, { problem })
        await apply(tx, requestId, { type: "end-turn", signatureId, releaseId, by: "provider", problem, at })
      }
    }
  })
}

async function keepValues(tx: Tx, intents: readonly Intent[], values: readonly Uint8Array[]): Promise<void> {
  for (const [index, intent] of intents.entries()) {
    const value = values[index]
    if (value === undefined) throw new Error("A signature of the provider is missing.")
    await tx.keepValue(intent, value)
  }
}

const waiting = (): Refusal =>
  new Refusal("part-down", "The provider has not signed yet.", { lacks: "provider" })
