import type { SignerSession } from "../login/signer.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { askCode } from "./ask.ts"
import { checkCode, type Judged, passedBy } from "./check.ts"
import { type Destination, shownDestination, telephoneOf } from "./destination.ts"
import { type CodeOf, type Proof, proofOf } from "./model.ts"
import type { CodesReading, HashCode, SmsReach } from "./ports.ts"

/**
 * A code by SMS as the second factor of an advanced signature (decisions, "what a quality means here"): it releases the signer's own
 * key for what `binding` names, and for nothing else. All of it runs in the caller's transaction, which holds the lock of the request.
 */
export type Releasing = {
  readonly session: SignerSession
  readonly request: SignatureRequest
  readonly signature: Signature
  /** What is released, such as a hash over the hashes that are to be signed. Never empty. */
  readonly binding: string
}

/** Whether this person can release by SMS at all, and what they are shown of their number; null where they cannot. */
export function releaseNumber(
  { request, signature }: Pick<Releasing, "request" | "signature">,
  reach: SmsReach,
): string | null {
  const to = telephoneOf(request.kind, signature, reach)
  return to === null ? null : shownDestination(to)
}

export async function askForReleaseCode(
  tx: Tx,
  reach: SmsReach,
  releasing: Releasing & { readonly network: string },
  at: Date,
): Promise<void> {
  const { request, network } = releasing
  await askCode(tx, reach, { of: codeOf(releasing), to: theirs(releasing, reach), request, network }, at)
}

/** On record where it is right. The caller tells the answer after the transaction (`mustBeRight`), so that a wrong one counts. */
export async function checkReleaseCode(
  tx: Tx,
  { smsReach, hashSignerCode }: { readonly smsReach: SmsReach; readonly hashSignerCode: HashCode },
  releasing: Releasing,
  typed: string,
  at: Date,
): Promise<Judged> {
  const of = codeOf(releasing)
  const to = theirs(releasing, smsReach)
  const judged = await checkCode(
    tx,
    hashSignerCode,
    { of, to, businessId: releasing.request.businessId },
    typed,
    at,
  )
  if (judged === "right")
    await tx.appendEvidence(releasing.request.id, [passedBy(of, to, releasing.session, at)])
  return judged
}

/** What the page shows of the code that is on its way. */
export async function releaseProof(reading: CodesReading, releasing: Releasing, now: Date): Promise<Proof> {
  const of = codeOf(releasing)
  return proofOf(await reading.findCode(of.purpose, of.signatureId), of, now)
}

function codeOf({ session: { idHash }, signature, binding }: Releasing): CodeOf {
  if (binding === "") throw new Error("A release of nothing.")
  return { purpose: "release", signatureId: signature.id, sessionHash: idHash, binding }
}

function theirs({ request, signature }: Releasing, reach: SmsReach): Destination {
  const to = telephoneOf(request.kind, signature, reach)
  if (to === null) throw new Refusal("proof-needed", "We know no mobile number of yours that we can reach.")
  return to
}
