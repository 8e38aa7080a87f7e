// The document security store (ISO 32000-2, 12.8.4.3; EN 319 142-1, 5.4): certificates and revocation information that
// somebody put beside the signatures. Nothing of it is believed here.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readStream, resolve } from "../structure/document.ts"
import { findEntry } from "../structure/sections.ts"
import { isSpent } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import type { ByteInterval } from "./byte-interval.ts"
import { openRevision, type Revision } from "./revisions.ts"

export type SecurityStore = {
  readonly dict: PdfDict | undefined
  /** A stream that is named twice counts once. */
  readonly certificates: readonly StoredItem[]
  readonly ocspResponses: readonly StoredItem[]
  readonly crls: readonly StoredItem[]
}

/** DER, and where its stream object stands in the file. */
export type StoredItem = { readonly der: Uint8Array; readonly interval: ByteInterval }

// A document signed by hundreds, renewed for decades.
const MAX_ITEMS = 10_000

export function readSecurityStore(pdf: Pdf): SecurityStore {
  const dict = resolve(pdf, entry(pdf.catalog, "DSS"))
  if (dict === null) return { dict: undefined, certificates: [], ocspResponses: [], crls: [] }
  if (!isDict(dict)) throw corrupt("The document security store is not a dictionary.")
  return {
    dict,
    certificates: streams(pdf, dict, "Certs"),
    ocspResponses: streams(pdf, dict, "OCSPs"),
    crls: streams(pdf, dict, "CRLs"),
  }
}

/**
 * What any revision's store held, each stream once: a later one may name less than an earlier, and what was there once is
 * evidence still. The dictionary is that of the newest. Stores that cannot be read hold nothing.
 */
export function readSecurityStores(pdf: Pdf, revisions: readonly Revision[]): SecurityStore {
  const newest = ifSound(pdf, () => readSecurityStore(pdf)) ?? EMPTY
  const all = {
    certificates: [...newest.certificates],
    ocspResponses: [...newest.ocspResponses],
    crls: [...newest.crls],
  }
  const seen = new Set(Object.values(all).flatMap((items) => items.map(({ interval }) => interval.start)))
  let later = storeKey(pdf)
  for (const revision of revisions.slice(0, -1).reverse()) {
    const then = revision.end && ifSound(pdf, () => openRevision(pdf, revision))
    if (then === undefined) continue
    const key = storeKey(then)
    if (key === undefined || key === later) continue
    later = key
    const store = ifSound(pdf, () => readSecurityStore(then)) ?? EMPTY
    for (const kind of ["certificates", "ocspResponses", "crls"] as const)
      for (const item of store[kind]) {
        if (seen.has(item.interval.start)) continue
        seen.add(item.interval.start)
        all[kind].push(item)
      }
  }
  return { dict: newest.dict, ...all }
}

const EMPTY: SecurityStore = { dict: undefined, certificates: [], ocspResponses: [], crls: [] }

/** Where the bytes of the store stand: the same place is the same store. */
function storeKey(pdf: Pdf): string | undefined {
  const value = entry(pdf.catalog, "DSS")
  if (value === null) return undefined
  if (!isRef(value))
    return `direct ${JSON.stringify([...(isDict(value) ? value.entries.keys() : [])])} ${pdf.source.length}`
  return JSON.stringify([value.number, findEntry(pdf.sections, value.number, pdf.budget)])
}

function ifSound<T>(pdf: Pdf, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return undefined
    throw error
  }
}

function streams(pdf: Pdf, dict: PdfDict, key: string): readonly StoredItem[] {
  const array = resolve(pdf, entry(dict, key))
  if (array === null) return []
  if (!isArray(array) || array.items.length > MAX_ITEMS)
    throw corrupt(`${key} of the document security store is not a list of streams.`)
  const found = new Map<string, StoredItem>()
  for (const item of array.items) {
    const name = isRef(item) ? `${item.number} ${item.generation}` : ""
    if (found.has(name)) continue
    const stream = readStream(pdf, item)
    if (stream === undefined) throw corrupt(`${key} of the document security store holds something else.`)
    found.set(name, { der: stream.bytes, interval: stream.interval })
  }
  return [...found.values()]
}
