import type { Signer } from "../login/signer.ts"
import type * as ports from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import { currentConsent } from "./consent.ts"
import type { Signature, SignatureRequest } from "./model.ts"
import { ownDocuments } from "./view.ts"

/** The click: turn, consent and name are judged and written down together with the job; no key is used yet. */
export async function requestSigning(
  parts: { readonly transact: ports.Transact; readonly now: ports.Clock; readonly sha256: ports.Sha256 },
  signer: Signer,
  agreed: { readonly name: string; readonly consentVersion: string; readonly shown: readonly string[] },
): Promise<SignatureRequest> {
  const { version, language, text } = currentConsent()
  if (agreed.consentVersion !== version)
    throw new Refusal("consent-outdated", "The text has changed. Please read it again.")
  const name = agreed.name.trim()
  if (name === "") throw new Refusal("constraint-violated", "A signature needs a name.")
  const at = parts.now()
  const { shown } = agreed
  const consent = { name, version, language, sha256: parts.sha256(text), shown, at }
  return parts.transact(signer.businessId, async (tx) => {
    const request = await tx.lockRequest(signer.requestId)
    const signature = request?.signatures.find((s) => s.id === signer.signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    if (!isOneVersionOfEach(request, signature, shown))
      throw new Refusal("consent-outdated", "Please read the documents again.")
    return apply(tx, signer.requestId, { type: "consent", signatureId: signer.signatureId, consent, at })
  })
}

/** Somebody may sign while another one reads, so an older version is fine; a document that was not shown is not. */
function isOneVersionOfEach(
  request: SignatureRequest,
  signature: Signature,
  shown: readonly string[],
): boolean {
  const documents = ownDocuments(request, signature)
  const versionsOf = (id: string) => [
    id,
    ...request.signatures.flatMap((s) => s.marks.flatMap((m) => (m.documentId === id && m.versionId) || [])),
  ]
  const isShown = (id: string) => versionsOf(id).some((version) => shown.includes(version))
  return shown.length === documents.length && documents.every(({ id }) => isShown(id))
}
