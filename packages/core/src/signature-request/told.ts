import type { Letter, Recipient } from "./event.ts"
import { type Kind, type Signature, type SignatureRequest, statusOf } from "./model.ts"
import { ownDocuments } from "./view.ts"

/**
 * What a letter says. It is taken down when the effect arises and travels in the job: a request that was deleted is gone
 * when the letter about it is written.
 */
export type Told = { readonly title: string; readonly kind: Kind; readonly creator: string | null } & (
  | {
      readonly letter: "completed"
      readonly signerCount: number
      readonly documentCount: number
      /** The signed documents that `attach_on_success` asks for. */
      readonly attach: readonly string[]
      /** Whether it asks for the signature protocol; absent in a job of the version before. */
      readonly protocol?: boolean
    }
  | { readonly letter: "declined"; readonly who: string; readonly by: string; readonly reason: string | null }
  | { readonly letter: "withdrawn"; readonly message: string | null }
  | { readonly letter: "expired" | "expiring-soon"; readonly lastDay: string }
  | { readonly letter: "observer-added" }
)

/**
 * Null for a letter that has nothing to say, such as of an expiry without a date. `to`: the signature of the reader, or null
 * for somebody who only follows.
 */
export function toldOf(request: SignatureRequest, letter: Letter, to: string | null = null): Told | null {
  const of = { title: request.title, kind: request.kind, creator: request.creator }
  switch (letter) {
    case "completed": {
      const { signatures, attachOnSuccess } = request
      const reader = signatures.find((s) => s.id === to)
      // Who signs some of the documents does not see the others, in a mail as little as on our pages (choice 94).
      const documents = reader === undefined ? request.documents : ownDocuments(request, reader)
      const attach = attachOnSuccess.includes("SIGNED_DOCUMENT") ? documents.map((d) => d.newestId) : []
      // It tells of all documents, so whoever sees some of them does not get it.
      const seesAll = documents.length === request.documents.length
      const protocol = seesAll && attachOnSuccess.includes("SIGNATURE_PROTOCOL")
      const counts = { signerCount: signatures.length, documentCount: documents.length }
      return { letter, ...of, ...counts, attach, protocol }
    }
    case "declined": {
      const declined = request.signatures.find((s) => s.state === "declined")
      if (declined === undefined) return null
      return { letter, ...of, who: nameOf(declined), by: declined.id, reason: declined.declineReason }
    }
    case "withdrawn":
      return { letter, ...of, message: request.withdrawMessage }
    case "expired":
    case "expiring-soon":
      return request.expiresAt === null ? null : { letter, ...of, lastDay: request.expiresAt.date }
    case "observer-added":
      return { letter, ...of }
  }
}

/** What the others know somebody by, as long as nobody has typed a name. */
function nameOf({ identity, email, id }: Signature): string {
  const name = [identity?.firstName, identity?.lastName].filter(Boolean).join(" ")
  return name || (email ?? id)
}

/** Whether a letter is still worth sending. What has happened stays told; what may still be done may be over. */
export function isStillTrue(request: SignatureRequest | null, told: Told, to: Recipient): boolean {
  switch (told.letter) {
    case "observer-added":
      return request !== null
    case "expiring-soon":
      if (request === null || statusOf(request) !== "OPEN" || request.expiresAt?.date !== told.lastDay)
        return false
      return (
        to.signatureId === null ||
        request.signatures.some((s) => s.id === to.signatureId && s.state === "open")
      )
    default:
      return true
  }
}
