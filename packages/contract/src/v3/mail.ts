import type { CapturedMail, CapturedMailWhole, Channel, MailType } from "@paraph/core/captured-mail/model"
import type { ListMails, MailPage } from "@paraph/core/captured-mail/read"
import { Type } from "typebox"
import { closed, DateTime, Uuid } from "../shared/fields.ts"
import * as list from "../shared/list.ts"

const TYPES = {
  invitation: "INVITATION",
  "your-turn": "YOUR_TURN",
  reminder: "REMINDER",
  code: "CODE",
  "release-code": "RELEASE_CODE",
  completed: "COMPLETED",
  declined: "DECLINED",
  withdrawn: "WITHDRAWN",
  expired: "EXPIRED",
  "expiring-soon": "EXPIRING_SOON",
  "observer-added": "OBSERVER_ADDED",
} as const satisfies Record<MailType, string>

const CHANNELS = { mail: "EMAIL", sms: "SMS" } as const satisfies Record<Channel, string>

const members = {
  id: Uuid,
  at: DateTime,
  channel: Type.Enum(Object.values(CHANNELS), {
    description: "SMS: the text message of a demo request is kept here and sent to nobody.",
  }),
  to: Type.String({ description: "The e-mail address, or the number for an SMS." }),
  type: Type.Enum(Object.values(TYPES)),
  subject: Type.String({ description: "Empty for an SMS." }),
  signature_request_id: Uuid,
  state: Type.Enum(["WAITING", "SENT", "FAILED", "BOUNCED"], {
    description: "WAITING: no mail server has taken it yet. FAILED: none will. BOUNCED: it came back.",
  }),
}

/** An addition to v3: mails about demo requests, as they were sent. */
export const Mail = Type.Object(members)
export type Mail = Type.Static<typeof Mail>

export const MailWithContent = Type.Object({
  ...members,
  text: Type.String(),
  html: Type.String({ description: "Empty for an SMS." }),
})
export type MailWithContent = Type.Static<typeof MailWithContent>

const { page_number, page_size, cursor } = list.listMembers
export const MailListQuery = Type.Object(
  { page_number, page_size, cursor, signature_request_id: Type.Optional(Uuid) },
  closed,
)
export type MailListQuery = Type.Static<typeof MailListQuery>

export function readMailList({ signature_request_id, ...paging }: MailListQuery): ListMails {
  const { pageSize, from } = list.readPaging(paging)
  return { pageSize, from, requestId: signature_request_id?.toLowerCase() ?? null }
}

export function writeMailLinks(
  address: string,
  { pageSize, requestId }: ListMails,
  page: MailPage,
): string | null {
  const filters: Readonly<Record<string, string>> =
    requestId === null ? {} : { signature_request_id: requestId }
  return list.linksBeside(address, { pageSize, search: null, filters }, { ...page, entries: page.mails })
}

export const writeMail = (mail: CapturedMail): Mail => ({
  id: mail.id,
  at: mail.createdAt.toISOString(),
  channel: CHANNELS[mail.channel],
  to: mail.to,
  type: TYPES[mail.type],
  subject: mail.subject,
  signature_request_id: mail.requestId,
  state: mail.state,
})

export const writeMailWithContent = (mail: CapturedMailWhole): MailWithContent => ({
  ...writeMail(mail),
  text: mail.text,
  html: mail.html,
})
