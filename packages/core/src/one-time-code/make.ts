import type { Language } from "../language.ts"
import type { Clock, Transact } from "../ports.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { screenOf } from "../signature-request/view.ts"
import { type Destination, mailboxOf, telephoneOf } from "./destination.ts"
import { type CodePurpose, isAlive } from "./model.ts"
import type { CodeFor, HashCode, SmsReach } from "./ports.ts"

export type CodeToSend = {
  readonly code: string
  readonly purpose: CodePurpose
  readonly to: Destination
  readonly language: Language
  readonly request: SignatureRequest
}

/**
 * The worker's half: null where the code is no longer wanted. Each attempt of one asking makes the same code; it counts from the
 * first one on, and until it is used.
 */
export async function makeCode(
  parts: {
    readonly transact: Transact
    readonly now: Clock
    readonly signerCodeFor: CodeFor
    readonly hashSignerCode: HashCode
    readonly smsReach: SmsReach
  },
  job: {
    readonly businessId: string
    readonly requestId: string
    readonly signatureId: string
    readonly number: number
    /** Absent in a job of the version before. */
    readonly purpose?: CodePurpose
  },
): Promise<CodeToSend | null> {
  const { purpose = "mailbox", signatureId } = job
  return parts.transact(job.businessId, async (tx) => {
    const now = parts.now()
    const request = await tx.lockRequest(job.requestId)
    const signature = request?.signatures.find((s) => s.id === signatureId)
    if (!request || !signature || !isWanted(purpose, request, signature, now)) return null
    const to = DESTINATIONS[purpose](request.kind, signature, parts.smsReach)
    const asked = await tx.lockCode(purpose, signatureId)
    if (to === null || asked?.number !== job.number || !isAlive(asked, now)) return null
    const code = parts.signerCodeFor(asked)
    await tx.saveCode({ ...asked, codeHash: parts.hashSignerCode(asked, code).current })
    const language = (await tx.sessionLanguage(asked.sessionHash)) ?? signature.language
    return { code, purpose, to, language, request }
  })
}

/** A second factor is not the mailbox that the invitation went to. */
const DESTINATIONS = { mailbox: mailboxOf, release: telephoneOf } as const

/** While the page asks for it: before somebody signs, or while a release is offered to them. */
const isWanted = (
  purpose: CodePurpose,
  request: SignatureRequest,
  signature: Signature,
  now: Date,
): boolean => screenOf(request, signature, now) === (purpose === "mailbox" ? "read" : "release")
