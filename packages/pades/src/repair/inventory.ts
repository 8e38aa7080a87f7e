// Which definition of each object counts, judged from the file alone. A later revision replaces an earlier one; two
// definitions in one revision, or one that was deleted, leave open what the file means, and it is refused.

import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { decodeStream } from "../structure/filter.ts"
import { openDirectory, packedValue } from "../structure/object-stream.ts"
import {
  findInSection,
  readXrefSection,
  type XrefEntry,
  type XrefSection,
} from "../structure/xref-section.ts"
import { type Budget, MAX_OBJECTS, MAX_XREF_SECTIONS, spendScanned } from "../syntax/limits.ts"
import { corrupt, isWhite } from "../syntax/scan.ts"
import {
  entry,
  isArray,
  isDict,
  isName,
  isRef,
  type PdfDict,
  type PdfRef,
  type PdfValue,
} from "../syntax/value.ts"
import { type Gathered, gather, looksSigned } from "./gather.ts"

export type Place = Exclude<XrefEntry, { kind: "free" }>

export type Inventory = {
  readonly places: ReadonlyMap<number, Place>
  readonly nextNumber: number
  /** /Root, and /Info and /ID if there are, as they are to be written. */
  readonly trailerKeys: Uint8Array
}

type Known = Place & { readonly revision: number }

type State = {
  readonly source: Source
  readonly budget: Budget
  readonly places: Map<number, Known>
  readonly integers: Map<number, number>
  readonly catalogs: Set<number>
  readonly trailers: PdfDict[]
  /** What each revision has of a save: a section with its trailer, `startxref`, `%%EOF`. */
  readonly saves: Map<number, Set<string>>
  /** Objects that replace earlier ones. */
  readonly replacing: { readonly number: number; readonly revision: number }[]
  readonly free: { readonly number: number; readonly revision: number }[]
  readonly sections: { readonly section: XrefSection; readonly revision: number }[]
  /** Streams whose length was a reference, with the place where they seemed to end. */
  readonly lengths: {
    readonly number: number
    readonly streamAt: number
    readonly end: number
    readonly length: PdfRef
  }[]
  readonly objectStreams: { readonly found: Gathered; readonly dict: PdfDict }[]
  nextNumber: number
}

export function takeInventory(source: Source, budget: Budget): Inventory {
  const state: State = {
    source,
    budget,
    places: new Map(),
    integers: new Map(),
    catalogs: new Set(),
    trailers: [],
    saves: new Map(),
    replacing: [],
    free: [],
    sections: [],
    lengths: [],
    objectStreams: [],
    nextNumber: 1,
  }
  for (const piece of gather(source, budget)) {
    if (piece.kind === "free") state.free.push(piece)
    else if (piece.kind === "trailer") addTrailer(state, piece.dict, piece.revision)
    else if (piece.kind === "object") addObject(state, piece)
    else save(state, piece.revision, piece.kind)
  }
  for (const stream of state.objectStreams) addPacked(state, stream.found, stream.dict)
  checkHistory(state)
  checkLengths(state)
  checkContainers(state)
  checkFree(state)
  return { places: state.places, nextNumber: state.nextNumber, trailerKeys: trailerKeys(state) }
}

function addTrailer(state: State, dict: PdfDict, revision: number): void {
  if (dict.entries.has("Encrypt")) throw new PdfRefused("encrypted", "An encrypted PDF is not repaired.")
  state.trailers.push(dict)
  save(state, revision, "trailer")
}

function save({ saves }: State, revision: number, part: string): void {
  saves.set(revision, (saves.get(revision) ?? new Set()).add(part))
}

function addObject(state: State, found: Gathered): void {
  const { object, offset, revision, streamEnd } = found
  const { ref, value, streamAt } = object
  const dict = streamAt !== undefined && isDict(value) ? value : undefined
  if (dict !== undefined && streamAt !== undefined && streamEnd !== undefined) {
    const length = entry(dict, "Length")
    if (isRef(length)) state.lengths.push({ number: ref.number, streamAt, end: streamEnd, length })
  }
  state.nextNumber = Math.max(state.nextNumber, ref.number + 1)
  if (dict !== undefined && isName(entry(dict, "Type"), "XRef")) {
    addTrailer(state, dict, revision)
    if (state.sections.length >= MAX_XREF_SECTIONS)
      throw new PdfRefused("too-complex", "The PDF has too many revisions.")
    state.sections.push({ section: readXrefSection(state.source, offset, state.budget), revision })
  }
  if (dict !== undefined && isName(entry(dict, "Type"), "ObjStm")) state.objectStreams.push({ found, dict })
  define(state, ref.number, { kind: "plain", offset, generation: ref.generation, revision }, value)
}

function define(state: State, number: number, place: Known, value: PdfValue): void {
  // 7.3.10 and 7.5.4: numbers begin with 1, and 65535 is the largest generation.
  if (number === 0 || (place.kind === "plain" && place.generation > 65_535))
    throw corrupt(`An object has a number or a generation that no object can have: ${number}.`)
  if (number > MAX_OBJECTS) throw new PdfRefused("too-complex", "The PDF has too many objects.")
  const before = state.places.get(number)
  if (before !== undefined && before.revision >= place.revision) throw twice(number)
  if (before !== undefined) state.replacing.push({ number, revision: place.revision })
  if (seemsSigned(value)) throw corrupt("The file holds a signature, and a signed file is not repaired.")
  state.nextNumber = Math.max(state.nextNumber, number + 1)
  state.places.set(number, place)
  if (typeof value === "number") state.integers.set(number, value)
  else state.integers.delete(number)
  if (isDict(value) && isName(entry(value, "Type"), "Catalog")) state.catalogs.add(number)
  else state.catalogs.delete(number)
}

function twice(number: number): PdfRefused {
  return corrupt(`Object ${number} stands in the file twice, and nothing says which one counts.`)
}

// Only saves that were completed make a history; readers disagree on whether one without its end ever happened.
function checkHistory({ replacing, saves }: State): void {
  let complete = 0
  while (saves.get(complete)?.size === SAVE_PARTS) complete += 1
  for (const { number, revision } of replacing) if (revision >= complete) throw twice(number)
}

const SAVE_PARTS = 3

function seemsSigned(value: PdfValue): boolean {
  if (isArray(value)) return value.items.some(seemsSigned)
  if (!isDict(value)) return false
  return looksSigned(value) || [...value.entries.values()].some((one) => seemsSigned(one.value))
}

function addPacked(state: State, { object, revision, streamEnd }: Gathered, dict: PdfDict): void {
  const { ref, streamAt } = object
  if (streamAt === undefined || streamEnd === undefined) return
  const known = entry(dict, "Length")
  const length = isRef(known) ? lengthOf(state, ref.number, streamAt, streamEnd, known) : streamEnd - streamAt
  const data = state.source.read(streamAt, streamAt + length)
  const stream = openDirectory(dict, decodeStream(dict, data, state.budget))
  for (const [index, number] of stream.numbers.entries()) {
    const value = packedValue(stream, index, state.budget)
    definePacked(state, number, { kind: "packed", streamNumber: ref.number, index, revision }, value)
  }
}

// Object streams are opened after everything else, since their length may stand behind them. So here an object of a later
// revision may be known already.
function definePacked(state: State, number: number, place: Known, value: PdfValue): void {
  const before = state.places.get(number)
  if (before === undefined || before.revision <= place.revision) define(state, number, place, value)
  else if (seemsSigned(value)) throw corrupt("The file holds a signature, and a signed file is not repaired.")
}

function checkLengths(state: State): void {
  for (const { number, streamAt, end, length } of state.lengths)
    lengthOf(state, number, streamAt, end, length)
}

// 7.3.8.1: an end of line before `endstream` is not counted.
function lengthOf(
  { source, integers }: State,
  number: number,
  streamAt: number,
  end: number,
  length: PdfRef,
): number {
  const known = integers.get(length.number)
  const start = streamAt + (known ?? 0)
  const isRight = known !== undefined && start <= end && end - start <= 2
  if (!isRight || !source.read(start, end).every(isWhite))
    throw corrupt(`The stream of object ${number} does not end where its length says.`)
  return known
}

function checkContainers({ places, objectStreams }: State): void {
  const streams = new Map(objectStreams.map(({ found }) => [found.offset, found]))
  for (const [number, place] of places) {
    if (place.kind !== "packed") continue
    const container = places.get(place.streamNumber)
    const stream = container?.kind === "plain" ? streams.get(container.offset) : undefined
    if (stream?.revision !== place.revision)
      throw corrupt(`Object ${number} lies in a stream that was replaced, and nothing says which one counts.`)
  }
}

// What was deleted must not come back; a new section would bring it back.
function checkFree({ places, free, sections, budget }: State): void {
  const deleted = (number: number) => corrupt(`Object ${number} was deleted, but it stands in the file.`)
  for (const { number, revision } of free)
    if ((places.get(number)?.revision ?? Number.POSITIVE_INFINITY) <= revision) throw deleted(number)
  for (const { section, revision } of sections) {
    for (const { first, count } of section.runs) {
      spendScanned(budget, count * ENTRY_BYTES)
      for (let number = first; number < first + count; number++) {
        const place = places.get(number)
        if (place === undefined || place.revision > revision) continue
        if (findInSection(section, number)?.kind === "free") throw deleted(number)
      }
    }
  }
}

// What it costs to look at one entry of a section, beside the reading of bytes.
const ENTRY_BYTES = 4

function trailerKeys({ trailers, catalogs }: State): Uint8Array {
  const roots = new Set(
    trailers.map((one) => entry(one, "Root")).map((root) => (isRef(root) ? root.number : -1)),
  )
  roots.delete(-1)
  const trailer = trailers.findLast((one) => isRef(entry(one, "Root")))
  if (roots.size > 1) throw corrupt("The file has two catalogs, and nothing says which one counts.")
  if (trailer !== undefined) {
    const parts = ["Root", "Info", "ID"].flatMap((key) => {
      const found = trailer.entries.get(key)
      return found === undefined ? [] : [trailer.bytes.subarray(found.start, found.end), Buffer.from(" ")]
    })
    return Buffer.concat(parts)
  }
  const [catalog, ...more] = catalogs
  if (catalog === undefined || more.length > 0)
    throw corrupt("The file does not say which of its objects is the catalog.")
  return Buffer.from(`/Root ${catalog} 0 R`)
}
