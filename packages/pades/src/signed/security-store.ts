// The document security store (ISO 32000-2, 12.8.4.3; EN 319 142-1, 5.4): certificates and revocation information that
// somebody put beside the signatures. Nothing of it is believed here.

import { type Pdf, readStream, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"

export type SecurityStore = {
  readonly dict: PdfDict | undefined
  /** DER, each; a stream that is named twice counts once. */
  readonly certificates: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

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

function streams(pdf: Pdf, dict: PdfDict, key: string): readonly Uint8Array[] {
  const array = resolve(pdf, entry(dict, key))
  if (array === null) return []
  if (!isArray(array) || array.items.length > MAX_ITEMS)
    throw corrupt(`${key} of the document security store is not a list of streams.`)
  const found = new Map<string, Uint8Array>()
  for (const item of array.items) {
    const name = isRef(item) ? `${item.number} ${item.generation}` : ""
    if (found.has(name)) continue
    const stream = readStream(pdf, item)
    if (stream === undefined) throw corrupt(`${key} of the document security store holds something else.`)
    found.set(name, stream.bytes)
  }
  return [...found.values()]
}
