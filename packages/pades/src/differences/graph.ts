// Who refers to what. An object that a revision overwrites may be used at many places, and at each of them the change
// must be allowed; so the document is walked once, from its trailer, and of every object that a later revision writes we
// keep by which objects, and under which keys, it is referred to. A revision is then a matter of its own objects.

import { PdfRefused } from "../refused.ts"
import { openObjectStream } from "../structure/document.ts"
import { type Budget, isSpent, spendScanned } from "../syntax/limits.ts"
import { isArray, isDict, isRef, type PdfValue } from "../syntax/value.ts"
import { entryOf, readFresh, storedAt, type View } from "./view.ts"

/** A reference that holds from one revision up to another. `source` 0 is the trailer. */
export type Edge = {
  readonly source: number
  readonly target: number
  /** The innermost key on the way; IN_ARRAY in an object that is an array, DESTINATION in a destination. */
  readonly key: string
  readonly since: number
  until: number
}

export const TRAILER = 0
export const IN_ARRAY = "[]"
/** 12.3.2.2: `[page /Fit …]`, wherever it stands. */
export const DESTINATION = "@"
/** In an object that cannot be read. */
const UNCLEAR = "?"

export type Graph = {
  /** By which object each one was met first, or NOT_MET. */
  readonly parents: Int32Array
  /** The objects whose references are kept: those that later revisions write, and on whose way to the trailer they lie. */
  readonly written: Uint8Array
  readonly incoming: Map<number, Edge[]>
  readonly outgoing: Map<number, Edge[]>
  /** Objects that something refers to and that cannot be read; nobody knows whereto they lead. */
  readonly unreadable: Set<number>
  /** 14.7: the structure tree is most of a tagged document, and seldom asked for. */
  hasStructure: boolean
}

const NOT_MET = -1

export function newGraph(size: number, written: Iterable<number>): Graph {
  const marks = new Uint8Array(size)
  for (const number of written) marks[number] = 1
  return {
    parents: new Int32Array(size).fill(NOT_MET),
    written: marks,
    incoming: new Map(),
    outgoing: new Map(),
    unreadable: new Set(),
    hasStructure: false,
  }
}

export function isMet({ parents }: Graph, number: number): boolean {
  return (parents[number] ?? NOT_MET) !== NOT_MET
}

/** The graph as it is with this revision, which has written these objects. */
export function extendGraph(graph: Graph, view: View, changed: Iterable<number>): void {
  const wave = [TRAILER]
  for (const number of changed) if (isMet(graph, number)) wave.push(number)
  walk(graph, view, wave)
}

/** Goes through the structure tree too, as it was before and as it is with this revision. */
export function addStructure(graph: Graph, before: View, after: View, changed: Iterable<number>): void {
  if (graph.hasStructure) return
  graph.hasStructure = true
  walk(graph, before, [before.pdf.catalogRef.number])
  extendGraph(graph, after, [...changed, after.pdf.catalogRef.number])
}

/** The references to an object that hold before or with this revision. */
export function edgesTo({ incoming }: Graph, number: number, revision: number): readonly Edge[] {
  return (incoming.get(number) ?? []).filter(({ since, until }) => since <= revision && until >= revision)
}

function walk(graph: Graph, view: View, first: readonly number[]): void {
  let wave = [...first]
  while (wave.length > 0) {
    const met: number[] = []
    // In the order of the file, which is read in long runs.
    for (const number of inOrder(view, wave)) look(graph, view, number, met)
    wave = met
  }
}

function inOrder(view: View, wave: number[]): readonly number[] {
  if (wave.length < 2) return wave
  const places = new Map<number, number>()
  for (const number of wave) {
    const found = number === TRAILER ? undefined : entryOf(view, number)
    const offset = found?.kind === "packed" ? found.streamNumber : found?.offset
    places.set(number, offset ?? 0)
  }
  return wave.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

function look(graph: Graph, view: View, number: number, met: number[]): void {
  const known = graph.outgoing.get(number)
  if (known !== undefined) {
    for (const edge of known) edge.until = Math.min(edge.until, view.index)
    graph.outgoing.delete(number)
  }
  const catalog = view.pdf.catalogRef.number
  const visit = (target: number, key: string) => {
    if (!graph.hasStructure && number === catalog && key === "StructTreeRoot") return
    if (target <= 0 || target >= graph.parents.length) return
    if (graph.written[target] === 1)
      connect(graph, { source: number, target, key, since: view.index, until: FOREVER }, view.pdf.budget)
    if (graph.parents[target] !== NOT_MET) return
    graph.parents[target] = number
    met.push(target)
  }
  const value = readable(graph, view, number)
  if (value !== undefined) eachReference(value, visit)
  else for (const target of seeming(view, number)) visit(target, UNCLEAR)
}

const FOREVER = Number.POSITIVE_INFINITY

// What it costs to keep a reference, in bytes that could be read meanwhile.
const EDGE_BYTES = 256
/** From so many on, what nobody asks for any more is thrown away before more is kept. */
const MANY_EDGES = 64

function connect({ incoming, outgoing }: Graph, edge: Edge, budget: Budget): void {
  spendScanned(budget, EDGE_BYTES)
  const others = incoming.get(edge.target)
  if (others === undefined) incoming.set(edge.target, [edge])
  else if (others.length % MANY_EDGES > 0) others.push(edge)
  else incoming.set(edge.target, [...others.filter(({ until }) => until >= edge.since), edge])
  const more = outgoing.get(edge.source)
  if (more === undefined) outgoing.set(edge.source, [edge])
  else more.push(edge)
}

function readable(graph: Graph, view: View, number: number): PdfValue | undefined {
  if (number === TRAILER) return view.pdf.trailer
  try {
    const stored = graph.written[number] === 1 ? storedAt(view, number) : readFresh(view, number)
    return stored?.value ?? null
  } catch (error) {
    if (!(error instanceof PdfRefused) || isSpent(view.pdf.budget)) throw error
    graph.unreadable.add(number)
    return undefined
  }
}

const MAX_SEEMING_BYTES = 1_000_000

/** What looks like a reference in an object that we cannot read: somebody else may, and nothing of it must change. */
function seeming(view: View, number: number): readonly number[] {
  const found = entryOf(view, number)
  // Where a whole object stream cannot be read, nobody knows what is in it.
  const holder = found?.kind === "packed" ? openObjectStream(view.pdf, found.streamNumber) : undefined
  const bytes =
    found?.kind === "plain"
      ? view.pdf.source.read(found.offset, found.offset + MAX_SEEMING_BYTES)
      : (holder?.bytes ?? new Uint8Array())
  spendScanned(view.pdf.budget, bytes.length)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  const end = found?.kind === "plain" ? text.indexOf("endobj") : -1
  const own = end < 0 ? text : text.slice(0, end)
  return [...own.matchAll(/(\d{1,10})\s+\d{1,5}\s+R(?![A-Za-z0-9])/g)].map(([, digits]) => Number(digits))
}

export function eachReference(
  value: PdfValue,
  visit: (number: number, key: string) => void,
  key: string = IN_ARRAY,
): void {
  if (isRef(value)) visit(value.number, key)
  else if (isArray(value)) {
    const [first = null, kind = null] = value.items
    const toPage = isRef(first) && isDestination(kind)
    if (toPage) visit(first.number, DESTINATION)
    for (let i = toPage ? 1 : 0; i < value.items.length; i++)
      eachReference(value.items[i] ?? null, visit, key)
  } else if (isDict(value))
    for (const [name, { value: inner }] of value.entries)
      if (typeof inner === "object") eachReference(inner, visit, name)
}

const FITS = new Set(["XYZ", "Fit", "FitH", "FitV", "FitR", "FitB", "FitBH", "FitBV"])

function isDestination(kind: PdfValue): boolean {
  return typeof kind === "object" && kind?.type === "name" && FITS.has(kind.name)
}
