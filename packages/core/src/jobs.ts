import type { LetterToAccount } from "./account/model.ts"
import { callbackAddress } from "./callback/address.ts"
import type { Language } from "./language.ts"
import type { CodePurpose } from "./one-time-code/model.ts"
import type { Effect, Recipient } from "./signature-request/event.ts"
import { type CallbackType, firstDocument, type SignatureRequest } from "./signature-request/model.ts"
import { type Told, toldOf } from "./signature-request/told.ts"

type OfRequest = { readonly businessId: string; readonly requestId: string }

export type InviteSigner = OfRequest & {
  readonly task: "invite-signer"
  readonly signatureId: string
  readonly letter: "invitation" | "your-turn" | "reminder"
}
/** A letter that asks for nothing: it says what has become of a request. */
export type SendMail = OfRequest & {
  readonly task: "send-mail"
  readonly to: Recipient
  readonly told: Told
}
export type SignDocument = OfRequest & {
  readonly task: "sign-document"
  readonly signatureId: string
  readonly documentId: string
}
/** Makes a signer's key and prepares what it is to sign (ADR 0041). */
export type PrepareRelease = OfRequest & {
  readonly task: "prepare-release"
  readonly signatureId: string
  readonly releaseId: string
}
/** Has a provider sign what its person has released (ADR 0046). */
export type SignAtProvider = OfRequest & {
  readonly task: "sign-remotely"
  readonly signatureId: string
  readonly releaseId: string
}
/** A code for a signer, by mail or SMS; it is made by whoever sends it, and is in no row and no job. */
export type SendCode = OfRequest & {
  readonly task: "send-code"
  readonly signatureId: string
  readonly number: number
  /** Absent in a job of the version before: of the mailbox. */
  readonly purpose?: CodePurpose
}
/** Asks a provider of identification who somebody was. */
export type AskIdentityProvider = OfRequest & {
  readonly task: "ask-identity-provider"
  readonly signatureId: string
}
/** To a person about their own account. A code is made by whoever sends it, so that none lies in the queue. */
export type WriteToAccount = LetterToAccount & { readonly task: "write-to-account" }
export type DeliverCallback = OfRequest & {
  readonly task: "deliver-callback"
  readonly type: CallbackType
  /** As the integrator gave it, and with its placeholders replaced. */
  readonly template: string
  readonly url: string
}

/** One company seal on one document, for which somebody waits. */
export type SealDocument = {
  readonly task: "seal-document"
  readonly businessId: string
  readonly sealingId: string
}
/** Those of a batch that are still to be made, one after the other. */
export type SealManyDocuments = {
  readonly task: "seal-batch"
  readonly businessId: string
  readonly batchId: string
}
/** The report of a validation for people, in one language, for which somebody waits (ADR 0051). */
export type SealReport = {
  readonly task: "seal-report"
  readonly businessId: string
  readonly validationId: string
  readonly language: Language
}
/** The protocol of a request, in one language, for which somebody waits (ADR 0053). */
export type SealProtocol = OfRequest & { readonly task: "seal-protocol"; readonly language: Language }
export type SealJob = SealDocument | SealManyDocuments | SealReport | SealProtocol

/** What a worker is asked to do. A job may run twice and must not mind. */
export type Job =
  | InviteSigner
  | SendMail
  | SendCode
  | AskIdentityProvider
  | PrepareRelease
  | SignAtProvider
  | SignDocument
  | WriteToAccount
  | DeliverCallback
  | SealJob
export type Task = Job["task"]
/** Callbacks have a table of their own (ADR 0023); everything else goes through the queue. */
export type QueuedJob = Exclude<Job, DeliverCallback>
export type QueuedTask = QueuedJob["task"]

/** The job that an effect becomes; null when there is nothing to do, as for a callback without a URL (part 6, rule 4). */
export function jobOf(request: SignatureRequest, effect: Effect): Job | null {
  const of = { businessId: request.businessId, requestId: request.id }
  switch (effect.type) {
    case "invite":
    case "your-turn":
    case "remind":
      return { task: "invite-signer", ...of, signatureId: effect.signatureId, letter: LETTERS[effect.type] }
    case "tell": {
      const told = toldOf(request, effect.letter, effect.to.signatureId)
      return told === null ? null : { task: "send-mail", ...of, to: effect.to, told }
    }
    case "sign":
      return { task: "sign-document", ...of, signatureId: effect.signatureId, documentId: effect.documentId }
    case "prepare-release":
    case "sign-remotely": {
      const { type: task, signatureId, releaseId } = effect
      return { task, ...of, signatureId, releaseId }
    }
    case "send-code":
      return {
        task: "send-code",
        ...of,
        signatureId: effect.signatureId,
        number: effect.number,
        purpose: effect.purpose,
      }
    case "ask-provider":
      return { task: "ask-identity-provider", ...of, signatureId: effect.signatureId }
    case "call-back": {
      const template = request.callbacks[effect.which]
      if (template === undefined) return null
      // Decisions, "several documents": the placeholder is the newest version of the first document.
      const url = callbackAddress(template, request.id, firstDocument(request).newestId)
      return { task: "deliver-callback", ...of, type: effect.which, template, url }
    }
  }
}

const LETTERS = { invite: "invitation", "your-turn": "your-turn", remind: "reminder" } as const
