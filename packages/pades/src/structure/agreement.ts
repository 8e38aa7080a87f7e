// Where a file says twice where its objects are, both must say the same: which of the two a reader believes is its own
// affair, and a file could show one document to one reader and another to the next.

import type { Source } from "../source.ts"
import { type Budget, isSpent, spendScanned } from "../syntax/limits.ts"
import { parseIndirect } from "../syntax/parse.ts"
import { corrupt, isWhite } from "../syntax/scan.ts"
import { entry, isDict } from "../syntax/value.ts"
import { parseAt } from "../syntax/window.ts"
import { hybridOffset } from "./sections.ts"
import { findInSection, type XrefSection } from "./xref-section.ts"

export function refuseDisagreement(source: Source, sections: readonly XrefSection[], budget: Budget): void {
  const [newest] = sections
  const first = linearizedSection(source, budget)
  if (newest !== undefined && first !== undefined && first !== pastWhite(source, newest.offset))
    throw corrupt("The beginning and the end of the file name two cross-reference sections.")
  // Who appends a revision may repeat the last trailer, XRefStm and all; the stream belongs to the oldest that names it.
  const own = new Map<XrefSection, XrefSection>()
  for (const [i, table] of sections.entries()) {
    const stream = sections[i + 1]
    if (hybridOffset(table) !== undefined && stream !== undefined) own.set(stream, table)
  }
  for (const [stream, table] of own) compare(table, stream, budget)
}

const HEAD_BYTES = 16_384

/**
 * Annex F: behind the first object of a linearised file stands the section that its end names too. Some readers, pdf.js
 * among them, believe the beginning; they notice by the length that nothing was appended since.
 */
function linearizedSection(source: Source, budget: Budget): number | undefined {
  const head = Buffer.from(source.read(0, HEAD_BYTES))
  if (!head.includes("Linearized")) return undefined
  const end = head.indexOf("endobj")
  return end >= 0 && saysLength(source, budget) ? pastWhite(source, end + "endobj".length) : undefined
}

function saysLength(source: Source, budget: Budget): boolean {
  try {
    const { value } = parseAt(source, 0, budget, (cursor) => parseIndirect(cursor, budget)).result
    return isDict(value) && value.entries.has("Linearized") && entry(value, "L") === source.length
  } catch (error) {
    if (isSpent(budget)) throw error
    return false
  }
}

function pastWhite(source: Source, offset: number): number {
  const bytes = source.read(offset, offset + HEAD_BYTES)
  const length = bytes.findIndex((octet) => !isWhite(octet))
  return offset + Math.max(0, length)
}

// What it costs to look at one entry in two sections, beside the reading of bytes.
const ENTRY_BYTES = 8

// 7.5.8.4: the table of a hybrid section hides from old readers what its stream holds, and calls it free.
function compare(table: XrefSection, stream: XrefSection, budget: Budget): void {
  for (const { first, count } of stream.runs) {
    spendScanned(budget, count * ENTRY_BYTES)
    for (let number = first; number < first + count; number++) {
      const inTable = findInSection(table, number)
      if (inTable?.kind !== "plain") continue
      const inStream = findInSection(stream, number)
      if (
        inStream?.kind !== "plain" ||
        inStream.offset !== inTable.offset ||
        inStream.generation !== inTable.generation
      )
        throw corrupt(`A hybrid cross-reference section names two places for object ${number}.`)
    }
  }
}
