import { Refusal } from "../refusal.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { Signature } from "../signature-request/model.ts"
import type { Release } from "./model.ts"

/**
 * Asked right before the key is used: whatever a job says, a signer's key makes the marks that its signer released, and no other.
 * `sha256` is that of the bytes which the key is about to sign.
 */
export function mustBeReleased(
  release: Release | null,
  signature: Signature,
  intent: Pick<Intent, "documentId" | "baseId" | "versionId" | "prepared">,
  sha256: string,
): Release {
  const { turn } = signature
  const mark = release?.marks.find((m) => m.documentId === intent.documentId)
  const isOfThis =
    release !== null &&
    turn !== null &&
    turn.state === "released" &&
    turn.releaseId === release.id &&
    release.signatureId === signature.id &&
    release.passed !== null &&
    release.passed.at < release.until &&
    release.certificateSha256 === intent.prepared.certificateSha256 &&
    mark !== undefined &&
    mark.onto === intent.baseId &&
    mark.versionId === intent.versionId &&
    mark.sha256 === sha256
  if (!isOfThis) throw new Refusal("not-released", "The signer has not released the key for this.")
  return release
}
