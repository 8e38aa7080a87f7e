import { callbackAddress } from "./callback/address.ts"
import type { Effect } from "./signature-request/machine.ts"
import { type CallbackType, firstDocument, type SignatureRequest } from "./signature-request/model.ts"

type OfRequest = { readonly businessId: string; readonly requestId: string }

export type InviteSigner = OfRequest & { readonly task: "invite-signer"; readonly signatureId: string }
export type SignDocument = OfRequest & {
  readonly task: "sign-document"
  readonly signatureId: string
  readonly documentId: string
}
export type DeliverCallback = OfRequest & {
  readonly task: "deliver-callback"
  readonly type: CallbackType
  /** As the integrator gave it, and with its placeholders replaced. */
  readonly template: string
  readonly url: string
}

/** What a worker is asked to do. A job may run twice and must not mind. */
export type Job = InviteSigner | SignDocument | DeliverCallback
export type Task = Job["task"]

/** The job that an effect becomes; null when there is nothing to do, as for a callback without a URL (part 6, rule 4). */
export function jobOf(request: SignatureRequest, effect: Effect): Job | null {
  const of = { businessId: request.businessId, requestId: request.id }
  switch (effect.type) {
    case "invite":
      return { task: "invite-signer", ...of, signatureId: effect.signatureId }
    case "sign":
      return { task: "sign-document", ...of, signatureId: effect.signatureId, documentId: effect.documentId }
    case "call-back": {
      const template = request.callbacks[effect.which]
      if (template === undefined) return null
      // Decisions, "several documents": the placeholder is the newest version of the first document.
      const url = callbackAddress(template, request.id, firstDocument(request).newestId)
      return { task: "deliver-callback", ...of, type: effect.which, template, url }
    }
  }
}

/** Jobs with the same key run one after the other, in the order they were made; null means any order. */
export function orderKeyOf(job: Job): string | null {
  // Decisions, "callback delivery": in order per request and URL; a dead address holds back nobody else's callbacks.
  return job.task === "deliver-callback" ? `${job.requestId} ${job.template}` : null
}
