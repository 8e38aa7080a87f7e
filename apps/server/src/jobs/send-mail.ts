import type { Document } from "@paraph/core/document/model"
import type { SendMail } from "@paraph/core/jobs"
import { LIMITS } from "@paraph/core/limits"
import { protocolToMail } from "@paraph/core/report/read"
import { isStillTrue } from "@paraph/core/signature-request/told"
import { type Completed, type Notice, notice } from "@paraph/mail/notice"
import type { Attempt } from "@paraph/store/jobs/jobs"
import { pdfName } from "../http/file-name.ts"
import { wordsOf } from "../protocol/words/of-language.ts"
import type { WorkerParts } from "../worker-parts.ts"
import { deliverMail, type Outgoing } from "./deliver-mail.ts"
import { newLink } from "./invite-signer.ts"
import { mailBrand } from "./mail-brand.ts"

/** Tells one person what has become of a request. What it says is in the job: the request itself may be gone. */
export async function sendMail(parts: WorkerParts, attempt: Attempt<"send-mail">): Promise<void> {
  const { businessId, requestId, to, told } = attempt.job
  const request = await parts.read(businessId, (reading) => reading.findRequest(requestId), "once")
  if (!isStillTrue(request, told, to)) return
  const { signatureId, email } = to
  const { letter } = told
  const mailed = { businessId, requestId, signatureId, letter, to: signatureId === null ? email : null }
  const { outgoing, lighter } = await compose(parts, attempt)
  await deliverMail(parts, attempt, mailed, outgoing, lighter)
}

type Composed = { readonly outgoing: Outgoing; readonly lighter?: Outgoing }

async function compose(
  parts: WorkerParts,
  { job, createdAt }: Pick<Attempt<"send-mail">, "job" | "createdAt">,
): Promise<Composed> {
  const { to, told } = job
  const { email, language, signatureId } = to
  const { sender, from, brand, attachments } = await mailBrand(parts, job.businessId)
  const reader = signatureId === null ? "follower" : "signer"
  const of = { language, sender, brand, title: told.title, demo: told.kind === "demo", reader } as const
  const mail = (letter: Notice, answerTo = told.creator): Outgoing => ({
    ...notice(letter),
    attachments,
    to: email,
    sender: from,
    answerTo,
    countsAs: told.kind,
  })
  switch (told.letter) {
    case "completed": {
      const { letter, signerCount, documentCount, attach } = told
      const documents = await signedDocuments(parts, job.businessId, attach)
      const { protocol, files } = await signatureProtocol(parts, job, createdAt)
      const letterWith = (how: Completed["documents"]) => {
        const said = mail({
          letter,
          ...of,
          signerCount,
          documentCount,
          documents: how,
          ...(protocol !== null && { protocol }),
        })
        return { ...said, attachments: [...(said.attachments ?? []), ...files] }
      }
      return completed(parts, documents, letterWith)
    }
    case "declined": {
      const { letter, who, by, reason } = told
      return { outgoing: mail({ letter, ...of, who: by === signatureId ? null : who, reason }) }
    }
    case "withdrawn":
      return { outgoing: mail({ letter: told.letter, ...of, message: told.message }) }
    case "expired":
      return { outgoing: mail({ letter: told.letter, ...of, lastDay: told.lastDay }) }
    case "expiring-soon": {
      const { businessId } = job
      const link = signatureId === null ? null : await newLink(parts, { businessId, signatureId })
      const answerTo = link === null ? told.creator : null
      return { outgoing: mail({ letter: told.letter, ...of, lastDay: told.lastDay, link }, answerTo) }
    }
    case "observer-added":
      return {
        outgoing: mail({ letter: told.letter, ...of, link: `${parts.publicUrl}/view/${job.requestId}` }),
      }
  }
}

/** In the reader's language; small beside the documents, and so in the lighter mail too. */
async function signatureProtocol(
  parts: WorkerParts,
  { businessId, requestId, to, told }: SendMail,
  since: Date,
) {
  const none = { protocol: null, files: [] }
  if (told.letter !== "completed" || told.protocol !== true) return none
  const { language } = to
  // A mail does not wait in its place for a seal: it comes back for it, and lets others by meanwhile.
  const asking = { ...parts, protocolIsOver: async () => undefined }
  const pdf = await protocolToMail(asking, businessId, { requestId, language }, since)
  // Nobody can get one any more.
  if (pdf === "gone") return none
  if (pdf === "late" || pdf.length > LIMITS.mailAttachmentBytes)
    return { protocol: "not-attached", files: [] } as const
  const content = {
    async *[Symbol.asyncIterator]() {
      yield pdf
    },
  }
  const filename = pdfName(`${told.title} – ${wordsOf(language).title}`)
  const file = { filename, contentType: "application/pdf", content }
  return { protocol: "attached", files: [file] } as const
}

/** All of those that were asked for, or none: half of them would look like the whole. */
async function signedDocuments(
  parts: WorkerParts,
  businessId: string,
  ids: readonly string[],
): Promise<readonly Document[]> {
  const found = await parts.read(businessId, (reading) => reading.findDocuments(ids))
  const there = found.filter((document) => document.removingSince === null)
  return there.length === ids.length ? there : []
}

/** Attached up to a limit, as streams: no mail is ever whole in memory. Above it, the mail says so (choice 142). */
function completed(
  parts: WorkerParts,
  documents: readonly Document[],
  mail: (how: Completed["documents"]) => Outgoing,
): Composed {
  if (documents.length === 0) return { outgoing: mail("not-attached") }
  const lighter = mail("too-large")
  const sizeBytes = documents.reduce((sum, document) => sum + document.sizeBytes, 0)
  if (sizeBytes > LIMITS.mailAttachmentBytes) return { outgoing: lighter }
  const files = documents.map((document) => ({
    filename: pdfName(document.title),
    contentType: document.contentType,
    content: parts.readContent(document),
  }))
  const outgoing = mail("attached")
  return { outgoing: { ...outgoing, attachments: [...(outgoing.attachments ?? []), ...files] }, lighter }
}
