import { identifiedName } from "../identification/needed.ts"
import { calledFrom, type Signer, type SignerSession } from "../login/signer.ts"
import { displayName } from "../names/characters.ts"
import { readName } from "../names/read-name.ts"
import type { Clock, NewId, Sha256, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import { consentOf } from "./consent.ts"
import { keyHolder } from "./key-holder.ts"
import { type ChosenLook, type ChosenPlace, judgedPlaces, keptLook } from "./look.ts"
import type { Consent, Signature, SignatureRequest } from "./model.ts"
import { servedTo } from "./served-pages.ts"
import { ownDocuments } from "./view.ts"

/** What comes with the click. Without a look it is plain text; without places it is seen only where the request enforces it. */
export type Agreed = {
  readonly name: string
  readonly consentVersion: string
  readonly shown: readonly string[]
  readonly look?: ChosenLook
  readonly places?: readonly ChosenPlace[]
  /** The provider at which the signer has a certificate. */
  readonly provider?: string | null
}

/** The click: turn, consent, name and look are judged and written down together with the job; no key is used yet. */
export async function requestSigning(
  parts: ConsentParts,
  signer: Signer & Partial<Pick<SignerSession, "way" | "ip" | "idHash">>,
  agreed: Agreed,
): Promise<SignatureRequest> {
  const typed = { ...agreed, name: readName("name", agreed.name) }
  return parts.transact(signer.businessId, async (tx) => {
    const request = await tx.lockRequest(signer.requestId)
    const signature = request?.signatures.find((s) => s.id === signer.signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    // A double tap: what was chosen the first time stays.
    const consent = await judgedConsent(parts, tx, request, signature, typed, signature.consent)
    const { signatureId, way = "link" } = signer
    const served = await servedTo(tx, signer, agreed.shown)
    const of = { signatureId, ...served, ...calledFrom(signer), at: parts.now() }
    return apply(tx, signer.requestId, { type: "consent", consent, way, ...of })
  })
}

/** What was read, how it is to be seen and under which name; `known` stays where it is there. */
export async function judgedConsent(
  parts: ConsentParts,
  tx: Tx,
  request: SignatureRequest,
  signature: Signature,
  agreed: Agreed,
  known: Consent | null = null,
): Promise<Consent> {
  const holder = agreed.provider == null ? keyHolder(request) : "provider"
  const read = consentOf(holder, agreed.consentVersion)
  if (read === null) throw new Refusal("consent-outdated", "The text has changed. Please read it again.")
  const { version, language, text } = read
  const name = displayName(agreed.name)
  if (name === "") throw new Refusal("constraint-violated", "A signature needs a name.")
  const { shown } = agreed
  if (!isOneVersionOfEach(request, signature, shown))
    throw new Refusal("consent-outdated", "Please read the documents again.")
  if (known !== null) return known
  const at = parts.now()
  const places = await judgedPlaces(tx, request, signature, agreed.places ?? [])
  const look = await keptLook(tx, signature.id, agreed.look ?? { type: "plain" }, { id: parts.newId(), at })
  const verified = identifiedName(request, signature, at)
  const shownName = displayName(verified ?? "") || name
  return { name: shownName, version, language, sha256: parts.sha256(text), shown, look, places, at }
}

export type ConsentParts = {
  readonly transact: Transact
  readonly now: Clock
  readonly newId: NewId
  readonly sha256: Sha256
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
