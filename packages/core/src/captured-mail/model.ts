import type { InviteSigner } from "../jobs.ts"
import type { Letter } from "../signature-request/event.ts"

/** WAITING: no mail server has taken it yet. FAILED: none will. BOUNCED: one did, and the mail came back. */
export type MailState = "WAITING" | "SENT" | "FAILED" | "BOUNCED"

/** What a mail about a request is; those about somebody's account are never kept. */
export type MailType = InviteSigner["letter"] | Letter | "code"

/** A copy of a mail about a demo request, for whoever builds something with a demo key. */
export type CapturedMail = {
  readonly id: string
  readonly requestId: string
  readonly type: MailType
  readonly to: string
  readonly subject: string
  readonly state: MailState
  readonly createdAt: Date
}

export type CapturedMailWhole = CapturedMail & { readonly text: string; readonly html: string }
