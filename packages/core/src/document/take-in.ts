import { type Caller, ownedBy } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type KeepParts, keepIfGood } from "./keep-if-good.ts"
import type { Document, Flattened, Inspection, PdfDescription } from "./model.ts"
import { type Flattening, mustHaveOneView, mustNotBeActive, needsFlattening } from "./one-view.ts"
import type { FetchFile, FlattenPdf, Held, HoldBytes, InspectPdf } from "./ports.ts"

/** Where the bytes come from: exactly one of the two (part 4.2). */
export type DocumentSource =
  | { readonly type: "content"; readonly content: Held; readonly contentType: string }
  | { readonly type: "file-url"; readonly url: string }

export type IntakeParts = KeepParts & {
  readonly fetchFile: FetchFile
  readonly holdBytes: HoldBytes
  readonly inspectPdf: InspectPdf
  readonly flattenPdf: FlattenPdf
  readonly now: Clock
  readonly newId: NewId
}

/** Looks into the PDF, has it scanned and stores it; the row is the caller's to insert, in its own transaction. */
export async function takeIn(
  parts: IntakeParts,
  caller: Caller,
  title: string,
  source: DocumentSource,
  flattening: Flattening = "elsewhere",
): Promise<Document> {
  const received = await holdSource(parts, caller, source)
  const { held, flattened } = await withOneView(parts, received, flattening === "asked")
  try {
    const look = () => parts.inspectPdf(held).then((inspection) => mustBeAcceptable(inspection, flattening))
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
      viewChecked: true,
      flattened,
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

/** The file that is stored: what was received, or the flattened one where the sender wants that and it is needed. */
async function withOneView(
  parts: IntakeParts,
  received: Held,
  flatten: boolean,
): Promise<{ readonly held: Held; readonly flattened: Flattened | null }> {
  if (!flatten) return { held: received, flattened: null }
  try {
    const inspection = await parts.inspectPdf(received)
    if (!needsFlattening(inspection)) return { held: received, flattened: null }
    const { bytes, changes } = await parts.flattenPdf(received)
    const held = await parts.holdBytes(received, inOne(bytes))
    await received.release()
    return { held, flattened: { originalSha256: received.sha256, changes } }
  } catch (error) {
    await received.release()
    throw error
  }
}

async function* inOne(bytes: Uint8Array) {
  yield bytes
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
  return parts.holdBytes(caller, bytes)
}

/** RFC 9110, 8.3.1: a media type is read without regard to case, and its parameters change nothing here. */
function mustBePdf(contentType: string): void {
  if (contentType.split(";", 1)[0]?.trim().toLowerCase() !== "application/pdf")
    throw new Refusal("pdf-not-a-pdf", "Documents are PDF only.")
}

/** Said at the door rather than after somebody has pressed "Sign" (security, R20). */
function mustBeAcceptable(
  { locked, active, view, ...description }: Inspection,
  flattening: Flattening,
): PdfDescription {
  if (locked) throw new Refusal("pdf-locked", "An earlier signature forbids any change of this document.")
  const refused = { ...description, flattening }
  mustNotBeActive(active, view, refused)
  mustHaveOneView(view, refused)
  return description
}
