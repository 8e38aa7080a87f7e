import type { Held } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { NewAttachment } from "@paraph/core/signature-request/attachments"
import { Type } from "typebox"
import { closed, TEXT, Uuid } from "./fields.ts"

/** Decisions, "attachments": the same in v2 and v3, but that v3 refuses what it does not know. */
const members = {
  filename: Type.String({ minLength: 1, maxLength: LIMITS.filenameCharacters, pattern: TEXT }),
  content_type: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "PDF, Office formats, gif, jpeg, png or text; the content must be what it says.",
  }),
  content: Type.String({ description: "Base64 of the file, of at most 40 MB" }),
}

export const AttachmentBody = Type.Object(members)
export type AttachmentBody = Type.Static<typeof AttachmentBody>
export const ClosedAttachmentBody = Type.Object(members, closed)

export const AttachmentParams = Type.Object({ id: Uuid, attachment_id: Uuid })
export type AttachmentParams = Type.Static<typeof AttachmentParams>

/** The bytes do not come through the body: they are held already when the rest of it is read. */
export function readAttachment(body: AttachmentBody, received: Held | null): NewAttachment {
  if (received === null) throw new Refusal("constraint-violated", "content is needed.")
  return { filename: body.filename, contentType: body.content_type, content: received }
}
