// PDFs of every make, small and made by us. Streams are not compressed, so that a mutation changes what they say.

import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { samplePdf, writeSample } from "@paraph/pades/sample"
import { NOW, sampleWorld } from "./sample-pki.ts"

export async function samplePdfs(): Promise<readonly Uint8Array[]> {
  return [...plainPdfs(), ...(await signedPdfs())]
}

export function plainPdfs(): readonly Uint8Array[] {
  return [samplePdf(), samplePdf({ pages: 3 }), withForm(), withTree(), withStreams(), hybrid()]
}

/** Each of the constructs that show something else in print, after a click or in another reader, in one document. */
export function conditionalPdfs(): readonly Uint8Array[] {
  const appearance =
    "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 9 9 re f \nendstream"
  return [
    ...plainPdfs(),
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /NeedAppearances true /Fields [5 0 R] >> /Names << /EmbeddedFiles << /Names [(a) 8 0 R] >> >> /OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [6 0 R] >>] >> >> >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
      "<< /Type /Page /Parent 2 0 R /Annots [5 0 R 7 0 R << /Subtype /Link /Rect [0 0 9 9] /A << /S /Hide /Next << /S /URI /URI (https://a.example) >> >> >>] /Resources << /XObject << /I 10 0 R >> >> >>",
      appearance,
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (price) /V (100) /F 4 /Rect [0 0 9 9] /AP << /N 4 0 R >> >>",
      "<< /Type /OCG /Name (a) /Intent /View /Usage << /Print << /PrintState /ON >> /Zoom << /min 1 >> >> >>",
      "<< /Type /Annot /Subtype /Stamp /F 292 /Rect [9 9 20 20] /AP << /N << /On 4 0 R >> /R 4 0 R >> /AS /On /OC 6 0 R >>",
      "<< /Type /Filespec /F (a.exe) /EF << /F 9 0 R >> >>",
      "<< /Type /EmbeddedFile /Length 2 >>\nstream\nMZ\nendstream",
      "<< /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Alternates [<< /Image 10 0 R >>] /Length 1 >>\nstream\n0\nendstream",
    ]),
  ]
}

/** Two fields to be signed, one of them inside of another, with a lock and a seed value; and one of text. */
export function withForm(): Uint8Array {
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 6 0 R 8 0 R] /SigFlags 1 /DA (/F1 0 Tf 0 g) >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] /Rotate 90 >>",
    "<< /Type /Page /Parent 2 0 R /CropBox [10 10 500 700] /UserUnit 2 /Annots [4 0 R 7 0 R 8 0 R] /Resources << >> >>",
    "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Sig1) /Rect [100 100 200 150] /P 3 0 R /F 4 /Lock 5 0 R >>",
    "<< /Type /SigFieldLock /Action /Include /Fields [(Text) (Group.Sig2)] >>",
    "<< /T (Group) /Kids [7 0 R] /FT /Sig /SV << /Type /SV /Ff 2 /SubFilter [/ETSI.CAdES.detached] /DigestMethod [/SHA512] >> >>",
    "<< /Type /Annot /Subtype /Widget /Parent 6 0 R /T <feff0053006900670032> /Rect [0 0 0 0] /P 3 0 R /F 132 >>",
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Text) /V (a \\(b\\) \\101) /Rect [1 1 50 20] /P 3 0 R /MK << >> >>",
  ])
}

/** Pages below pages, attributes inherited, names with escapes, numbers of all forms. */
function withTree(): Uint8Array {
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R /Names << /A#42C [1 -2. +.5 (x\\\n) <6f 6> null true] >> /Metadata 7 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 3 /MediaBox [-10 -10 200.5 300] >>",
    "<< /Type /Pages /Parent 2 0 R /Kids [4 0 R 5 0 R] /Count 2 /Rotate -90 /Resources << >> >>",
    "<< /Type /Page /Parent 3 0 R /Contents [8 0 R 8 0 R] >>",
    "<< /Type /Page /Parent 3 0 R /MediaBox [0 0 100 100] /Rotate 0 /Contents 8 0 R /Annots 9 0 R >>",
    "<< /Type /Page /Parent 2 0 R /CropBox [0 0 9999 9999] /Resources << /ExtGState << >> >> >>",
    "<< /Type /Metadata /Subtype /XML /Length 87 >>\nstream\n<x:xmpmeta xmlns:x='adobe:ns:meta/' xmlns:p='http://www.aiim.org/pdfa/ns/id/' p:part='2'/>\nendstream",
    "<< /Length 9 >>\nstream\nq 1 0 0 Q\nendstream",
    "[]",
  ])
}

/** 7.5.7 and 7.5.8: objects 1 to 3 lie in the object stream 4; object 5 is the cross-reference stream. */
export function withStreams(order: Partial<StreamOrder> = {}): Uint8Array {
  const { objects, count, first, objectDict, sectionDict, records } = { ...streamOrder(), ...order }
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")]
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  const stream = (number: number, dict: string, data: Uint8Array): number => {
    const at = length()
    parts.push(Buffer.from(`${number} 0 obj\n<< ${dict} /Length ${data.length} >>\nstream\n`, "latin1"), data)
    parts.push(Buffer.from("\nendstream\nendobj\n"))
    return at
  }
  const inside = stream(4, `/Type /ObjStm /N ${count} /First ${first} ${objectDict}`, objects)
  const at = length()
  stream(5, `/Type /XRef /Root 1 0 R ${sectionDict}`, records ?? section(inside, at))
  parts.push(Buffer.from(`startxref\n${at}\n%%EOF\n`))
  return new Uint8Array(Buffer.concat(parts))
}

export type StreamOrder = {
  readonly objects: Uint8Array
  readonly count: number
  readonly first: number
  readonly objectDict: string
  readonly sectionDict: string
  /** By default those that are right. */
  readonly records?: Uint8Array
}

export const PACKED = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>",
] as const

function streamOrder(): StreamOrder {
  let directory = ""
  let length = 0
  for (const [i, body] of PACKED.entries()) {
    directory += `${i + 1} ${length} `
    length += body.length + 1
  }
  const objects = Buffer.from(`${directory}${PACKED.join(" ")}`, "latin1")
  return { objects, count: 3, first: directory.length, objectDict: "", sectionDict: "/Size 6 /W [1 2 1]" }
}

export function section(inside: number, at: number): Uint8Array {
  const two = (value: number): readonly [number, number] => [value >> 8, value & 0xff]
  return Uint8Array.from([
    ...[0, 0, 0, 255],
    ...[0, 1, 2].flatMap((index) => [2, ...two(4), index]),
    ...[1, ...two(inside), 0, 1, ...two(at), 0],
  ])
}

/** 7.5.8.4: a table for old readers, and a stream beside it that says the same of an object that the table hides. */
function hybrid(): Uint8Array {
  const base = Buffer.from(samplePdf()).toString("latin1")
  const cut = base.lastIndexOf("xref\n0 ")
  const stream = `9 0 obj\n<< /Type /XRef /Size 10 /W [1 2 1] /Index [8 1] /Length 4 >>\nstream\n\x01\x00\x0f\x00\nendstream\nendobj\n`
  const text = base.slice(0, cut) + stream + base.slice(cut)
  const grown = text.replace(/\/Size \d+/, (size, at: number) =>
    at > cut ? `/Size 10 /XRefStm ${cut}` : size,
  )
  const tail = grown.slice(cut).replace("/Size 5", `/Size 10 /XRefStm ${cut}`)
  return new Uint8Array(
    Buffer.from(
      (grown.slice(0, cut) + tail).replace(/startxref\n\d+/, `startxref\n${cut + stream.length}`),
      "latin1",
    ),
  )
}

let signed: Promise<readonly Uint8Array[]> | undefined

/** One approval; two of them; a certification. */
export function signedPdfs(): Promise<readonly Uint8Array[]> {
  signed ??= (async () => {
    const once = await signPdf(samplePdf(), "First")
    const filled = await signPdf(withForm(), "Sig1")
    return [
      once,
      await signPdf(once, "Second"),
      filled,
      await signPdf(samplePdf(), "Certified", { certify: 2 }),
    ]
  })()
  return signed
}

export async function signPdf(
  base: Uint8Array,
  fieldName: string,
  options: { readonly certify?: 1 | 2 | 3 } = {},
): Promise<Uint8Array> {
  const { signer, root } = await sampleWorld()
  const prepared = prepare(base, {
    fieldName,
    certificate: signer.certificate.der,
    chain: [root.certificate.der],
    signedAt: NOW,
    signerName: "Zoë (Fuzz)",
    reason: "because",
    holeBytes: 3_000,
    ...options,
  })
  const value = await signer.signBytes(Buffer.from(prepared.signedAttributes, "base64"))
  return new Uint8Array(Buffer.concat([base, finish(prepared, value)]))
}
