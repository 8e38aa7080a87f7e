import type { MailState, MailType } from "@paraph/core/captured-mail/model"
import type { Clock } from "@paraph/core/ports"
import { shortenedAddress } from "@paraph/core/signature-request/email-code"
import { keepCopy, type MailSealer } from "@paraph/store/postgres/captured-mails"
import type { Database } from "@paraph/store/postgres/database"
import { type BegunMail, noteAttempt, noteBounce, noteOutcome } from "@paraph/store/postgres/mail-log"
import type { Logger } from "./telemetry/logs.ts"

export type LoggedMail = Omit<BegunMail, "recipient" | "at"> & { readonly to: string }

/** What was said, where the mail is about a request. */
export type Said = {
  readonly businessId: string
  readonly requestId: string
  readonly type: MailType
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type MailLog = {
  readonly begin: (mail: LoggedMail, said: Said | null) => Promise<void>
  readonly end: (id: string, state: MailState, error: string | null) => Promise<void>
  readonly bounced: (signatureId: string, error: string) => Promise<void>
}

/** What is known of mails afterwards. None of it is worth more than the mail itself: what cannot be noted is told to the log. */
export function createMailLog(db: Database, sealer: MailSealer, now: Clock, log: Logger): MailLog {
  const unless = (noting: Promise<void>) =>
    noting.catch((error: unknown) => log.warn({ error }, "what became of a mail was not noted"))
  return {
    begin: async ({ to, ...mail }, said) => {
      const at = now()
      await unless(noteAttempt(db, { ...mail, recipient: shortenedAddress(to), at }))
      if (said !== null) await unless(keepCopy(db, sealer, { ...said, id: mail.id, to, createdAt: at }))
    },
    end: (id, state, error) => unless(noteOutcome(db, id, { state, error, at: now() })),
    bounced: (signatureId, error) => unless(noteBounce(db, signatureId, { error, at: now() })),
  }
}
