import type { InviteSigner } from "../jobs.ts"
import type { Letter } from "../signature-request/event.ts"

/** WAITING: no mail server has taken it yet. FAILED: none will. BOUNCED: one did, and the mail came back. */
export type MailState = "WAITING" | "SENT" | "FAILED" | "BOUNCED"

/** By which way it went: to a mailbox, or as a text message to a telephone. */
export type Channel = "mail" | "sms"

/** What a mail about a request is; those about somebody's account are never kept. */
export type MailType = InviteSigner["letter"] | Letter | "code" | "release-code"

/**
 * A copy of a mail about a demo request, for whoever builds something with a demo key. Of a text message there is nothing but the
 * copy: those of demo requests are sent to nobody.
 */
export type CapturedMail = {
  readonly id: string
  readonly requestId: string
  readonly type: MailType
  readonly channel: Channel
  readonly to: string
  /** Empty for an SMS. */
  readonly subject: string
  readonly state: MailState
  readonly createdAt: Date
}

export type CapturedMailWhole = CapturedMail & {
  readonly text: string
  /** Empty for an SMS. */
  readonly html: string
}
