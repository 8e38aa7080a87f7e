// The document security store (ISO 32000-2, 12.8.4.3; EN 319 142-1, 5.4): certificates and revocation information that
// somebody put beside the signatures. Nothing of it is believed here.

import { type Pdf, readStream, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import type { ByteInterval } from "./byte-interval.ts"

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
