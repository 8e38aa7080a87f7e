import { type Caller, ownedBy } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type * as ports from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Document, Inspection, PdfDescription, SealedBlob } from "./model.ts"

/** Where the bytes come from: exactly one of the two (part 4.2). */
export type DocumentSource =
  | { readonly type: "content"; readonly content: ports.Held; readonly contentType: string }
  | { readonly type: "file-url"; readonly url: string }

export type IntakeParts = {
  readonly fetchFile: ports.FetchFile
  readonly holdBytes: ports.HoldBytes
  readonly inspectPdf: ports.InspectPdf
  readonly scanBytes: ports.ScanBytes
  readonly keepHeld: ports.KeepHeld
  readonly abandon: ports.Abandon
  readonly now: ports.Clock
  readonly newId: ports.NewId
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
    const { description, blob } = await keepIfGood(parts, held)
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

async function holdSource(parts: IntakeParts, caller: Caller, source: DocumentSource): Promise<ports.Held> {
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

/**
 * The look, the scan and the storing go on side by side, since each of them reads the sealed file for itself. What is
 * refused after it was stored is abandoned, and no row ever names it.
 */
async function keepIfGood(
  parts: IntakeParts,
  held: ports.Held,
): Promise<{ description: PdfDescription; blob: SealedBlob }> {
  const [looked, scanned, kept] = await Promise.allSettled([
    parts.inspectPdf(held).then(mustBeAcceptable),
    parts.scanBytes(held),
    parts.keepHeld(held),
  ])
  if (looked.status === "fulfilled" && scanned.status === "fulfilled" && kept.status === "fulfilled")
    return { description: looked.value, blob: kept.value }
  if (kept.status === "fulfilled") await parts.abandon(kept.value)
  // Malware first: nobody should mend a PDF that will be refused for that.
  for (const outcome of [scanned, looked, kept]) if (outcome.status === "rejected") throw outcome.reason
  throw new Error("Nothing failed, and not everything was done.")
}

/** Said at the door rather than after somebody has pressed "Sign" (security, R20). */
function mustBeAcceptable({ locked, active, ...description }: Inspection): PdfDescription {
  if (locked) throw new Refusal("pdf-locked", "An earlier signature forbids any change of this document.")
  if (active.length > 0) throw new Refusal("pdf-active-content", active.join(" "))
  return description
}
