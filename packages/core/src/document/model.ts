import type { Kind } from "../signature-request/model.ts"

/** Where the sealed bytes lie, and the document's own key, wrapped by the business's (part 2.5, rule 3). */
export type SealedBlob = {
  readonly name: string
  readonly wrappedKey: Uint8Array
}

/** What a look into the PDF tells (part 2.5). */
export type PdfDescription = {
  readonly pageCount: number
  readonly pageWidth: number
  readonly pageHeight: number
}

/** A document is immutable: any change of content is a new document with a new id and this one as its parent. */
export type Document = PdfDescription & {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  readonly title: string
  readonly contentType: "application/pdf"
  readonly sizeBytes: number
  readonly sha256: string
  readonly parentId: string | null
  readonly blob: SealedBlob
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}
