import type { Signer } from "../login/signer.ts"
import type { Clock, Read, Reading } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Release, ReleasedKey } from "../release/model.ts"
import type { Sha256Of } from "../release/ports.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { isHeld } from "../signature-request/steps/releasing.ts"

type Parts = { readonly read: Read; readonly now: Clock; readonly sha256Of: Sha256Of }

export type KeyThere = Extract<ReleasedKey, { at: "provider" }>

/** What the person goes to the provider for. */
export type Going = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly provider: string
  readonly releaseId: string
} & (
  | { readonly visit: "log-in" }
  | { readonly visit: "release"; readonly key: KeyThere; readonly intents: readonly Intent[] }
)

/** Whether there is anything to do at a provider now. As often as the person likes: the same hashes wait. */
export function mayGo(parts: Parts, signer: Signer): Promise<Going> {
  return parts.read(signer.businessId, async (reading) => {
    const request = await reading.findRequest(signer.requestId)
    const signature = request?.signatures.find((s) => s.id === signer.signatureId)
    const turn = signature?.turn ?? null
    if (!request || signature?.state !== "open" || turn?.provider == null || !isHeld(turn, parts.now()))
      throw over()
    const going = { request, signature, provider: turn.provider, releaseId: turn.releaseId }
    if (turn.state === "logging-in") return { ...going, visit: "log-in" }
    const release = await reading.findRelease(turn.releaseId)
    if (turn.state !== "offered" || release?.key.at !== "provider") throw over()
    const intents = await intentsOf(parts, reading, release)
    return { ...going, visit: "release", key: release.key, intents }
  })
}

/** What was prepared for every mark, in the order of the release: the very bytes that it was offered for, and no others. */
export async function intentsOf(
  { sha256Of }: Pick<Parts, "sha256Of">,
  reading: Pick<Reading, "findIntent">,
  { signatureId, marks, certificateSha256 }: Release,
): Promise<readonly Intent[]> {
  const all: Intent[] = []
  for (const { documentId, onto, versionId, sha256 } of marks) {
    const intent = await reading.findIntent(signatureId, documentId, onto)
    const isTheOne =
      intent !== null &&
      intent.versionId === versionId &&
      intent.prepared.certificateSha256 === certificateSha256 &&
      sha256Of({ base64: intent.prepared.signedAttributes }) === sha256
    if (!isTheOne) throw new Refusal("not-released", "The document is not the one that was offered.")
    all.push(intent)
  }
  return all
}

const over = () => new Refusal("release-over", "The time to confirm has passed. Please sign again.")
