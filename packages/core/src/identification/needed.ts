import { Refusal } from "../refusal.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { type Identification, type IdentificationStatus, identificationStatus } from "./model.ts"

type Of = Pick<SignatureRequest, "quality">

/** Decisions, "express QES": QES for a signer without an account, and whoever it was asked for. Null: nobody need know. */
export const identificationOf = ({ quality }: Of, { identification }: Signature): Identification | null =>
  identification !== null && (identification.required || quality === "QES") ? identification : null

/** What it is today, or was when the signer agreed: evidence that was used does not expire. */
export const statusOfEvidence = (
  identification: Identification,
  { consent }: Signature,
  now: Date,
): IdentificationStatus => identificationStatus(identification, consent?.at ?? now)

/**
 * What every way of making a signature asks first: whether its signer was identified, where that is needed. Nobody agrees, and
 * no key is released, before it holds.
 */
export function mustBeIdentified(request: Of, signature: Signature, at: Date): void {
  const needed = identificationOf(request, signature)
  if (needed !== null && identificationStatus(needed, at) !== "ACCEPTED")
    throw new Refusal("identification-needed", "The signer has to be identified before signing.")
}

/** Decisions, "identity behind AES": the name that evidence stands behind; null where there is none. */
export function identifiedName(request: Of, signature: Signature, at: Date): string | null {
  const known = identificationOf(request, signature)
  return known !== null && statusOfEvidence(known, signature, at) === "ACCEPTED" ? known.name : null
}
