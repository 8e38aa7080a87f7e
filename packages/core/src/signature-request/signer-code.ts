import type { SignerSession } from "../login/signer.ts"
import { askCode } from "../one-time-code/ask.ts"
import { checkCode, type Judged, mustBeRight, passedBy } from "../one-time-code/check.ts"
import { type Destination, mailboxOf } from "../one-time-code/destination.ts"
import type { CodeOf } from "../one-time-code/model.ts"
import type { HashCode, SmsReach } from "../one-time-code/ports.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SignatureRequest } from "./model.ts"
import { screenOf } from "./view.ts"

/**
 * Decisions, "what a quality means here": a signer proves control of the e-mail address, or of the telephone where the sender named
 * no address. Who came by the link in our mail has; who came by an address that others can read has not, and is sent a code.
 */
type Parts = { readonly transact: Transact; readonly now: Clock; readonly smsReach: SmsReach }

export async function askForCode(parts: Parts, session: SignerSession, network: string): Promise<void> {
  if (session.way !== "preview") return
  await parts.transact(session.businessId, async (tx) => {
    const at = parts.now()
    const { request, to } = await theirs(tx, parts.smsReach, session, at)
    await askCode(tx, parts.smsReach, { of: codeOfSession(session), to, request, network }, at)
  })
}

/** A wrong code is counted before anybody hears that it was wrong. */
export async function checkSignerCode(
  parts: Parts & { readonly hashSignerCode: HashCode },
  session: SignerSession,
  code: string,
): Promise<void> {
  if (session.way !== "preview") return
  const judged = await parts.transact(session.businessId, async (tx): Promise<Judged> => {
    const at = parts.now()
    const { to } = await theirs(tx, parts.smsReach, session, at)
    const of = codeOfSession(session)
    const found = await checkCode(
      tx,
      parts.hashSignerCode,
      { of, to, businessId: session.businessId },
      code,
      at,
    )
    if (found !== "right") return found
    await tx.proveSession(session.idHash)
    await tx.appendEvidence(session.requestId, [passedBy(of, to, session, at)])
    return found
  })
  mustBeRight(judged)
}

export const codeOfSession = ({ signatureId, idHash }: SignerSession): CodeOf => ({
  purpose: "mailbox",
  signatureId,
  sessionHash: idHash,
  binding: "",
})

async function theirs(
  tx: Tx,
  reach: SmsReach,
  { requestId, signatureId }: SignerSession,
  now: Date,
): Promise<{ request: SignatureRequest; to: Destination }> {
  const request = await tx.lockRequest(requestId)
  const signature = request?.signatures.find((s) => s.id === signatureId)
  if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
  if (screenOf(request, signature, now) !== "read")
    throw new Refusal("signature-not-open", "There is nothing to sign just now.")
  const to = mailboxOf(request.kind, signature, reach)
  if (to === null)
    throw new Refusal(
      "proof-needed",
      "We know no address of yours that we can send a code to. Ask the sender.",
    )
  return { request, to }
}
