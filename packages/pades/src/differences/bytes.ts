// The bytes of a revision: the objects that its cross-reference section names, the section itself, and nothing between
// them. What no section names is invisible to us, but a reader who mends files by searching them would find it.

import type { Revision } from "../signed/revisions.ts"
import type { Source } from "../source.ts"
import { findInSection } from "../structure/xref-section.ts"
import { parseIndirect } from "../syntax/parse.ts"
import { expectKeyword, isWhite, skipWhite } from "../syntax/scan.ts"
import { asCount, entry, isDict } from "../syntax/value.ts"
import { parseAt } from "../syntax/window.ts"
import { entryOf, numbersOf, type Stored, storedAt, type View, valueIn } from "./view.ts"

type Extent = { readonly start: number; readonly end: number }

/** The first place of the revision that belongs to nothing. */
export function strayByte(view: View, revision: Revision): number | undefined {
  let at = view.start
  let last = -1
  for (const { start, end } of extents(view, revision)) {
    // A cross-reference stream names itself. Nothing else stands inside another.
    if (start < at && start !== last) return start
    last = start
    const stray = firstInk(view, at, Math.max(at, start))
    if (stray !== undefined) return stray
    at = Math.max(at, end)
  }
  return firstInk(view, at, view.end)
}

function extents(view: View, revision: Revision): readonly Extent[] {
  const found: Extent[] = []
  for (const number of numbersOf(revision.sections))
    for (const section of revision.sections) {
      const one = findInSection(section, number)
      if (one?.kind === "plain" && one.offset >= view.start && one.offset < view.end)
        found.push({ start: one.offset, end: endOfObject(view, number, one.offset) })
    }
  for (const { kind, offset, end } of revision.sections) {
    if (offset < view.start) continue
    found.push({ start: offset, end: kind === "stream" ? endOfObject(view, undefined, offset) : end })
  }
  return found.sort((a, b) => a.start - b.start)
}

function endOfObject(view: View, number: number | undefined, offset: number): number {
  const { pdf } = view
  const { value, streamAt, end } = storedWithEnd(view, number, offset)
  const isStream = streamAt !== undefined && isDict(value)
  const length = isStream ? asCount(valueIn(view, entry(value, "Length")), "The length of a stream") : 0
  return parseAt(pdf.source, isStream ? streamAt + length : end, pdf.budget, (cursor) => {
    skipWhite(cursor)
    if (isStream) {
      expectKeyword(cursor, "endstream")
      skipWhite(cursor)
    }
    expectKeyword(cursor, "endobj")
  }).end
}

/** The object, and where its value ends; most have been read before, and know. */
function storedWithEnd(view: View, number: number | undefined, offset: number): Stored & { end: number } {
  const found = number === undefined ? undefined : entryOf(view, number)
  const isThis = found?.kind === "plain" && found.offset === offset
  const stored = number === undefined || !isThis ? undefined : storedAt(view, number)
  const value = stored?.value
  if (
    stored !== undefined &&
    typeof value === "object" &&
    value !== null &&
    "end" in value &&
    value.origin !== undefined
  )
    return { ...stored, end: value.origin + value.end }
  const { pdf } = view
  const { result } = parseAt(pdf.source, offset, pdf.budget, (cursor) => {
    const { value: own, streamAt } = parseIndirect(cursor, pdf.budget)
    return { value: own, streamAt, at: cursor.at }
  })
  const { value: own, streamAt, at } = result
  return { value: own, ...(streamAt === undefined ? {} : { streamAt }), end: offset + at - "endobj".length }
}

// Writers say their name in a comment; more than that belongs nowhere.
const MAX_GAP_BYTES = 65_536
const ENDING = /^(?:trailer\s*<<[^<>]*(?:<<[^<>]*>>[^<>]*)*>>\s*)?startxref\s+\d+\s+%%EOF/

/** White space and comments may stand anywhere, and the end of a file behind its section. */
function firstInk({ pdf }: View, start: number, end: number): number | undefined {
  if (end - start > MAX_GAP_BYTES) return start
  const bytes = pdf.source.read(start, end)
  for (let at = 0; at < bytes.length; at++) {
    if (isWhite(bytes[at])) continue
    const rest = Buffer.from(bytes.subarray(at)).toString("latin1")
    const taken = ENDING.exec(rest)?.[0] ?? /^%[^\r\n]*/.exec(rest)?.[0]
    if (taken === undefined || (taken.startsWith("%") && /\bobj\b|<<|stream/.test(taken))) return start + at
    at += taken.length - 1
  }
  return undefined
}

/** Whether something else than blank lines stands behind the end of the last revision. */
export function hasStrayEnd(source: Source, end: number): boolean {
  if (source.length > end + MAX_GAP_BYTES) return true
  return !source.read(end, source.length).every(isWhite)
}
