import type { Caller } from "../access/caller.ts"
import { mustWriteRequest } from "../access/may.ts"
import type { AccountRows } from "../account/ports.ts"
import { readName } from "../names/read-name.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { readNumber } from "../telephone/number.ts"
import type { VouchDocument } from "./model.ts"

/** What the member checked, with the person in front of them. */
export type Vouching = {
  readonly requestId: string
  readonly signatureId: string
  readonly givenName: string
  readonly surname: string
  /** A number that the person was reached at during the check; null where none was checked. */
  readonly mobileNumber: string | null
  readonly document: VouchDocument
}

/**
 * A member of the business vouches that the signer is the person of this name (ADR 0090). The sender cannot do it for their own
 * request, nor an API key, and only a business with which the operator agreed it.
 */
export async function vouchForSigner(
  parts: {
    readonly transact: Transact
    readonly now: Clock
    readonly accounts: Pick<AccountRows, "findStrongMember">
  },
  caller: Caller,
  { requestId, signatureId, document, ...given }: Vouching,
): Promise<SignatureRequest> {
  const member = caller.via === "session" ? await parts.accounts.findStrongMember(caller.keyId) : null
  if (member === null)
    throw new Refusal(
      "second-factor-needed",
      "Only a member who logged in with a passkey or an authenticator app can vouch for a signer.",
    )
  return parts.transact(caller.businessId, async (tx) => {
    if (!(await tx.settings()).features.includes("vouching"))
      throw new Refusal("feature-not-enabled", "Vouching for signers is not enabled for this business.")
    const request = mustWriteRequest(caller, await tx.lockRequest(requestId))
    mustBeAnother(caller, member.email, request, signatureId)
    const givenName = readName("given_name", given.givenName)
    const surname = readName("surname", given.surname)
    const mobileNumber = given.mobileNumber === null ? null : readNumber(given.mobileNumber)
    if (given.mobileNumber !== null && mobileNumber === null)
      throw new Refusal(
        "constraint-violated",
        "mobile_number has to be an international number, such as +41791234567.",
      )
    const at = parts.now()
    const vouch = { givenName, surname, mobileNumber, document, by: member.email, at: at.toISOString() }
    return apply(tx, requestId, { type: "vouch", signatureId, vouch, at }, caller)
  })
}

/** Neither the sender nor the signer establishes the name. */
function mustBeAnother(caller: Caller, email: string, request: SignatureRequest, signatureId: string): void {
  const signer = request.signatures.find(({ id }) => id === signatureId)
  if (signer === undefined) throw new Refusal("not-found", "There is no such signature.")
  const isSame = (other: string | null) => other?.toLowerCase() === email.toLowerCase()
  if (caller.userId === request.ownerId || isSame(request.creator) || isSame(signer.email))
    throw new Refusal(
      "write-access-needed",
      "Another member than the sender and the signer has to vouch for the signer's identity.",
    )
}
