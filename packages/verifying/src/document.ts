// One PDF: its signatures, the files that it was before something was appended, and the story that it may bring along.

import { createHash } from "node:crypto"
import type { Story } from "@paraph/evidence/story"
import { openPdf, type Pdf } from "@paraph/pades/document"
import { readEmbeddedFile } from "@paraph/pades/embedded-files"
import { PdfRefused } from "@paraph/pades/refused"
import { readRevisions } from "@paraph/pades/revisions"
import { bytesSource } from "@paraph/pades/source"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import type { DocumentReport } from "@paraph/validation/report"
import type { TrustAnchor } from "@paraph/validation/trust"
import { type ToCompare, validatePdf } from "@paraph/validation/validate"
import { type Seen, withPictures } from "@paraph/validation/with-pictures"
import { type GivenFile, MAX_STORY_BYTES, storyIn } from "./take-in.ts"
import { type Standing, standingOf } from "./verified.ts"

export type OpenedDocument = {
  readonly file: GivenFile
  readonly sha256: string
  readonly standing: Standing
  readonly report: DocumentReport | null
  readonly refused?: string
  /** SHA-256 of every file that this one may have been, and where that ended. */
  readonly prefixes: ReadonlyMap<string, number>
  readonly story: Story | "damaged" | undefined
}

/** Draws the pages as they were signed and as they are, and says which look different. */
export type ComparePages = (bytes: Uint8Array, pages: readonly ToCompare[]) => Promise<readonly Seen[]>

type Judging = {
  readonly anchors: readonly TrustAnchor[]
  readonly now: Date
  readonly comparePages?: ComparePages | undefined
}

const STORY_NAME = "story.json"

export async function verifyDocument(
  file: GivenFile,
  { comparePages, ...judging }: Judging,
): Promise<OpenedDocument> {
  const source = bytesSource(file.bytes)
  const sha256 = createHash("sha256").update(file.bytes).digest("hex")
  const nothing = { file, sha256, prefixes: new Map<string, number>(), story: undefined }
  try {
    const { report: judged, toCompare } = await validatePdf(source, judging)
    const seen = await seenPages(file.bytes, toCompare, comparePages)
    const report = withPictures(judged, seen, DEFAULT_POLICY.changes.visual)
    const document = { name: file.name, sha256, size: file.bytes.length }
    const pdf = openPdf(source, { password: "" })
    const story = attachedStory(pdf)
    return {
      file,
      sha256,
      standing: standingOf(report),
      report: { ...report, document },
      prefixes: prefixesOf(pdf, file.bytes),
      story,
    }
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
    return { ...nothing, standing: "unsure", report: null, refused: error.message }
  }
}

/** Pages that nobody compared are not said to look the same. */
async function seenPages(
  bytes: Uint8Array,
  toCompare: readonly ToCompare[],
  comparePages: ComparePages | undefined,
): Promise<readonly Seen[]> {
  if (toCompare.length === 0) return []
  const seen = (await comparePages?.(bytes, toCompare)) ?? []
  return toCompare.map(
    ({ field }) => seen.find((one) => one.field === field) ?? { field, complete: false, pages: [] },
  )
}

function attachedStory(pdf: Pdf): Story | "damaged" | undefined {
  try {
    const bytes = readEmbeddedFile(pdf, STORY_NAME, MAX_STORY_BYTES)
    return bytes && (storyIn(bytes) ?? "damaged")
  } catch (error) {
    if (error instanceof PdfRefused) return "damaged"
    throw error
  }
}

// The newest ones, of a document that was renewed for a century.
const MAX_PREFIXES = 400

/** A revision ended right behind its mark or with the line; whoever appended the next one began there. */
function prefixesOf(pdf: Pdf, bytes: Uint8Array): ReadonlyMap<string, number> {
  const ends = readRevisions(pdf).flatMap(({ end }) => (end === undefined ? [] : [end.mark, end.line]))
  const wanted = [...new Set(ends)].toSorted((a, b) => a - b).slice(-MAX_PREFIXES)
  const found = new Map<string, number>()
  const hash = createHash("sha256")
  let at = 0
  for (const end of wanted) {
    hash.update(bytes.subarray(at, end))
    at = end
    found.set(hash.copy().digest("hex"), end)
  }
  return found
}
