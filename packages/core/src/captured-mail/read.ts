import type { Caller } from "../access/caller.ts"
import { DEVELOPERS } from "../business/model.ts"
import type { ListDocuments } from "../document/model.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { CapturedMail, CapturedMailWhole } from "./model.ts"

type Parts = { readonly read: Read }

export type ListMails = Omit<ListDocuments, "search"> & { readonly requestId: string | null }

export type MailPage = {
  /** Newest first. */
  readonly mails: readonly CapturedMail[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/**
 * Whose mails a caller sees: a mail holds the link by which its reader signs, so it is for those who may change the request, as
 * all addresses of signers are (choice 276), and for the people who look after the business or build for it.
 */
export type SeenMails = "all of the business" | "of own requests"

/** Of production there are none. */
export async function listMails(parts: Parts, caller: Caller, asked: ListMails): Promise<MailPage> {
  if (caller.kind !== "demo") return { mails: [], hasNext: false, hasPrevious: false }
  return parts.read(caller.businessId, (reading) => reading.listMails(caller, seenBy(caller), asked))
}

export async function readMail(parts: Parts, caller: Caller, id: string): Promise<CapturedMailWhole> {
  const mail =
    caller.kind === "demo"
      ? await parts.read(caller.businessId, (reading) => reading.findMail(caller, seenBy(caller), id))
      : null
  if (mail === null) throw new Refusal("not-found", "There is no such object.")
  return mail
}

const seenBy = ({ role }: Caller): SeenMails =>
  role !== undefined && DEVELOPERS.includes(role) ? "all of the business" : "of own requests"
