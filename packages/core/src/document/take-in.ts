import { type Caller, ownedBy } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type KeepParts, keepIfGood } from "./keep-if-good.ts"
import type { Document, Inspection, PdfDescription } from "./model.ts"
import { mustHaveOneView } from "./one-view.ts"
import type { FetchFile, Held, HoldBytes, InspectPdf } from "./ports.ts"

/** Where the bytes come from: exactly one of the two (part 4.2). */
export type DocumentSource =
  | { readonly type: "content"; readonly content: Held; readonly contentType: string }
  | { readonly type: "file-url"; readonly url: string }

export type IntakeParts = KeepParts & {
  readonly fetchFile: FetchFile
  readonly holdBytes: HoldBytes
  readonly inspectPdf: InspectPdf
  readonly now: Clock
  readonly newId: NewId
}

/** Looks into the PDF, has it scanned and stores it; the row is the caller's to insert, in its own transaction. */
export async function takeIn(
  parts: IntakeParts,
  caller: Caller,
  title: string,
  source: DocumentSource,
): Promise<Document> {
  const held = await holdSource(parts, caller, source)
  try {
    const look = () => parts.inspectPdf(held).then(mustBeAcceptable)
    const { looked: description, blob } = await keepIfGood(parts, held, look)
    const now = parts.now()
    return {
      id: parts.newId(),
      ...ownedBy(caller),
      title,
      contentType: "application/pdf",
      sizeBytes: held.sizeBytes,
      sha256: held.sha256,
      ...description,
      parentId: null,
      blob,
      readAccess: [],
      writeAccess: [],
      createdAt: now,
      updatedAt: now,
      removingSince: null,
    }
  } finally {
    await held.release()
  }
}

async function holdSource(parts: IntakeParts, caller: Caller, source: DocumentSource): Promise<Held> {
  if (source.type === "content") {
    mustBePdf(source.contentType)
    return source.content
  }
  // Part 2.5: with `file_url` the type is taken from the header of the download.
  const { contentType, bytes } = await parts.fetchFile(source.url, LIMITS.documentBytes)
  try {
    mustBePdf(contentType)
  } catch (error) {
    // One piece, so that whoever sends it is told to stop.
    for await (const _ of bytes) break
    throw error
  }
  return parts.holdBytes(caller.businessId, bytes)
}

/** RFC 9110, 8.3.1: a media type is read without regard to case, and its parameters change nothing here. */
function mustBePdf(contentType: string): void {
  if (contentType.split(";", 1)[0]?.trim().toLowerCase() !== "application/pdf")
    throw new Refusal("pdf-not-a-pdf", "Documents are PDF only.")
}

/** Said at the door rather than after somebody has pressed "Sign" (security, R20). */
function mustBeAcceptable({ locked, active, view, ...description }: Inspection): PdfDescription {
  if (locked) throw new Refusal("pdf-locked", "An earlier signature forbids any change of this document.")
  if (active.length > 0) throw new Refusal("pdf-active-content", active.join(" "))
  mustHaveOneView(view, description)
  return description
}
