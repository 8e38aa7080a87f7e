import type { Kind } from "../signature-request/model.ts"

/** Where the sealed bytes lie, and the document's own key, wrapped by the business's (part 2.5, rule 3). */
export type SealedBlob = {
  readonly name: string
  readonly wrappedKey: Uint8Array
  /** Which of the business's keys wraps it. */
  readonly keyVersion: number
}

/** What a look into the PDF tells (part 2.5). */
export type PdfDescription = {
  readonly pageCount: number
  readonly pageWidth: number
  readonly pageHeight: number
  /** All pages, in order; null for a document that was looked at before they were measured. */
  readonly pageSizes: PageSizes | null
  readonly signatureFields: readonly SignatureField[]
  /** What it claims to be, such as "PDF/A-2B". */
  readonly pdfa: string | null
}

/**
 * Pages that follow each other and are of one size, in points as a person sees them: cropped and turned. A page without
 * a sound size is 0 by 0. May end before the document does, where its pages differ too often.
 */
export type PageSizes = readonly {
  readonly count: number
  readonly width: number
  readonly height: number
}[]

export type SignatureField = {
  readonly name: string
  readonly signed: boolean
  /** Pages are counted from 0; the origin is the lower left corner of the page (part 2.3). */
  readonly positions: readonly {
    readonly page: number
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
}

/** Why a PDF can look different from what the signer sees, or cannot be shown at all. */
export type ViewReason =
  | "annotation-visibility"
  | "annotation-appearance"
  | "layer-visibility"
  | "image-alternates"
  | "need-appearances"
  | "field-value"
  | "action"
  | "embedded-executable"
  | "screen-print-difference"
  | "page-not-renderable"
  | "reader-dependent"
  | "render-budget"

export type ViewFinding = {
  readonly reason: ViewReason
  /** A sentence: what was found, and where. */
  readonly detail: string
}

/** What decides whether it is taken in at all. */
export type Inspection = PdfDescription & {
  /** An earlier signature forbids any change. */
  readonly locked: boolean
  /** What it would do by itself, each as a sentence; empty for an ordinary document. */
  readonly active: readonly string[]
  /** Whatever shows differently by medium, zoom, click or reader; empty where every page was rendered and is the same on screen and in print. */
  readonly view: readonly ViewFinding[]
}

/** A document that was flattened at upload: what the sender sent, and what was changed. */
export type Flattened = {
  readonly originalSha256: string
  /** A sentence for each change. */
  readonly changes: readonly string[]
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
  /** Every page was rendered, and is the same on screen and in print; false for documents from before this was checked. */
  readonly viewChecked: boolean
  readonly flattened: Flattened | null
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Since when it goes with a request that was deleted (DOC-07, DOC-08); null for one that stays. */
  readonly removingSince: Date | null
}

/** A place between two documents of a list; where to go on, however many came before. */
export type DocumentCursor = { readonly createdAt: Date; readonly id: string }

export type ListDocuments = {
  readonly pageSize: number
  /** In the title, without regard to case. */
  readonly search: string | null
  readonly from:
    | { readonly type: "page"; readonly number: number }
    | { readonly type: "after"; readonly cursor: DocumentCursor }
    | { readonly type: "before"; readonly cursor: DocumentCursor }
}

export type DocumentPage = {
  /** Newest first. */
  readonly documents: readonly Document[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/** Decisions, "watermark". */
export type Watermark = {
  readonly text: string
  readonly opacity?: number
  /** Degrees against the clock. */
  readonly rotation?: number
  /** Counted from 0; all of them unless given. */
  readonly pages?: readonly number[]
}
