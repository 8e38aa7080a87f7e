// A contract with all that a later revision could touch, signed by hand: two pages with a font and a picture, a form,
// a comment, metadata. For tests of what happened after a signature; nothing here shares code with the writer.

import { type Differences, findDifferences } from "../differences/differences.ts"
import { writeSample } from "../sample.ts"
import { readSignatures } from "../signed/signatures.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { appendRevision, type ByHand } from "./by-hand.ts"

export type Edit = readonly [number: number, body: string]

const stream = (dict: string, data: string) =>
  `<< ${dict} /Length ${data.length} >>\nstream\n${data}\nendstream`
const form = (data: string) => stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20]", data)
const xmp = (properties: string) =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
export const metadata = (properties: string) => stream("/Type /Metadata /Subtype /XML", xmp(properties))

export const OBJECTS = {
  catalog: 1,
  pages: 2,
  page: 3,
  secondPage: 4,
  content: 5,
  resources: 6,
  secondContent: 7,
  font: 8,
  image: 9,
  information: 10,
  metadata: 11,
  outline: 12,
  acroForm: 13,
  text: 14,
  checkBox: 15,
  waiting: 16,
  signed: 17,
  button: 18,
  textLook: 19,
  yes: 20,
  off: 21,
  comment: 22,
  buttonLook: 23,
  /** The second page has it as an object of its own. */
  annots: 24,
  choice: 25,
  choiceLook: 26,
  structure: 27,
  element: 28,
  signature: 29,
  names: 30,
} as const

/** The first number that nothing uses. Nothing is at 40, but the second page refers to it. */
export const FREE = 31
export const DANGLING = 40

export type ContractOptions = {
  /** What the signature says in /Reference, and the catalog of it. */
  readonly docMdp?: 1 | 2 | 3
  /** TransformParams of a FieldMDP transform. */
  readonly fieldMdp?: string
  /** /Lock of the field that is signed. */
  readonly lock?: string
  /** Further entries of each signature reference, such as /Data. */
  readonly data?: string
  /** Other objects than those of `bodies`, or more of them, in the revision that is signed. */
  readonly objects?: readonly Edit[]
}

/** What each object is when the contract is signed. */
export function bodies({ docMdp, lock }: ContractOptions = {}): Record<keyof typeof OBJECTS, string> {
  const certified = docMdp === undefined ? "" : "/Perms << /DocMDP 29 0 R >>"
  return {
    catalog: `<< /Type /Catalog /Pages 2 0 R /AcroForm 13 0 R /Metadata 11 0 R /Outlines 12 0 R /StructTreeRoot 27 0 R /Names 30 0 R ${certified} >>`,
    pages: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 595 842] >>",
    page: "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources 6 0 R /StructParents 0 /Annots [14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 22 0 R 25 0 R] >>",
    secondPage:
      "<< /Type /Page /Parent 2 0 R /Contents 7 0 R /Resources << /XObject << /Later 40 0 R >> >> /Annots 24 0 R >>",
    content: stream("", "BT /F1 24 Tf 72 720 Td (A contract) Tj ET /Im1 Do"),
    resources: "<< /Font << /F1 8 0 R >> /XObject << /Im1 9 0 R >> >>",
    secondContent: stream("", "/Later Do"),
    font: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    image: stream(
      "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
      "x",
    ),
    information: "<< /Title (A contract) /ModDate (D:20261105102030Z) /Producer (Somebody) >>",
    metadata: metadata("<xmp:ModifyDate>2026-11-05</xmp:ModifyDate><pdfaid:part>2</pdfaid:part>"),
    outline: "<< /Title (The contract) /Dest [3 0 R /Fit] >>",
    acroForm:
      "<< /Fields [14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 25 0 R] /SigFlags 3 /DA (/F1 0 Tf) /DR << /Font << /F1 8 0 R >> >> >>",
    text: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [10 10 110 30] /P 3 0 R /AP << /N 19 0 R >> >>",
    checkBox:
      "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /Off /AS /Off /Rect [10 40 30 60] /AP << /N << /Yes 20 0 R /Off 21 0 R >> >> >>",
    waiting: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (waiting) /Rect [10 70 110 90] /F 4 /P 3 0 R >>",
    signed: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (signed) /Rect [0 0 0 0] /V 29 0 R ${lock === undefined ? "" : `/Lock << ${lock} >>`} >>`,
    button:
      "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (logo) /Rect [10 100 110 120] /AP << /N 23 0 R >> >>",
    textLook: form("(Ada) Tj"),
    yes: form("(x) Tj"),
    off: form(""),
    comment: "<< /Type /Annot /Subtype /Text /Contents (A remark) /Rect [200 200 220 220] >>",
    buttonLook: form("(Logo) Tj"),
    annots: "[]",
    choice:
      "<< /Type /Annot /Subtype /Widget /FT /Ch /T (country) /V (CH) /Opt [(CH) (AT)] /Rect [10 130 110 150] /AP << /N 26 0 R >> >>",
    choiceLook: form("(CH) Tj"),
    structure:
      "<< /Type /StructTreeRoot /K [28 0 R] /ParentTree << /Nums [0 [28 0 R]] >> /ParentTreeNextKey 1 >>",
    element: "<< /Type /StructElem /S /P /P 27 0 R /Pg 3 0 R /K [0] >>",
    signature: "",
    names: "<< /Dests << /Names [(chapter) [3 0 R /XYZ 0 0 0]] >> >>",
  }
}

const ROOM = "/ByteRange [0 0000000000 0000000000 0000000000]"

/** The dictionary of a signature whose range is filled in by `appendSigned`. */
export function signatureDict(more = "", contents = "300406022a03000000"): string {
  return `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ${ROOM} /Contents <${contents}> ${more} >>`
}

export const TIMESTAMP = `<< /Type /DocTimeStamp /SubFilter /ETSI.RFC3161 ${ROOM} /Contents <300406022a03000000> >>`

/** A revision with a signature that covers all of it. */
export function appendSigned(base: Uint8Array, revision: ByHand): Buffer {
  const file = appendRevision(base, { trailer: INFORMATION, ...revision })
  const place = file.lastIndexOf(ROOM)
  const start = file.indexOf("/Contents <", place) + "/Contents ".length
  const end = file.indexOf(">", start) + 1
  file.write(`/ByteRange [0 ${start} ${end} ${file.length - end}`.padEnd(ROOM.length - 1), place, "latin1")
  return file
}

const INFORMATION = "/Info 10 0 R"
const SIZE = 60

export function contract(options: ContractOptions = {}): Buffer {
  const all = bodies(options)
  const unsigned = Object.values({
    ...all,
    catalog: bodies().catalog,
    signed: all.signed.replace("/V 29 0 R", ""),
    signature: "null",
  })
  const { docMdp, fieldMdp, data = "", objects = [] } = options
  const transforms = [
    docMdp === undefined ? "" : `<< /TransformMethod /DocMDP /TransformParams << /P ${docMdp} >> ${data} >>`,
    fieldMdp === undefined
      ? ""
      : `<< /TransformMethod /FieldMDP /TransformParams << ${fieldMdp} >> ${data} >>`,
  ]
  return appendSigned(writeSample(unsigned, INFORMATION), {
    objects: [
      [OBJECTS.catalog, all.catalog],
      [OBJECTS.signed, all.signed],
      [OBJECTS.signature, signatureDict(`/Reference [${transforms.join(" ")}]`)],
      ...objects,
    ],
    size: SIZE,
  })
}

/** One more revision. */
export function change(base: Uint8Array, objects: readonly Edit[], more: Partial<ByHand> = {}): Buffer {
  return appendRevision(base, { objects, size: SIZE, trailer: INFORMATION, ...more })
}

export function signAgain(base: Uint8Array, objects: readonly Edit[]): Buffer {
  return appendSigned(base, { objects, size: SIZE })
}

export function differencesIn(file: Uint8Array, field = "signed"): Differences {
  const pdf = openPdf(bytesSource(file))
  const found = findDifferences(pdf, readSignatures(pdf)).get(field)
  if (found === undefined) throw new Error(`Nobody has signed ${field}.`)
  return found
}

export function undefinedIn(file: Uint8Array, field?: string): readonly string[] {
  return differencesIn(file, field).changes.flatMap((one) => (one.undefined ? one.path : []))
}
