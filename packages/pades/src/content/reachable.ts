// Every object that the catalog leads to. In waves, and each wave in the order of the file, because files are read, and
// decrypted, in long runs. Nothing of an object is kept once it was looked at.

import { PdfRefused } from "../refused.ts"
import { openObjectStream, type Pdf, readNumber } from "../structure/document.ts"
import { packedValue } from "../structure/object-stream.ts"
import { findEntry } from "../structure/sections.ts"
import { isSpent, MAX_OBJECTS, newBudget } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfRef, type PdfValue } from "../syntax/value.ts"

export type Visitor = {
  /** `streamAt` is where the data of a stream begin. */
  readonly object: (number: number, value: PdfValue, streamAt: number | undefined) => void
  /** An object that is referred to but cannot be read. */
  readonly unreadable: (number: number) => void
  /** A reference names another generation than that of the object (7.3.10). Some readers follow it, others read null. */
  readonly wrongGeneration?: (number: number) => void
}

type Walk = Visitor & {
  readonly pdf: Pdf
  /** Where each object that was met stands, or one of the two below. */
  readonly places: Float64Array
  /** Object streams, which are gone through as a whole: then each of them is decoded once. */
  readonly containers: Set<number>
  wave: number[]
  /** Of the objects that were met; 0 is left out. */
  readonly generations: Map<number, number>
}

const SETTLED = -1
/** It has to turn up in an object stream. */
const AWAITED = -2

/** The visitor may refuse an object; it counts as unreadable then. */
export function visitReachable(pdf: Pdf, visitor: Visitor): void {
  const { values } = pdf.budget
  const places = new Float64Array(pdf.nextNumber)
  const walk: Walk = { ...visitor, pdf, places, containers: new Set(), wave: [], generations: new Map() }
  meet(walk, pdf.catalogRef)
  visitWaves(walk, values)
  visitStructure(walk)
  visitWaves(walk, values)
  for (const [number, place] of places.entries()) if (place === AWAITED) walk.unreadable(number)
}

function visitWaves(walk: Walk, values: number): void {
  const { pdf, places } = walk
  while (walk.wave.length > 0) {
    const wave = walk.wave.sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    walk.wave = []
    for (const number of wave) {
      // The limit on all values together is one on memory.
      pdf.budget.values = values
      attempt(walk, number, () => visit(walk, number))
    }
  }
}

/** An object that is met for the first time comes with the next wave, or with the object stream that holds it. */
function meet(walk: Walk, { number, generation }: Pick<PdfRef, "number" | "generation">): void {
  find(walk, number)
  if (generation === (walk.generations.get(number) ?? 0)) return
  attempt(walk, number, () => {
    const found = findEntry(walk.pdf.sections, number, walk.pdf.budget)
    if (found !== undefined && found.kind !== "free") walk.wrongGeneration?.(number)
  })
}

function find(walk: Walk, number: number): void {
  const { pdf, places } = walk
  // A new object would get this number, and what leads to nothing would come alive.
  if (number >= places.length) walk.unreadable(number)
  if (places[number] !== 0) return
  places[number] = SETTLED
  attempt(walk, number, () => {
    const found = findEntry(pdf.sections, number, pdf.budget)
    if (found === undefined || found.kind === "free") return
    if (found.kind === "plain" && found.generation !== 0) walk.generations.set(number, found.generation)
    if (found.kind === "plain") return schedule(walk, number, found.offset)
    const { streamNumber } = found
    places[number] = AWAITED
    if (walk.containers.has(streamNumber)) return
    const container = findEntry(pdf.sections, streamNumber, pdf.budget)
    if (container?.kind !== "plain") throw corrupt(`Object stream ${streamNumber} is missing.`)
    walk.containers.add(streamNumber)
    schedule(walk, streamNumber, container.offset)
  })
}

function schedule({ places, wave }: Walk, number: number, offset: number): void {
  places[number] = offset
  wave.push(number)
}

function visit(walk: Walk, number: number): void {
  const { pdf } = walk
  const object = readNumber(pdf, number)
  if (object === undefined) return
  look(walk, number, object.value, object.streamAt)
  if (!walk.containers.has(number)) return
  const container = openObjectStream(pdf, number)
  const { values } = pdf.budget
  for (const [index, inner] of container.numbers.entries()) {
    const found = findEntry(pdf.sections, inner, pdf.budget)
    // What a later revision has replaced still stands in the stream.
    if (found?.kind !== "packed" || found.streamNumber !== number || found.index !== index) continue
    walk.places[inner] = SETTLED
    pdf.budget.values = values
    attempt(walk, inner, () => look(walk, inner, packedValue(container, index, pdf.budget), undefined))
  }
  pdf.objectStreams.clear()
}

/** Decoded for the visitor, who asks for other objects; one of them may have many megabytes. */
const KEPT_STREAMS = 4

function look(walk: Walk, number: number, value: PdfValue, streamAt: number | undefined): void {
  if (walk.pdf.objectStreams.size > KEPT_STREAMS) walk.pdf.objectStreams.clear()
  attempt(walk, number, () => walk.object(number, value, streamAt))
  follow(walk, value, number === walk.pdf.catalogRef.number)
}

function follow(walk: Walk, value: PdfValue, isCatalog: boolean): void {
  if (isRef(value)) meet(walk, value)
  else if (isArray(value)) for (const item of value.items) follow(walk, item, false)
  else if (isDict(value))
    // 14.7: it says what the pages mean. Nothing of it is shown or does anything but its files, and it is most of a tagged document.
    for (const [key, { value: inner }] of value.entries)
      if (!(isCatalog && key === "StructTreeRoot")) follow(walk, inner, false)
}

/** 14.7.2: its elements may have files (14.13.5). The names of their types are free, so they are not visited themselves. */
function visitStructure(walk: Walk): void {
  const catalog = readNumber(walk.pdf, walk.pdf.catalogRef.number)?.value ?? null
  if (!isDict(catalog)) return
  // A budget of its own, so that a large tree takes nothing from the pages.
  const pdf = { ...walk.pdf, budget: newBudget(2 * walk.pdf.source.length), objectStreams: new Map() }
  const { values } = pdf.budget
  const seen = new Set<number>()
  const stack: PdfValue[] = [entry(catalog, "StructTreeRoot")]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    const number = isRef(value) ? value.number : undefined
    // What the pages lead to was followed as a whole.
    if (number !== undefined && (seen.has(number) || (walk.places[number] ?? SETTLED) !== 0)) continue
    if (number !== undefined) seen.add(number)
    if (seen.size > MAX_OBJECTS || isSpent(pdf.budget)) {
      walk.unreadable(walk.pdf.catalogRef.number)
      return
    }
    pdf.budget.values = values
    if (pdf.objectStreams.size > KEPT_STRUCTURE_STREAMS) pdf.objectStreams.clear()
    const from = number
    const element = value
    attempt({ ...walk, pdf }, from ?? walk.pdf.catalogRef.number, () => {
      const dict = from === undefined ? element : (readNumber(pdf, from)?.value ?? null)
      if (isArray(dict)) stack.push(...dict.items)
      if (!isDict(dict)) return
      stack.push(entry(dict, "K"))
      for (const key of FILES) follow(walk, entry(dict, key), false)
    })
  }
}

const FILES = ["AF", "PronunciationLexicon", "Namespaces"]
/** Elements follow each other in object streams of some kilobytes. */
const KEPT_STRUCTURE_STREAMS = 1_000

function attempt(walk: Walk, number: number, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof PdfRefused) || isSpent(walk.pdf.budget)) throw error
    walk.unreadable(number)
  }
}
