import type { Caller } from "../access/caller.ts"
import type { Tenant } from "../fair-share/owner.ts"
import type { Status } from "../signature-request/model.ts"
import type { Document, DocumentPage, Inspection, ListDocuments, SealedBlob, Watermark } from "./model.ts"

/** What has to do with the bytes of documents, and with their rows. */

export type Bytes = AsyncIterable<Uint8Array>

/** A document's bytes at hand on this machine, in a file that only its own key opens; no plain byte is on the disk. */
export type Held = Tenant & {
  /** Of the object in the bucket that these bytes are, or will be. */
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly file: {
    readonly path: string
    readonly key: Uint8Array
    readonly context: string
    readonly sizeBytes: number
  }
  /** Lets go of the file; may be called twice. */
  readonly release: () => Promise<void>
}

/** Hashes and seals the bytes, with a new key, while they arrive. */
export type HoldBytes = (owner: Tenant, bytes: Bytes) => Promise<Held>
/** Brings the sealed bytes of a stored document to hand. */
export type HoldDocument = (document: Document) => Promise<Held>
export type ReadHeld = (held: Held) => Bytes
/** Puts what is held into the bucket. Nobody owns the object until a document's row does. */
export type KeepHeld = (held: Held) => Promise<SealedBlob>
/** No row will own the object: it may be swept at once. */
export type Abandon = (blob: SealedBlob) => Promise<void>
/** The bytes from `start` up to `end`, all of them unless a range is given. */
export type ReadContent = (stored: StoredBytes, range?: ByteRange) => Bytes
/** Of a document or an attachment. */
export type StoredBytes = Pick<Document, "businessId" | "sizeBytes" | "blob">
export type ByteRange = { readonly start: number; readonly end: number }

/** Every look into a PDF happens in a limited child process ("PDF bytes are dangerous"); `isOurs`: it is a version that we wrote. */
export type InspectPdf = (held: Held, isOurs?: boolean) => Promise<Inspection>
/** The document with the print state alone, as a new file; refuses a document whose pages would look different from print. */
export type FlattenPdf = (
  held: Held,
) => Promise<{ readonly bytes: Uint8Array; readonly changes: readonly string[] }>
/** The bytes to append to the document, with what changes them and nothing else. */
export type WatermarkPdf = (held: Held, watermark: Watermark) => Promise<Uint8Array>
/** Refuses what holds malware; where the scanner does not answer, nothing is clean. */
export type ScanBytes = (held: Held) => Promise<void>

/** Downloads a `file_url` through the guarded client; the bytes come while they are read. */
export type FetchFile = (url: string, maxBytes: number) => Promise<{ contentType: string; bytes: Bytes }>

export type DocumentsReading = {
  readonly findDocument: (id: string) => Promise<Document | null>
  /** In the order asked for; those that are not there are left out. */
  readonly findDocuments: (ids: readonly string[]) => Promise<readonly Document[]>
  readonly listDocuments: (caller: Caller, asked: ListDocuments) => Promise<DocumentPage>
  /** Whether the caller may read a request that the document is one of, in any of its versions. */
  readonly readsRequestOf: (caller: Caller, documentId: string) => Promise<boolean>
}

export type DocumentsTx = {
  /** From here on the row owns the object; fails when the object was swept meanwhile. What is made of another one is not counted as one more. */
  readonly insertDocument: (document: Document, as?: "version") => Promise<void>
  /** Nobody removes it before the transaction ends. */
  readonly findDocument: DocumentsReading["findDocument"]
  /** Reads the document and holds it until the transaction ends; null when there is none. */
  readonly lockDocument: (id: string) => Promise<Document | null>
  readonly saveAccess: (document: Document) => Promise<void>
  /** The row goes, and the key with it; the object is swept. */
  readonly removeDocument: (document: Document, at: Date) => Promise<void>
  /** The requests of which this document is one, in any of its versions. */
  readonly requestsWith: (documentId: string) => Promise<readonly RequestWithDocument[]>
}

export type RequestWithDocument = {
  readonly id: string
  readonly status: Status
  readonly documentCount: number
}
