import type { Caller } from "../access/caller.ts"
import type { CapturedMailWhole } from "./model.ts"
import type { ListMails, MailPage, SeenMails } from "./read.ts"

/** Copies of mails about demo requests. */
export type MailsReading = {
  readonly listMails: (caller: Caller, seen: SeenMails, asked: ListMails) => Promise<MailPage>
  readonly findMail: (caller: Caller, seen: SeenMails, id: string) => Promise<CapturedMailWhole | null>
}
