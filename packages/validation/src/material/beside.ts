// A signed PDF that came with something else: only what it says of certificates counts. Of an archive the same few lie beside
// thousands of time-stamps, so each is read once.

import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { type Collection, createCollection } from "./collection.ts"
import { gather } from "./gather.ts"
import type { Place } from "./material.ts"

/** Adds what is in it to a collection. */
export type Beside = (collection: Collection) => void

export function readBeside(source: Source): Beside {
  let found: readonly Found[] | undefined
  return (collection) => {
    found ??= foundIn(source)
    for (const { type, der, place } of found) collection[type](der, place)
  }
}

type Found = {
  readonly type: Exclude<keyof Collection, "evidence">
  readonly der: Uint8Array
  readonly place: Place | undefined
}

function foundIn(source: Source): readonly Found[] {
  const found: Found[] = []
  const collection = createCollection()
  const noted =
    <T>(type: Found["type"], take: (der: Uint8Array, place?: Place) => T) =>
    (der: Uint8Array, place?: Place): T => {
      found.push({ type, der, place })
      return take(der, place)
    }
  try {
    gather(openPdf(source, { password: "" }), {
      certificate: noted("certificate", collection.certificate),
      ocspResponse: noted("ocspResponse", collection.ocspResponse),
      basicOcspResponse: noted("basicOcspResponse", collection.basicOcspResponse),
      crl: noted("crl", collection.crl),
      evidence: collection.evidence,
    })
  } catch (error) {
    // What cannot be read says nothing more.
    if (!(error instanceof PdfRefused)) throw error
  }
  return found
}
