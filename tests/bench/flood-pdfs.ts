// The PDFs of the floods (tests/bench/floods.ts): each small to send and expensive to process.

import { deflateSync } from "node:zlib"
import { writeSample } from "@paraph/pades/sample"

/** About 2.3 kB that two Flate filters decode to 1 GB of spaces: the content stream of the only page. */
export function doubleFlateBomb(decodedBytes = 1_000_000_000): Buffer {
  const once = deflateSync(Buffer.alloc(decodedBytes, " "), { level: 9 })
  return pageWithContent("/Filter [/FlateDecode /FlateDecode]", deflateSync(once, { level: 9 }))
}

/** About 7 MB for 50,000 pages, just below the size at which an upload counts as large. All pages show the same text. */
export function manyPages(pages = 50_000): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 6} 0 R`).join(" ")
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 3 0 R /Contents 4 0 R >>"
  return Buffer.from(
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      "<< /Font << /F1 5 0 R >> >>",
      contentStream("", Buffer.from("BT /F1 18 Tf 72 720 Td (A page of many.) Tj ET")),
      FONT,
      ...Array.from({ length: pages }, () => page),
    ]),
  )
}

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

function pageWithContent(entries: string, content: Uint8Array): Buffer {
  return Buffer.from(
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
      contentStream(entries, content),
      FONT,
    ]),
  )
}

function contentStream(entries: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])
}
