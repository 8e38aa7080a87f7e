// The inner parts of a PDF that compression or offsets hide from a mutation: each input is one part, and the PDF around it
// is written anew every time.

import { deflateSync } from "node:zlib"
import { describePdf } from "@paraph/pades/describe"
import { PdfRefused } from "@paraph/pades/refused"
import { PACKED, type StreamOrder, section, withStreams } from "../sample-pdf.ts"
import type { Target } from "../target.ts"

const common = { refusals: [PdfRefused] } as const

/**
 * Objects 1 to 3, one in each line, for which a directory is written; or, where the first line is two numbers, the count
 * and where the first object begins, the stream as it stands.
 */
export const objectStreams: Target = {
  ...common,
  name: "pdf-object-stream",
  kind: "text",
  seeds: () =>
    [
      PACKED.join("\n"),
      [
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[<</FT/Sig/T(a)/Kids[]>>]/SigFlags 3>>/Perms<<>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 9 9]/Rotate 180>>",
        "<</Type/Page/Parent 2 0 R/CropBox[1 1 5 5]/Annots[]/UserUnit 1.5>>",
      ].join("\n"),
      `3 14\n1 0 2 34 3 76 ${PACKED.join(" ")}`,
    ].map((text) => Buffer.from(text)),
  run: (input) => {
    const text = Buffer.from(input).toString("latin1")
    const [, count, first, rest = ""] = /^(\d+) (\d+)\n([\s\S]*)$/.exec(text) ?? []
    const order =
      count === undefined
        ? packed(text)
        : { objects: Buffer.from(rest, "latin1"), count: Number(count), first: Number(first) }
    const { pageCount, signatureFields } = describePdf(withStreams(order))
    return `${pageCount} ${signatureFields.length}`
  },
}

function packed(text: string): Pick<StreamOrder, "objects" | "count" | "first"> {
  const bodies = text.split("\n")
  let length = 0
  const directory = bodies.map((body, i) => {
    const entry = `${i + 1} ${length} `
    length += body.length + 1
    return entry
  })
  const head = directory.join("")
  const objects = Buffer.from(`${head}${bodies.join("\n")}`, "latin1")
  return { objects, count: bodies.length, first: head.length }
}

/** The first line stands in the dictionary, the rest are the records. */
export const sectionStreams: Target = {
  ...common,
  name: "pdf-xref-stream",
  kind: "text",
  seeds: () => [
    withDict("/Size 6 /W [1 2 1]", section(15, 269)),
    withDict("/Size 6 /W [1 2 1] /Index [0 3 3 3]", section(15, 280)),
    withDict("/Size 6 /W [1 2 1] /Prev 15", section(15, 270)),
  ],
  run: (input) => {
    const line = input.indexOf(0x0a)
    const sectionDict = Buffer.from(input.subarray(0, Math.max(0, line))).toString("latin1")
    const { pageCount } = describePdf(withStreams({ sectionDict, records: input.subarray(line + 1) }))
    return String(pageCount)
  },
}

function withDict(dict: string, records: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${dict}\n`), records])
}

/**
 * Five octets: whether the rest is compressed already, predictor, columns, colours, bits. Then the object stream, of which
 * the directory has 14 octets.
 */
export const filters: Target = {
  ...common,
  name: "pdf-filter",
  kind: "bytes",
  seeds: () => {
    const plain = withStreams()
    const text = Buffer.from(plain).toString("latin1")
    const start = text.indexOf("stream\n") + "stream\n".length
    const data = Buffer.from(text.slice(start, text.indexOf("\nendstream")), "latin1")
    const rows = (kind: number) => Buffer.concat([...data].map((octet) => Uint8Array.of(kind, octet)))
    return [
      Buffer.concat([Uint8Array.of(0, 1, 1, 1, 8), data]),
      Buffer.concat([Uint8Array.of(1, 1, 1, 1, 8), deflateSync(data)]),
      ...[10, 11, 12, 13, 14, 15].map((predictor) =>
        Buffer.concat([Uint8Array.of(0, predictor, 1, 1, 8), rows(predictor === 15 ? 4 : predictor - 10)]),
      ),
    ]
  },
  run: (input) => {
    const [given = 0, predictor = 1, columns = 1, colours = 1, bits = 8] = input
    const rest = input.subarray(5)
    const objects = given % 2 === 1 ? rest : deflateSync(rest)
    const parameters = `/Predictor ${predictor} /Columns ${columns} /Colors ${colours} /BitsPerComponent ${bits}`
    const objectDict = `/Filter /FlateDecode /DecodeParms << ${parameters} >>`
    return String(describePdf(withStreams({ objects, objectDict })).pageCount)
  },
}
