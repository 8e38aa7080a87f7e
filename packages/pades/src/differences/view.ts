// A revision as the file that it once was, read object by object. All revisions share one budget, and what one of them
// has read of an object the others need not read again: an object that stands at the same place is the same object.

import type { Revision } from "../signed/revisions.ts"
import { prefix } from "../source.ts"
import { openSections, type Pdf, readNumber } from "../structure/document.ts"
import type { ObjectStream } from "../structure/object-stream.ts"
import { findEntry } from "../structure/sections.ts"
import type { XrefEntry, XrefSection } from "../structure/xref-section.ts"
import { type Budget, spendScanned } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { type IndirectObject, isRef, type PdfRef, type PdfValue } from "../syntax/value.ts"

export type View = {
  /** The number of the revision, the oldest is 0. */
  readonly index: number
  readonly pdf: Pdf
  /** Where the bytes of the revision begin and end. */
  readonly start: number
  readonly end: number
  readonly shared: Shared
}

/** `streamAt` is where the data of a stream begin. */
export type Stored = Omit<IndirectObject, "ref">

export type Shared = {
  readonly budget: Budget
  /** Where the revisions behind the first one put their objects, oldest first; a revision is asked for each many times. */
  readonly written: ReadonlyMap<number, readonly Written[]>
  /** Where the first one has what no later one writes. */
  readonly first: Map<number, InUse | undefined>
  readonly read: Map<string, Stored>
  keptValues: number
  readonly objectStreams: Map<number, ObjectStream>
}

type Written = { readonly revision: number; readonly entry: XrefEntry }

export type InUse = Exclude<XrefEntry, { kind: "free" }>

// What it costs to keep an entry, in bytes that could be read meanwhile.
const ENTRY_BYTES = 128

/** For the revisions from `first` on. */
export function newShared(revisions: readonly Revision[], first: number, budget: Budget): Shared {
  const written = new Map<number, Written[]>()
  for (const [revision, { sections }] of revisions.entries()) {
    if (revision <= first) continue
    for (const number of numbersOf(sections)) {
      spendScanned(budget, ENTRY_BYTES)
      const entry = findEntry(sections, number, budget)
      if (entry === undefined) continue
      const known = written.get(number)
      if (known === undefined) written.set(number, [{ revision, entry }])
      else known.push({ revision, entry })
    }
  }
  return { budget, written, first: new Map(), read: new Map(), keptValues: 0, objectStreams: new Map() }
}

/** The numbers that these sections mention; 0 is the head of the free ones. */
export function* numbersOf(sections: readonly XrefSection[]): Generator<number> {
  const seen = new Set<number>()
  for (const { runs } of sections)
    for (const { first, count } of runs)
      for (let number = Math.max(1, first); number < first + count; number++) {
        if (sections.length > 1 && seen.has(number)) continue
        if (sections.length > 1) seen.add(number)
        yield number
      }
}

export function openView(
  pdf: Pdf,
  revisions: readonly Revision[],
  index: number,
  shared: Shared,
): View | undefined {
  const revision = revisions[index]
  const [head] = revision?.sections ?? []
  const place = head === undefined ? -1 : pdf.sections.indexOf(head)
  if (revision?.end === undefined || place < 0) return undefined
  const sections = pdf.sections.slice(place)
  const { line } = revision.end
  // A revision that needs what came later was never a file of its own.
  if (sections.some(({ end }) => end > line)) return undefined
  const start = index === 0 ? 0 : revisions[index - 1]?.end?.mark
  if (start === undefined) return undefined
  const opened = openSections(prefix(pdf.source, line), sections, shared.budget, pdf.options)
  return { index, pdf: { ...opened, objectStreams: shared.objectStreams }, start, end: line, shared }
}

const KEPT_OBJECTS = 20_000
const KEPT_VALUES = 1_000_000
const KEPT_ENTRIES = 200_000
const KEPT_STREAM_BYTES = 64_000_000

/** Where an object is; nothing where it is free. */
export function entryOf({ pdf, index, shared }: View, number: number): InUse | undefined {
  const later = shared.written.get(number)?.findLast(({ revision }) => revision <= index)
  if (later !== undefined) return inUse(later.entry)
  const known = shared.first.get(number)
  if (known !== undefined || shared.first.has(number)) return known
  // No revision after the first writes it before this one does.
  const found = inUse(findEntry(pdf.sections, number, pdf.budget))
  if (shared.first.size >= KEPT_ENTRIES) shared.first.clear()
  shared.first.set(number, found)
  return found
}

function inUse(entry: XrefEntry | undefined): InUse | undefined {
  return entry === undefined || entry.kind === "free" ? undefined : entry
}

/** The object of a number in its newest generation; nothing where there is none. */
export function storedAt(view: View, number: number): Stored | undefined {
  const found = entryOf(view, number)
  if (found === undefined) return undefined
  const place = found.kind === "plain" ? `${found.offset}` : `${found.streamNumber}/${found.index}`
  const key = `${number}@${place}`
  const known = view.shared.read.get(key)
  if (known !== undefined) return known
  const stored = readFresh(view, number)
  keep(view.shared, key, stored)
  return stored
}

function keep(shared: Shared, key: string, stored: Stored | undefined): void {
  if (stored === undefined) return
  shared.keptValues += sizeOf(stored.value)
  if (shared.read.size >= KEPT_OBJECTS || shared.keptValues > KEPT_VALUES) {
    shared.read.clear()
    shared.keptValues = 0
  }
  shared.read.set(key, stored)
}

/** About how many values it has: a dictionary or an array is never shorter than what it holds. */
function sizeOf(value: PdfValue): number {
  if (typeof value !== "object" || value === null || (value.type !== "dict" && value.type !== "array"))
    return 1
  return (value.end - value.start) / 4
}

/** The same, without keeping it. */
export function readFresh({ pdf, shared }: View, number: number): Stored | undefined {
  // The limit on all values together is one on memory, and few of them are kept.
  const { values } = shared.budget
  try {
    return readNumber(pdf, number)
  } finally {
    shared.budget.values = values
    forgetStreams(shared)
  }
}

function forgetStreams({ objectStreams }: Shared): void {
  let bytes = 0
  for (const stream of objectStreams.values()) bytes += stream.bytes.length
  if (bytes > KEPT_STREAM_BYTES) objectStreams.clear()
}

/** The object that a reference means: 7.3.10, null where there is none of that number and generation. */
export function referred(view: View, ref: PdfRef): Stored {
  const found = entryOf(view, ref.number)
  const generation = found?.kind === "plain" ? found.generation : 0
  if (found === undefined || generation !== ref.generation) return { value: null }
  const stored = storedAt(view, ref.number) ?? { value: null }
  if (isRef(stored.value)) throw corrupt(`Object ${ref.number} is a reference.`)
  return stored
}

export function valueIn(view: View, value: PdfValue): PdfValue {
  return isRef(value) ? referred(view, value).value : value
}
