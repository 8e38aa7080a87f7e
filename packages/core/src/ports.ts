import type { Caller } from "./access/caller.ts"
import type {
  Document,
  DocumentPage,
  Inspection,
  ListDocuments,
  SealedBlob,
  Watermark,
} from "./document/model.ts"
import type { Evidence } from "./evidence/model.ts"
import type { Intent, PreparedMark } from "./signature-request/intent.ts"
import type { Effect } from "./signature-request/machine.ts"
import type { Kind, SignatureRequest, Status } from "./signature-request/model.ts"

/** What core asks of the world, as function types. `apps/server/src/parts.ts` says who answers. */

export type Bytes = AsyncIterable<Uint8Array>

/** Part 5.2: the key that was shown at login, if it is known, alive and of that user. */
export type FindKey = (username: string, keyHash: Uint8Array, now: Date) => Promise<Caller | null>

/** A document's bytes at hand on this machine, in a file that only its own key opens; no plain byte is on the disk. */
export type Held = {
  readonly businessId: string
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
export type HoldBytes = (businessId: string, bytes: Bytes) => Promise<Held>
/** Brings the sealed bytes of a stored document to hand. */
export type HoldDocument = (document: Document) => Promise<Held>
export type ReadHeld = (held: Held) => Bytes
/** Puts what is held into the bucket. Nobody owns the object until a document's row does. */
export type KeepHeld = (held: Held) => Promise<SealedBlob>
/** No row will own the object: it may be swept at once. */
export type Abandon = (blob: SealedBlob) => Promise<void>
/** The bytes from `start` up to `end`, all of them unless a range is given. */
export type ReadContent = (document: Document, range?: ByteRange) => Bytes
export type ByteRange = { readonly start: number; readonly end: number }

/** Every look into a PDF happens in a limited child process ("PDF bytes are dangerous"). */
export type InspectPdf = (held: Held) => Promise<Inspection>
/** The bytes to append to the document, with what changes them and nothing else. */
export type WatermarkPdf = (held: Held, watermark: Watermark) => Promise<Uint8Array>
/** Refuses what holds malware; where the scanner does not answer, nothing is clean. */
export type ScanBytes = (held: Held) => Promise<void>
export type PrepareMark = (held: Held, options: PrepareOptions) => Promise<PreparedMark>
export type PrepareOptions = {
  readonly kind: Kind
  readonly fieldName: string
  readonly signerName: string
  readonly signedAt: Date
}
/** The bytes to append to the document that was prepared. Pure, and the same for the same two arguments. */
export type FinishMark = (prepared: PreparedMark, value: Uint8Array) => Uint8Array

/** SHA-256 of the certificate that signs for that kind today, in hex. */
export type CertificateOf = (kind: Kind) => string

/** A raw signature by the service's own key of that kind, proved against the certificate that was prepared. */
export type SignBytes = (kind: Kind, prepared: PreparedMark) => Promise<Uint8Array>

/** Downloads a `file_url` through the guarded client; the bytes come while they are read. */
export type FetchFile = (url: string, maxBytes: number) => Promise<{ contentType: string; bytes: Bytes }>

/** Runs in one transaction, in the name of one business; a thrown error rolls back. */
export type Transact = <T>(businessId: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/** Reads in one snapshot: what it sees belongs together, whatever others change meanwhile. */
export type Read = <T>(businessId: string, work: (reading: Reading) => Promise<T>) => Promise<T>

export type Reading = {
  readonly findDocument: (id: string) => Promise<Document | null>
  /** In the order asked for; those that are not there are left out. */
  readonly findDocuments: (ids: readonly string[]) => Promise<readonly Document[]>
  readonly findRequest: (id: string) => Promise<SignatureRequest | null>
  readonly findIntent: (signatureId: string, documentId: string, baseId: string) => Promise<Intent | null>
  readonly listDocuments: (caller: Caller, asked: ListDocuments) => Promise<DocumentPage>
}

export type RequestWithDocument = {
  readonly id: string
  readonly status: Status
  readonly documentCount: number
}

/** In a transaction a request is only ever read under its lock; without it, its parts could be of two moments. */
export type Tx = {
  /** From here on the row owns the object; fails when the object was swept meanwhile. */
  readonly insertDocument: (document: Document) => Promise<void>
  /** Nobody removes it before the transaction ends. */
  readonly findDocument: Reading["findDocument"]
  /** Reads the document and holds it until the transaction ends; null when there is none. */
  readonly lockDocument: (id: string) => Promise<Document | null>
  readonly saveAccess: (document: Document) => Promise<void>
  /** The row goes, and the key with it; the object is swept. */
  readonly removeDocument: (document: Document, at: Date) => Promise<void>
  /** The requests of which this document is one, in any of its versions. */
  readonly requestsWith: (documentId: string) => Promise<readonly RequestWithDocument[]>
  readonly insertRequest: (request: SignatureRequest) => Promise<void>
  /** Reads the request and holds it until the transaction ends; null when there is none. */
  readonly lockRequest: (id: string) => Promise<SignatureRequest | null>
  readonly saveRequest: (request: SignatureRequest) => Promise<void>
  readonly appendEvidence: (requestId: string, evidence: readonly Evidence[]) => Promise<void>
  readonly enqueue: (request: SignatureRequest, effects: readonly Effect[]) => Promise<void>
  /** Keeps the intent that is there already when two workers race, unless its certificate is of the past. */
  readonly keepIntent: (intent: Intent) => Promise<Intent>
  /** The same for the raw signature value: the first one stays. */
  readonly keepValue: (intent: Intent, value: Uint8Array) => Promise<Intent>
  readonly insertLink: (signatureId: string, tokenHash: Uint8Array, at: Date) => Promise<void>
  readonly insertSession: (signatureId: string, idHash: Uint8Array, at: Date) => Promise<void>
}

/** HMAC-SHA-256 of an API key with the operator's pepper (security, R04). */
export type HashKey = (apiKey: string) => Uint8Array
/** SHA-256 of a text, in hex. */
export type Sha256 = (text: string) => string

export type Clock = () => Date
export type NewId = () => string
