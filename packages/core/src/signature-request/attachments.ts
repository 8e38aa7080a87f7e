import type { Caller } from "../access/caller.ts"
import { mustReadRequest, mustWriteRequest } from "../access/may.ts"
import type { StoredAttachment } from "../attachment/ports.ts"
import { createSniffer } from "../attachment/sniff.ts"
import { type AttachmentType, attachmentType } from "../attachment/types.ts"
import { type KeepParts, keepIfGood } from "../document/keep-if-good.ts"
import type { Bytes, Held, ReadHeld } from "../document/ports.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import { type SignatureRequest, statusOf } from "./model.ts"

export type NewAttachment = {
  readonly filename: string
  /** What the sender calls it; it must be what the bytes are. */
  readonly contentType: string
  readonly content: Held
}

export type AttachParts = KeepParts & {
  readonly read: Read
  readonly transact: Transact
  readonly readHeld: ReadHeld
  readonly now: Clock
  readonly newId: NewId
}

/** Decisions, "attachments": goes along with the request, unsigned; looked at and scanned as a document is. */
export async function attach(
  parts: AttachParts,
  caller: Caller,
  requestId: string,
  { filename, contentType, content }: NewAttachment,
): Promise<SignatureRequest> {
  const { businessId } = caller
  try {
    // Before the scanner and the bucket are asked; asked again under the lock.
    const seen = await parts.read(businessId, (reading) => reading.findRequest(requestId), "once")
    mustTakeOneMore(mustWriteRequest(caller, seen))
    const type = mustBeKnown(contentType)
    const { blob } = await keepIfGood(parts, content, () => mustBe(type, parts.readHeld(content)))
    const { sizeBytes, sha256 } = content
    try {
      return await parts.transact(businessId, async (tx) => {
        mustTakeOneMore(mustWriteRequest(caller, await tx.lockRequest(requestId)))
        const at = parts.now()
        const attachment = { id: parts.newId(), filename, contentType: type, sizeBytes, sha256 }
        const changed = await apply(tx, requestId, { type: "attach", attachment, at }, caller)
        await tx.insertAttachment({ ...attachment, businessId, requestId, blob, createdAt: at })
        return changed
      })
    } catch (error) {
      await parts.abandon(blob)
      throw error
    }
  } finally {
    await content.release()
  }
}

function mustTakeOneMore(request: SignatureRequest): void {
  const status = statusOf(request)
  if (status !== "DRAFT" && status !== "OPEN")
    throw new Refusal("request-not-open", `The request is ${status}.`)
  if (request.attachments.length >= LIMITS.attachmentsPerRequest)
    throw new Refusal(
      "constraint-violated",
      `A request has at most ${LIMITS.attachmentsPerRequest} attachments.`,
    )
}

function mustBeKnown(contentType: string): AttachmentType {
  const type = attachmentType(contentType)
  if (type === null)
    throw new Refusal("attachment-unsupported", "Attachments are PDF, Office, gif, jpeg, png or text.")
  return type
}

/** The real type is sniffed: what calls itself something else is refused, whatever it is. */
async function mustBe(type: AttachmentType, bytes: Bytes): Promise<void> {
  const sniffer = createSniffer()
  for await (const piece of bytes) sniffer.push(piece)
  if (!sniffer.end().includes(type))
    throw new Refusal("attachment-unsupported", `The content is not what content_type says: ${type}.`)
}

/** With the place of its bytes, for whoever may read the request. */
export function readAttachment(
  parts: Pick<AttachParts, "read">,
  caller: Caller,
  requestId: string,
  id: string,
): Promise<StoredAttachment> {
  return parts.read(caller.businessId, async (reading) => {
    mustReadRequest(caller, await reading.findRequest(requestId))
    const attachment = await reading.findAttachment(requestId, id)
    if (attachment === null) throw new Refusal("not-found", "There is no such attachment.")
    return attachment
  })
}

export function detach(
  parts: Pick<AttachParts, "transact" | "now">,
  caller: Caller,
  requestId: string,
  attachmentId: string,
): Promise<void> {
  return parts.transact(caller.businessId, async (tx) => {
    mustWriteRequest(caller, await tx.lockRequest(requestId))
    const at = parts.now()
    await apply(tx, requestId, { type: "detach", attachmentId, at }, caller)
    await tx.removeAttachments(requestId, at, attachmentId)
  })
}
