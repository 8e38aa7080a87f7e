import { type Caller, ownedBy } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, DescribePdf, FetchFile, NewId, PutBlob, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { Document } from "./model.ts"

/** Where the bytes come from: exactly one of the two (part 4.2). */
export type DocumentSource =
  | { readonly type: "content"; readonly content: Uint8Array; readonly contentType: string }
  | { readonly type: "file-url"; readonly url: string }

export type CreateDocument = { readonly title: string; readonly source: DocumentSource }

export type DocumentParts = {
  readonly describePdf: DescribePdf
  readonly fetchFile: FetchFile
  readonly putBlob: PutBlob
  readonly transact: Transact
  /** The kinds of keys that this installation makes signatures for. */
  readonly kinds: readonly Kind[]
  readonly now: Clock
  readonly newId: NewId
}

/** Part 4.2: takes a PDF in. */
export async function createDocument(
  parts: DocumentParts,
  caller: Caller,
  command: CreateDocument,
): Promise<Document> {
  const document = await takeIn(parts, caller, command)
  await parts.transact(caller.businessId, (tx) => tx.insertDocument(document))
  return document
}

/** Looks into the PDF, seals and stores its bytes; the row is the caller's to insert, in its own transaction. */
export async function takeIn(
  parts: DocumentParts,
  caller: Caller,
  command: CreateDocument,
): Promise<Document> {
  const { bytes, contentType: given } = await bytesOf(parts, command.source)
  // RFC 9110, 8.3.1: a media type is read without regard to case, and its parameters change nothing here.
  const contentType = given.split(";", 1)[0]?.trim().toLowerCase()
  if (contentType !== "application/pdf") throw new Refusal("pdf-not-a-pdf", "Documents are PDF only.")
  if (bytes.length > LIMITS.documentBytes)
    throw new Refusal("pdf-too-large", `A document has at most ${LIMITS.documentBytes} bytes.`)
  const description = await parts.describePdf(bytes)
  const { blob, sha256 } = await parts.putBlob(caller.businessId, bytes.length, whole(bytes))
  const now = parts.now()
  return {
    id: parts.newId(),
    ...ownedBy(caller),
    title: command.title,
    contentType,
    sizeBytes: bytes.length,
    sha256,
    ...description,
    parentId: null,
    blob,
    readAccess: [],
    writeAccess: [],
    createdAt: now,
    updatedAt: now,
  }
}

async function bytesOf(parts: DocumentParts, source: DocumentSource) {
  if (source.type === "content") return { bytes: source.content, contentType: source.contentType }
  // Part 2.5: with `file_url` the type is taken from the header of the download.
  return parts.fetchFile(source.url, LIMITS.documentBytes)
}

async function* whole(bytes: Uint8Array) {
  yield bytes
}
