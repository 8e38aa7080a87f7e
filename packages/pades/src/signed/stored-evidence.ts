// What the document security store held in any revision (ISO 32000-2, 7.5.6 and 12.8.4.3; EN 319 142-1, 5.4). A later revision
// may name fewer items or overwrite any object of the store, and an item that was there once is still evidence. Nothing of it is
// believed here.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber, readStream, resolve } from "../structure/document.ts"
import { findEntry } from "../structure/sections.ts"
import type { XrefEntry } from "../structure/xref-section.ts"
import { type Budget, isSpent, newBudget, spendScanned } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import { openRevision, type Revision } from "./revisions.ts"
import type { StoredItem } from "./security-store.ts"

export type StoredEvidence = {
  readonly certificates: readonly StoredItem[]
  readonly ocspResponses: readonly StoredItem[]
  readonly crls: readonly StoredItem[]
}

type Kind = keyof StoredEvidence

/** The key of each list in the store, and in a /VRI dictionary. */
const LISTS: readonly (readonly [kind: Kind, ofStore: string, ofVri: string])[] = [
  ["certificates", "Certs", "Cert"],
  ["ocspResponses", "OCSPs", "OCSP"],
  ["crls", "CRLs", "CRL"],
]

// A document signed by hundreds, renewed for decades.
const MAX_ITEMS = 10_000

/**
 * Every item of every revision's store, those of the newest first, each stream once. Skips what cannot be read. Throws
 * `PdfRefused` ("too-complex") where a limit is reached, because an item that is left out could be a revocation.
 */
export function readStoredEvidence(pdf: Pdf, revisions: readonly Revision[]): StoredEvidence {
  const reading: Reading = {
    revisions,
    budget: budgetFor(pdf),
    entries: new Map(),
    lengths: new Map(),
    found: { certificates: new Map(), ocspResponses: new Map(), crls: new Map() },
  }
  let last: Moment | undefined
  let isChanged = true
  for (const [index, revision] of [...revisions.entries()].reverse()) {
    isChanged ||= last !== undefined && !isSameRoot(last.pdf, revision)
    const opened: Pdf | undefined = isChanged ? openAt(reading, pdf, index) : undefined
    if (opened !== undefined) {
      last = { reading, pdf: opened, index, lookedUp: new Set() }
      readStore(last)
      isChanged = false
    }
    // Unless a revision writes what was looked up, the one before it has the same store.
    isChanged ||= last === undefined || writesAny(revision, last.lookedUp)
  }
  const { certificates, ocspResponses, crls } = reading.found
  return {
    certificates: [...certificates.values()],
    ocspResponses: [...ocspResponses.values()],
    crls: [...crls.values()],
  }
}

/** All revisions, newest first, and what is known of them by now. */
type Reading = {
  readonly revisions: readonly Revision[]
  readonly budget: Budget
  /** The cross-reference entry of a number, and the revision that made it. */
  readonly entries: Map<number, { readonly entry: XrefEntry | undefined; readonly madeIn: number }>
  /** /Length of a stream, by where its object stands. */
  readonly lengths: Map<number, PdfValue>
  /** By where the bytes of the stream stand: an object that was overwritten is another item. */
  readonly found: Readonly<Record<Kind, Map<string, StoredItem>>>
}

/** One revision as the file that it was. */
type Moment = {
  readonly reading: Reading
  readonly pdf: Pdf
  readonly index: number
  /** The numbers of all objects that the store consists of. */
  readonly lookedUp: Set<number>
}

const LEAST_BYTES = 50_000_000

/** One budget for all revisions. A small file may have many of them. */
function budgetFor({ source }: Pdf): Budget {
  const budget = newBudget(source.length)
  return {
    ...budget,
    decodedBytes: Math.max(budget.decodedBytes, LEAST_BYTES),
    scannedBytes: Math.max(budget.scannedBytes, LEAST_BYTES),
  }
}

function openAt({ revisions, budget }: Reading, pdf: Pdf, index: number): Pdf | undefined {
  if (index === revisions.length - 1) return { ...pdf, budget }
  const revision = revisions[index]
  if (revision?.end === undefined) return undefined
  return ifSound(budget, () => openRevision(pdf, revision, budget))
}

function isSameRoot({ catalogRef }: Pdf, { sections: [head] }: Revision): boolean {
  const root = head === undefined ? null : entry(head.trailer, "Root")
  return isRef(root) && root.number === catalogRef.number && root.generation === catalogRef.generation
}

function writesAny({ sections }: Revision, numbers: ReadonlySet<number>): boolean {
  return sections.some(({ runs }) =>
    runs.some(({ first, count }) => {
      if (count > numbers.size)
        return [...numbers].some((number) => number >= first && number < first + count)
      for (let number = first; number < first + count; number++) if (numbers.has(number)) return true
      return false
    }),
  )
}

function readStore(moment: Moment): void {
  const { budget } = moment.reading
  // The limit on all values together is one on memory, and the next revision needs none of these.
  const { values } = budget
  lookUp(moment, moment.pdf.catalogRef)
  const store = resolved(moment, entry(moment.pdf.catalog, "DSS"))
  if (isDict(store)) {
    for (const [kind, key] of LISTS) readList(moment, kind, store, key)
    const vri = resolved(moment, entry(store, "VRI"))
    if (isDict(vri)) readVri(moment, vri)
  }
  budget.values = values
}

function readVri(moment: Moment, vri: PdfDict): void {
  for (const name of vri.entries.keys()) {
    const one = resolved(moment, entry(vri, name))
    if (isDict(one)) for (const [kind, , key] of LISTS) readList(moment, kind, one, key)
  }
}

// What it costs to look at an item that is known, in bytes that could be read meanwhile.
const ITEM_BYTES = 32

function readList(moment: Moment, kind: Kind, owner: PdfDict, key: string): void {
  const { budget, found } = moment.reading
  const list = resolved(moment, entry(owner, key))
  const known = found[kind]
  for (const item of isArray(list) ? list.items : []) {
    spendScanned(budget, ITEM_BYTES)
    if (!isRef(item)) continue
    const location = ifSound(budget, () => streamLocation(moment, item.number))
    if (location === undefined || known.has(location)) continue
    const stream = ifSound(budget, () => readStream(moment.pdf, item))
    if (stream === undefined) continue
    if (known.size >= MAX_ITEMS)
      throw new PdfRefused("too-complex", `The security store has more than ${MAX_ITEMS} items of one kind.`)
    known.set(location, { der: stream.bytes, interval: stream.interval })
  }
}

/** The value itself, or the object that it refers to; null where it cannot be read. */
function resolved(moment: Moment, value: PdfValue): PdfValue {
  if (!isRef(value)) return value
  const { budget } = moment.reading
  spendScanned(budget, ITEM_BYTES)
  lookUp(moment, value)
  return ifSound(budget, () => resolve(moment.pdf, value)) ?? null
}

/** Notes the numbers of all objects that this one consists of. */
function lookUp(moment: Moment, ref: PdfRef): void {
  ifSound(moment.reading.budget, () => locationOf(moment, ref))
}

// The length of an object stream may be an object, but none in an object stream.
const MAX_DEPTH = 4

/** Where the bytes of an object stand. */
function locationOf(moment: Moment, { number }: PdfRef, depth = 0): string {
  if (depth > MAX_DEPTH) throw corrupt(`Object ${number} cannot be found without itself.`)
  const found = entryAt(moment, number)
  if (found?.kind === "plain") return `${found.offset}`
  if (found?.kind !== "packed") return "nowhere"
  return `${streamLocation(moment, found.streamNumber, depth + 1)}/${found.index}`
}

/** Where the bytes of a stream begin, and where its length stands if that is an object of its own. */
function streamLocation(moment: Moment, number: number, depth = 0): string | undefined {
  const found = entryAt(moment, number)
  if (found?.kind !== "plain") return undefined
  const { lengths } = moment.reading
  let length = lengths.get(found.offset)
  if (length === undefined) {
    const value = readNumber(moment.pdf, number)?.value ?? null
    length = isDict(value) ? entry(value, "Length") : null
    lengths.set(found.offset, length)
  }
  return isRef(length) ? `${found.offset}+${locationOf(moment, length, depth + 1)}` : `${found.offset}`
}

// Revisions are read from the newest on, so an entry serves until the revision that made it has been passed.
function entryAt({ reading, index, lookedUp }: Moment, number: number): XrefEntry | undefined {
  lookedUp.add(number)
  const known = reading.entries.get(number)
  if (known !== undefined && known.madeIn <= index) return known.entry
  for (let madeIn = index; madeIn >= 0; madeIn--) {
    const found = findEntry(reading.revisions[madeIn]?.sections ?? [], number, reading.budget)
    if (found === undefined) continue
    reading.entries.set(number, { entry: found, madeIn })
    return found
  }
  reading.entries.set(number, { entry: undefined, madeIn: -1 })
  return undefined
}

function ifSound<T>(budget: Budget, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(budget)) return undefined
    throw error
  }
}
