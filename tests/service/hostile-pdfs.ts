// PDFs that are made to cost whoever judges them more than they should: each small, each legal enough to be looked into.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { oddPdf, signedElsewhere, stream } from "./odd-pdfs.ts"
import { contractPdf } from "./pdf.ts"

/** A SEQUENCE of nothing. */
const EMPTY: Buffer = Buffer.from([0x30, 0])

/** By what is wrong with them. */
export async function hostilePdfs(corpora?: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const cms = cmsIn(await signedElsewhere(contractPdf()))
  return {
    "objects that unpack to half a gigabyte": bomb(500_000_000),
    "the same in a file of thirty megabytes": bomb(500_000_000, 30_000_000),
    "arrays a million deep": oddPdf({
      catalog: `/AcroForm << /Fields ${"[".repeat(1e6)}${"]".repeat(1e6)} >>`,
    }),
    "a table of a hundred million objects": hugeTable(),
    "a stream of objects that extends itself": extendsItself(),
    "fields that are their own children": oddPdf({
      catalog: "/AcroForm << /Fields [6 0 R] >>",
      objects: ["<< /T (A) /Kids [6 0 R 7 0 R] >>", "<< /T (B) /Kids [6 0 R 7 0 R] /Parent 6 0 R >>"],
    }),
    "ten thousand signature fields": manyFields(10_000),
    "nine hundred signature fields, all of one signature's bytes": manyFields(900, cms),
    "three thousand revisions": manyRevisions(3_000),
    "nine hundred revisions, each signed": manyRevisions(900, cms),
    "a hundred thousand certificates": manyRevisions(1, withCertificates(cms, 100_000, EMPTY)),
    "nine hundred certificates of one name": manyRevisions(1, withCertificates(cms, 900)),
    "a page of five metres that changed": await changedPage(
      "/F1 9 Tf 20 20 Td (now) Tj",
      "[0 0 14400 14400]",
    ),
    "a page that takes for ever to draw": await changedPage("", "[0 0 595 842]", 9),
    ...(corpora && {
      "25 signatures, of EU DSS": readFileSync(join(corpora, "dss/dss-cookbook/snippets/25sigs.pdf")),
      ...denialsIn(join(corpora, "pdf101/01-dos")),
    }),
  }
}

function denialsIn(folder: string): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.pdf$/i.test(name),
  )
  return Object.fromEntries(names.map((name) => [`pdf101 ${name}`, readFileSync(join(folder, name))]))
}

/** The catalog lies in a stream of objects behind very many spaces. So much may be unpacked of a file as large as `padding`. */
function bomb(unpacked: number, padding = 0): Uint8Array {
  const packed = deflateSync(Buffer.alloc(unpacked, " "), { level: 1 })
  return inObjectStream("/Filter /FlateDecode /N 1 /First 8", packed, padding)
}

const extendsItself = (): Uint8Array =>
  inObjectStream("/N 1 /First 4 /Extends 2 0 R", Buffer.from("1 0 << /Type /Catalog /Pages 3 0 R >>"))

/** Object 1, the catalog, is in object 2. */
function inObjectStream(entries: string, data: Uint8Array, padding = 0): Uint8Array {
  const start = Buffer.from(`%PDF-1.7\n%${"x".repeat(padding)}\n`)
  const objects = Buffer.concat([
    Buffer.from(`2 0 obj\n<< /Type /ObjStm ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream\nendobj\n"),
  ])
  const at = start.length + objects.length
  const rows = Buffer.from([
    ...[0, ...octets(0), 0],
    ...[2, ...octets(2), 0],
    ...[1, ...octets(start.length), 0],
    ...[1, ...octets(at), 0],
  ])
  const dictionary = `/Type /XRef /Size 4 /W [1 4 1] /Root 1 0 R /Length ${rows.length}`
  const table = Buffer.concat([
    Buffer.from(`3 0 obj\n<< ${dictionary} >>\nstream\n`),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ])
  return Buffer.concat([start, objects, table])
}

function octets(value: number): readonly number[] {
  return [24, 16, 8, 0].map((by) => (value >>> by) & 255)
}

function hugeTable(): Uint8Array {
  const rows = deflateSync(Buffer.alloc(500_000_000), { level: 1 })
  const start = Buffer.from("%PDF-1.7\n")
  const entries = "/Type /XRef /Size 100000000 /W [1 3 1] /Root 1 0 R /Filter /FlateDecode"
  return Buffer.concat([
    start,
    Buffer.from(`1 0 obj\n<< ${entries} /Length ${rows.length} >>\nstream\n`),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start.length}\n%%EOF\n`),
  ])
}

/** Without a signature's bytes, none of them can be right; with them, each has to be looked at. */
function manyFields(count: number, cms: Buffer = EMPTY): Uint8Array {
  const numbers = Array.from({ length: count }, (_, i) => 6 + 2 * i)
  const value = `/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 99 100 99] /Contents <${cms.toString("hex")}>`
  return oddPdf({
    catalog: `/AcroForm << /SigFlags 3 /Fields [${numbers.map((n) => `${n} 0 R`).join(" ")}] >>`,
    objects: numbers.flatMap((n) => [
      `<< /FT /Sig /T (F${n}) /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /P 3 0 R /V ${n + 1} 0 R >>`,
      `<< ${value} >>`,
    ]),
  })
}

/** Each closed by a table of its own; with a CMS each is signed, up to its end, by what cannot be right. */
function manyRevisions(count: number, cms?: Buffer): Uint8Array {
  const parts: Buffer[] = [Buffer.from(contractPdf())]
  let length = parts[0]?.length ?? 0
  let previous = Number(/startxref\s+(\d+)/.exec(parts[0]?.toString("latin1") ?? "")?.[1])
  const fields: number[] = []
  for (let i = 0; i < count; i++) {
    const n = 100 + 2 * i
    if (cms !== undefined) fields.push(n)
    const form = `/AcroForm << /SigFlags 3 /Fields [${fields.map((field) => `${field} 0 R`).join(" ")}] >>`
    const objects = [
      { number: 1, body: `<< /Type /Catalog /Pages 2 0 R ${form} >>` },
      ...(cms === undefined
        ? []
        : [
            { number: n, body: `<< /FT /Sig /T (F${n}) /V ${n + 1} 0 R >>` },
            { number: n + 1, body: signatureOf(cms) },
          ]),
    ]
    const revision = revisionOf(objects, length, previous, n + 2)
    previous = revision.table
    length += revision.bytes.length
    parts.push(
      cms === undefined ? revision.bytes : withByteRange(revision.bytes, length - revision.bytes.length),
    )
  }
  return Buffer.concat(parts)
}

const RANGE = "/ByteRange [0000000000 0000000000 0000000000 0000000000]"
const signatureOf = (cms: Buffer): string =>
  `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ${RANGE} /Contents <${cms.toString("hex")}> >>`

function revisionOf(
  objects: readonly { readonly number: number; readonly body: string }[],
  start: number,
  previous: number,
  size: number,
) {
  let text = ""
  let rows = ""
  for (const { number, body } of objects) {
    rows += `${number} 1\n${String(start + text.length).padStart(10, "0")} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const table = start + text.length
  const trailer = `<< /Size ${size} /Root 1 0 R /Prev ${previous} >>`
  text += `xref\n${rows}trailer\n${trailer}\nstartxref\n${table}\n%%EOF\n`
  return { bytes: Buffer.from(text, "latin1"), table }
}

function withByteRange(revision: Buffer, start: number): Buffer {
  const hole = revision.indexOf("/Contents <") + "/Contents ".length
  const end = revision.indexOf(">", hole) + 1
  const numbers = [0, start + hole, start + end, revision.length - end]
  const range = `/ByteRange [${numbers.map((n) => String(n).padStart(10, "0")).join(" ")}]`
  revision.write(range, revision.indexOf(RANGE), "latin1")
  return revision
}

function cmsIn(signed: Buffer): Buffer {
  const hex = /\/Contents ?<([0-9a-fA-F]+)>/.exec(signed.toString("latin1"))?.[1] ?? ""
  const padded = Buffer.from(hex, "hex")
  return padded.subarray(0, 4 + padded.readUInt16BE(2))
}

/** RFC 5652, 5.1: in place of the set of certificates, so many; by default the first of them under other serial numbers. */
function withCertificates(cms: Buffer, count: number, certificate?: Buffer): Buffer {
  // ContentInfo, [0], SignedData: each has a length of two octets. Then version, digests and content, of which none is long.
  let at = 4 + (2 + (cms[5] ?? 0)) + 4 + 4
  for (let i = 0; i < 3; i++) at += 2 + (cms[at + 1] ?? 0)
  const setLength = cms.readUInt16BE(at + 2)
  const first = cms.subarray(at + 4, at + 8 + cms.readUInt16BE(at + 6))
  const set = certificate
    ? Buffer.concat(Array<Buffer>(count).fill(certificate))
    : Buffer.concat(Array.from({ length: count }, (_, i) => withSerial(first, i)))
  const inner = Buffer.concat([
    cms.subarray(4 + (2 + (cms[5] ?? 0)) + 8, at),
    der(0xa0, set),
    cms.subarray(at + 4 + setLength),
  ])
  return der(0x30, Buffer.concat([cms.subarray(4, 4 + 2 + (cms[5] ?? 0)), der(0xa0, der(0x30, inner))]))
}

/** The serial number is the first integer of so many octets. */
function withSerial(certificate: Buffer, i: number): Buffer {
  const copy = Buffer.from(certificate)
  copy.writeUInt32BE(i, copy.indexOf(Buffer.from([0xa0, 3, 2, 1, 2, 2])) + 10)
  return copy
}

function der(tag: number, content: Buffer): Buffer {
  const header = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  header.writeUInt32BE(content.length, 2)
  return Buffer.concat([header, content])
}

/** Signed, and then its page shows something else; with `depth`, forms that each draw the next one ten times. */
async function changedPage(text: string, mediaBox: string, depth = 0): Promise<Uint8Array> {
  const forms = Array.from({ length: depth }, (_, i) => {
    const next = `/Resources << /XObject << /X ${7 + i} 0 R >> >>`
    const draws = i === depth - 1 ? "0 0 m 99 99 l S" : "q /X Do Q ".repeat(10)
    return stream(`/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${depth > i + 1 ? next : ""}`, draws)
  })
  const resources = depth > 0 ? "/XObject << /X 6 0 R >>" : ""
  const signed = await signedElsewhere(oddPdf({ mediaBox, resources, objects: forms }))
  const plain = signed.toString("latin1")
  const previous = Number([...plain.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1])
  const [root, size] = [/\/Root (\d+)/.exec(plain)?.[1], [...plain.matchAll(/\/Size (\d+)/g)].at(-1)?.[1]]
  const drawing = depth > 0 ? "/X Do" : `BT ${text} ET`
  const body = { number: 4, body: stream("", drawing) }
  const { bytes } = revisionOf([body], signed.length, previous, Number(size))
  if (root !== "1") throw new Error("The catalog is another object.")
  return Buffer.concat([signed, bytes])
}
