// The history that a PDF carries in itself (ISO 32000-2, 7.5.6): every save appended a revision, and each can be opened
// as the file that it once was.

import { PdfRefused } from "../refused.ts"
import { prefix } from "../source.ts"
import { openSections, type Pdf } from "../structure/document.ts"
import { hybridOffset, previousOffset } from "../structure/sections.ts"
import type { XrefSection } from "../structure/xref-section.ts"
import { type Budget, newBudget } from "../syntax/limits.ts"
import { parseValue } from "../syntax/parse.ts"
import {
  type Cursor,
  corrupt,
  expectKeyword,
  isWhite,
  looksAt,
  peek,
  readCount,
  skipWhite,
} from "../syntax/scan.ts"
import { parseAt } from "../syntax/window.ts"

export type Revision = {
  /** Newest first: one section; two of a linearised file (Annex F); with each table the stream of a hybrid file. */
  readonly sections: readonly XrefSection[]
  /**
   * Where the revision ends: right behind its `%%EOF`, and behind the line of it. Nothing where the section is not
   * followed by the end of a file that names it; such a revision was never a file of its own.
   */
  readonly end: { readonly mark: number; readonly line: number } | undefined
}

/** Oldest first; each ends where, or before, the sections of the next one begin. */
export function readRevisions(pdf: Pdf): readonly Revision[] {
  const revisions: Revision[] = []
  let later = Number.POSITIVE_INFINITY
  for (const sections of groups(pdf.sections)) {
    const end = endOf(pdf, sections)
    revisions.push({ sections, end: end !== undefined && end.mark <= later ? end : undefined })
    for (const { offset } of withoutHybrid(sections)) later = Math.min(later, offset)
  }
  return revisions.reverse()
}

/** The PDF as it was when this revision was its last. Revisions that are read together may share one budget. */
export function openRevision(pdf: Pdf, revision: Revision, shared?: Budget): Pdf {
  if (revision.end === undefined) throw corrupt("A revision of the PDF has no end of its own.")
  const [head] = revision.sections
  const place = head === undefined ? -1 : pdf.sections.indexOf(head)
  if (place < 0) throw new RangeError("The revision is not of this PDF.")
  const source = prefix(pdf.source, revision.end.line)
  const sections = pdf.sections.slice(place)
  if (!sections.every(({ end }) => end <= source.length))
    throw corrupt("A revision of the PDF refers to a later one.")
  return openSections(source, sections, shared ?? newBudget(source.length), pdf.options)
}

// Annex F: the first-page section of a linearised file stands before the main one and names it as its previous one.
// Nothing else names a section behind itself, so sections that do belong together.
function groups(sections: readonly XrefSection[]): XrefSection[][] {
  const found: XrefSection[][] = []
  let goesOn = false
  let hybrid: number | undefined
  for (const section of sections) {
    const isOfTable = hybrid === section.offset
    const group = found.at(-1)
    if (group !== undefined && (goesOn || isOfTable)) group.push(section)
    else found.push([section])
    hybrid = isOfTable ? undefined : hybridOffset(section)
    if (!isOfTable) goesOn = (previousOffset(section) ?? 0) > section.offset
  }
  return found
}

function endOf(pdf: Pdf, sections: readonly XrefSection[]): Revision["end"] {
  const head = sections[0]?.offset
  const last = withoutHybrid(sections).reduce((a, b) => (a.end > b.end ? a : b))
  try {
    const { result, end } = parseAt(pdf.source, last.end, pdf.budget, (cursor) =>
      readEnd(cursor, last, pdf.budget),
    )
    return result.offset === head ? { mark: result.mark, line: end } : undefined
  } catch (error) {
    if (error instanceof PdfRefused && error.code === "corrupt") return undefined
    throw error
  }
}

// The stream of a hybrid file has no end of its own, and a later table may name it again.
function withoutHybrid(sections: readonly XrefSection[]): readonly XrefSection[] {
  const streams = new Set(sections.map(hybridOffset))
  return sections.filter(({ offset }) => !streams.has(offset))
}

function readEnd(cursor: Cursor, { kind }: XrefSection, budget: Budget): { offset: number; mark: number } {
  skipWhite(cursor)
  if (kind === "stream") {
    expectKeyword(cursor, "endstream")
    skipWhite(cursor)
    expectKeyword(cursor, "endobj")
    skipWhite(cursor)
    // Acrobat repeats the trailer behind the stream of some linearised files.
    if (looksAt(cursor, "trailer")) {
      expectKeyword(cursor, "trailer")
      parseValue(cursor, budget)
      skipWhite(cursor)
    }
  }
  expectKeyword(cursor, "startxref")
  skipBlanks(cursor)
  const offset = readCount(cursor, "The place of the cross-reference section")
  skipBlanks(cursor)
  if (!looksAt(cursor, "%%EOF")) throw corrupt("The revision has no end.")
  cursor.at += "%%EOF".length
  const mark = (cursor.origin ?? 0) + cursor.at
  if (peek(cursor) === 0x0d) cursor.at += 1
  if (peek(cursor) === 0x0a) cursor.at += 1
  return { offset, mark }
}

// Not skipWhite: `%%EOF` is a comment.
function skipBlanks(cursor: Cursor): void {
  while (isWhite(peek(cursor))) cursor.at += 1
}
