import type { MailState, MailType } from "@paraph/core/captured-mail/model"
import { shortenedAddress } from "@paraph/core/one-time-code/destination"
import type { Clock } from "@paraph/core/ports"
import { shortenedNumber, type TelephoneNumber } from "@paraph/core/telephone/number"
import { keepCopy, type MailSealer } from "@paraph/store/postgres/captured-mails"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import {
  type BegunMail,
  noteAttempt,
  noteBounce,
  noteGivenUp,
  noteOutcome,
} from "@paraph/store/postgres/mail-log"
import type { Logger } from "./telemetry/logs.ts"

export type LoggedMail = Omit<BegunMail, "recipient" | "channel" | "at"> & { readonly to: string }
export type LoggedSms = Omit<LoggedMail, "to"> & { readonly to: TelephoneNumber }

/** What was said, where the mail is about a request. */
export type Said = {
  readonly businessId: string
  readonly requestId: string
  readonly type: MailType
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The text message of a demo request. */
export type CapturedSms = Omit<Said, "subject" | "html"> & { readonly id: string; readonly to: string }

export type MailLog = {
  readonly begin: (mail: LoggedMail, said: Said | null) => Promise<void>
  readonly beginSms: (sms: LoggedSms) => Promise<void>
  /** What a demo request has sent to a telephone is nowhere but here: where it cannot be kept, it was not sent. */
  readonly captureSms: (sms: CapturedSms) => Promise<void>
  readonly end: (id: string, state: MailState, error: string | null) => Promise<void>
  /** Where an attempt failed, and no other follows. */
  readonly gaveUp: (id: string) => Promise<void>
  readonly bounced: (signatureId: string, error: string) => Promise<void>
}

/** What is known of mails afterwards. None of it is worth more than the mail itself: what cannot be noted is told to the log. */
export function createMailLog(db: ServiceDatabase, sealer: MailSealer, now: Clock, log: Logger): MailLog {
  const unless = (noting: Promise<void>) =>
    noting.catch((error: unknown) => log.warn({ error }, "what became of a mail was not noted"))
  return {
    begin: async ({ to, ...mail }, said) => {
      const at = now()
      const channel = "mail"
      await unless(noteAttempt(db, { ...mail, channel, recipient: shortenedAddress(to), at }))
      if (said !== null)
        await unless(keepCopy(db, sealer, { ...said, channel, id: mail.id, to, createdAt: at }))
    },
    beginSms: ({ to, ...sms }) =>
      unless(noteAttempt(db, { ...sms, channel: "sms", recipient: shortenedNumber(to), at: now() })),
    captureSms: (sms) =>
      keepCopy(db, sealer, { ...sms, channel: "sms", subject: "", html: "", createdAt: now() }),
    end: (id, state, error) => unless(noteOutcome(db, id, { state, error, at: now() })),
    gaveUp: (id) => unless(noteGivenUp(db, id, now())),
    bounced: (signatureId, error) => unless(noteBounce(db, signatureId, { error, at: now() })),
  }
}
