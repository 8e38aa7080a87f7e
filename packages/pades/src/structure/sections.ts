// The chain of cross-reference sections (ISO 32000-2, 7.5.5 and 7.5.6), from the one that the end of the file names.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { type Budget, MAX_XREF_SECTIONS, spendScanned } from "../syntax/limits.ts"
import { type Cursor, corrupt, looksAt, readCount } from "../syntax/scan.ts"
import { asCount, entry } from "../syntax/value.ts"
import { findInSection, readXrefSection, type XrefEntry, type XrefSection } from "./xref-section.ts"

// Acrobat looks in the last 1024 bytes (ISO 32000-2, Annex I), and so does everybody since.
export function lastXrefOffset(source: Source): number {
  const bytes = source.read(Math.max(0, source.length - 1024), source.length)
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const found = tail.lastIndexOf("startxref")
  if (found < 0) throw corrupt("The file does not say where its cross-reference section is.")
  const origin = source.length - tail.length
  const cursor: Cursor = { bytes: tail, at: found + "startxref".length, end: tail.length, origin }
  // Not skipWhite: `%%EOF` is a comment.
  while (looksAt(cursor, "\r") || looksAt(cursor, "\n") || looksAt(cursor, " ")) cursor.at += 1
  const offset = readCount(cursor, "The place of the cross-reference section")
  if (!/^\s*%%EOF/.test(tail.toString("latin1", cursor.at))) throw corrupt("The file does not end as a PDF.")
  return offset
}

/** Newest first. A hybrid file's stream (7.5.8.4) stands right after the table that names it. */
export function readSections(source: Source, newest: number, budget: Budget): readonly XrefSection[] {
  const sections: XrefSection[] = []
  const chain = new Set<number>()
  const hybrid = new Map<number, XrefSection>()
  for (let offset: number | undefined = newest; offset !== undefined; ) {
    if (chain.has(offset)) throw corrupt("The cross-reference sections form a loop.")
    if (chain.size >= MAX_XREF_SECTIONS)
      throw new PdfRefused("too-complex", "The PDF has too many revisions.")
    chain.add(offset)
    const section = readSection(source, offset, budget)
    sections.push(section)
    const stream = hybridOffset(section)
    if (stream !== undefined) {
      // Word saves twice and lets both tables name the same stream.
      const read = hybrid.get(stream) ?? readSection(source, stream, budget)
      if (read.kind !== "stream") throw corrupt("The stream of a hybrid section is not a stream.")
      hybrid.set(stream, read)
      sections.push(read)
    }
    offset = previousOffset(section)
  }
  return sections
}

function readSection(source: Source, offset: number, budget: Budget): XrefSection {
  if (offset <= 0 || offset >= source.length)
    throw corrupt("A cross-reference section lies outside the file.")
  return readXrefSection(source, offset, budget)
}

/** Table 15: /Prev. Some write 0 for "none", where no section can be; every reader takes it so. */
export function previousOffset({ trailer }: XrefSection): number | undefined {
  if (!trailer.entries.has("Prev")) return undefined
  const offset = asCount(entry(trailer, "Prev"), "Prev")
  return offset === 0 ? undefined : offset
}

export function hybridOffset({ kind, trailer }: XrefSection): number | undefined {
  if (kind !== "table" || !trailer.entries.has("XRefStm")) return undefined
  return asCount(entry(trailer, "XRefStm"), "XRefStm")
}

// What it costs to look for an object, and to look into one section, beside the reading of bytes.
const LOOK_UP_BYTES = 48
const SECTION_BYTES = 4

/** Where an object is; nothing if no section mentions it. */
export function findEntry(
  sections: readonly XrefSection[],
  number: number,
  budget: Budget,
): XrefEntry | undefined {
  spendScanned(budget, LOOK_UP_BYTES)
  for (const [place, section] of sections.entries()) {
    spendScanned(budget, SECTION_BYTES)
    const found = findInSection(section, number)
    if (found === undefined) continue
    // 7.5.8.4: an object that the stream of a hybrid section holds is marked as free in its table.
    const stream = hybridOffset(section) === undefined ? undefined : sections[place + 1]
    if (found.kind === "free" && stream !== undefined) return findInSection(stream, number) ?? found
    return found
  }
  return undefined
}
