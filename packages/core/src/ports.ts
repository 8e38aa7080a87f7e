import type { Caller } from "./access/caller.ts"
import type { Document, PdfDescription, SealedBlob } from "./document/model.ts"
import type { Evidence } from "./evidence/model.ts"
import type { Intent, PreparedMark } from "./signature-request/intent.ts"
import type { Effect } from "./signature-request/machine.ts"
import type { Kind, SignatureRequest } from "./signature-request/model.ts"

/** What core asks of the world, as function types. `apps/server/src/parts.ts` says who answers. */

export type Bytes = AsyncIterable<Uint8Array>

/** Part 5.2: the key that was shown at login, if it is known, alive and of that user. */
export type FindKey = (username: string, keyHash: Uint8Array, now: Date) => Promise<Caller | null>

/** Encrypts with a new key while it stores; the name is new at each call, so a retry never meets an older try. */
export type PutBlob = (businessId: string, sizeBytes: number, bytes: Bytes) => Promise<StoredBlob>
export type StoredBlob = { readonly blob: SealedBlob; readonly sha256: string }
export type ReadBlob = (businessId: string, blob: SealedBlob) => Bytes

/** Every look into a PDF happens in a limited child process ("PDF bytes are dangerous"). */
export type DescribePdf = (pdf: Uint8Array) => Promise<PdfDescription>
export type PrepareMark = (pdf: Uint8Array, options: PrepareOptions) => Promise<PreparedMark>
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

/** Downloads a `file_url` through the guarded client. */
export type FetchFile = (url: string, maxBytes: number) => Promise<{ contentType: string; bytes: Uint8Array }>

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
}

/** In a transaction a request is only ever read under its lock; without it, its parts could be of two moments. */
export type Tx = {
  readonly insertDocument: (document: Document) => Promise<void>
  readonly findDocument: Reading["findDocument"]
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
