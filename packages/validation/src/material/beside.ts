// Certificates and revocation information of another signed PDF: it is looked through for them, and not judged. It is read
// once, because an archive gives the same few PDFs to thousands of time-stamps.

import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { type Collection, createCollection } from "./collection.ts"
import { gather } from "./gather.ts"

/** Adds what is in it to a collection. */
export type Beside = (collection: Collection) => void

export function readBeside(source: Source): Beside {
  let found: readonly Found[] | undefined
  return (collection) => {
    found ??= foundIn(source)
    // Where they stand in that PDF is no location in this one.
    for (const { type, der } of found) collection[type](der)
  }
}

type Found = {
  readonly type: Exclude<keyof Collection, "evidence">
  readonly der: Uint8Array
}

function foundIn(source: Source): readonly Found[] {
  const found: Found[] = []
  const collection = createCollection()
  const noted =
    <T>(type: Found["type"], take: (der: Uint8Array) => T) =>
    (der: Uint8Array): T => {
      found.push({ type, der })
      return take(der)
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
