import type { SealedBlob } from "../document/model.ts"
import type { Attachment } from "../signature-request/model.ts"

/** An attachment with the place of its bytes, which the request itself does not know. */
export type StoredAttachment = Attachment & {
  readonly businessId: string
  readonly requestId: string
  readonly blob: SealedBlob
  readonly createdAt: Date
}

export type AttachmentsReading = {
  readonly findAttachment: (requestId: string, id: string) => Promise<StoredAttachment | null>
}

export type AttachmentsTx = {
  /** From here on the row owns the object; fails when the object was swept meanwhile. */
  readonly insertAttachment: (attachment: StoredAttachment) => Promise<void>
  /** The rows go, and their keys with them; the objects are swept. All of a request unless one is named. */
  readonly removeAttachments: (requestId: string, at: Date, id?: string) => Promise<void>
}
