// The document that is signed and then attacked: a loan agreement of two pages that has one of everything that an attack
// reaches for, each as an object of its own. Some objects are prepared by an attacker who wrote the document (the shadow
// attacks): they are in the file when it is signed, and nobody sees them.

import { deflateSync } from "node:zlib"

/** The numbers of its objects. */
export const N = {
  catalog: 1,
  pages: 2,
  page: 3,
  secondPage: 4,
  content: 5,
  secondContent: 6,
  font: 7,
  encoding: 8,
  drawnFont: 9,
  form: 10,
  glyphOne: 11,
  glyphNine: 12,
  widths: 13,
  amount: 14,
  agree: 15,
  name: 16,
  amountLook: 17,
  image: 18,
  logo: 19,
  profile: 20,
  colours: 21,
  shownLayer: 22,
  hiddenLayer: 23,
  agreeOn: 24,
  agreeOff: 25,
  cover: 26,
  coverLook: 27,
  link: 28,
  emptySignature: 29,
  toUnicode: 30,
  state: 31,
  shading: 32,
  shadingFunction: 33,
  preparedContent: 34,
  preparedPage: 35,
  preparedCatalog: 36,
  preparedPages: 37,
  structure: 38,
  paragraph: 39,
  metadata: 40,
  attachment: 41,
  attachedFile: 42,
  names: 43,
  outlines: 44,
  outline: 45,
  layers: 46,
  resources: 47,
  nameLook: 48,
  info: 49,
} as const

export const ref = (number: number): string => `${number} 0 R`

export const stream = (content: string, entries = ""): string =>
  `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`

export const text = (x: number, y: number, words: string, size = 11, font = "F1"): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${words}) Tj ET`

const box = (entries: string, width: number, height: number): string =>
  `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] /Resources ${ref(N.resources)} ${entries}`

/** What a field or an annotation shows. */
export const look = (content: string, width: number, height: number): string =>
  stream(content, box("", width, height))

/** The first page, with another amount if somebody wants one. */
export function pageContent(amount = "1000.00"): string {
  return [
    text(72, 770, "Loan agreement", 16),
    `/P << /MCID 0 >> BDC ${text(72, 730, `The lender pays CHF ${amount} to the borrower.`)} EMC`,
    text(72, 700, "19", 20, "F2"),
    `/OC /Shown BDC ${text(72, 670, "Interest: 2 per cent.")} EMC`,
    `/OC /Hidden BDC ${text(72, 670, "Interest: 29 per cent.")} EMC`,
    "q /Tint cs 0.3 scn 72 640 60 12 re f Q",
    "q 60 0 0 60 450 730 cm /Picture Do Q",
    "q 1 0 0 1 72 600 cm /Logo Do Q",
    "q 72 560 100 20 re W n /Shade sh Q",
    `q /Plain gs ${text(72, 530, "Guaranteed by the bank.")} Q`,
  ].join("\n")
}

const SECOND = [text(72, 770, "Terms"), text(72, 730, "A penalty of CHF 50000 is due.")].join("\n")

const PAGE = "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"

const field = (name: string, rect: string, entries: string): string =>
  `<< /Type /Annot /Subtype /Widget /F 4 /P ${ref(N.page)} /T (${name}) /Rect [${rect}] ${entries} >>`

/** By number. */
export function contractObjects(): ReadonlyMap<number, string> {
  return new Map<number, string>([...tree(), ...fonts(), ...fields(), ...drawn(), ...prepared(), ...rest()])
}

type Numbered = readonly [number, string]

const tree = (): Numbered[] => [
  [
    N.catalog,
    `<< /Type /Catalog /Pages ${ref(N.pages)} /AcroForm ${ref(N.form)} /OCProperties ${ref(N.layers)} /Names ${ref(N.names)} /Outlines ${ref(N.outlines)} /StructTreeRoot ${ref(N.structure)} /MarkInfo << /Marked true >> /Metadata ${ref(N.metadata)} /Lang (en) >>`,
  ],
  [N.pages, `<< /Type /Pages /Count 2 /Kids [${ref(N.page)} ${ref(N.secondPage)}] >>`],
  [
    N.page,
    `<< ${PAGE} /Contents ${ref(N.content)} /Resources ${ref(N.resources)} /StructParents 0 /Annots [${[N.amount, N.agree, N.name, N.link, N.emptySignature].map(ref).join(" ")}] >>`,
  ],
  [
    N.secondPage,
    `<< ${PAGE} /Contents ${ref(N.secondContent)} /Resources ${ref(N.resources)} /Annots [${ref(N.cover)}] >>`,
  ],
  [N.content, stream(pageContent())],
  [N.secondContent, stream(SECOND)],
  [
    N.resources,
    `<< /Font << /F1 ${ref(N.font)} /F2 ${ref(N.drawnFont)} >> /XObject << /Picture ${ref(N.image)} /Logo ${ref(N.logo)} >> /ColorSpace << /Tint ${ref(N.colours)} >> /Shading << /Shade ${ref(N.shading)} >> /ExtGState << /Plain ${ref(N.state)} >> /Properties << /Shown ${ref(N.shownLayer)} /Hidden ${ref(N.hiddenLayer)} >> >>`,
  ],
]

const fonts = (): Numbered[] => [
  [
    N.font,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 126 /Widths ${ref(N.widths)} /Encoding ${ref(N.encoding)} /ToUnicode ${ref(N.toUnicode)} >>`,
  ],
  [N.encoding, "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding >>"],
  [N.widths, `[${HELVETICA.join(" ")}]`],
  [N.toUnicode, stream(toUnicode("<30> <39> <0030>"))],
  [
    N.drawnFont,
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 49 /LastChar 57 /Widths [600 0 0 0 0 0 0 0 600] /CharProcs << /one ${ref(N.glyphOne)} /nine ${ref(N.glyphNine)} >> /Encoding << /Type /Encoding /Differences [49 /one 57 /nine] >> /Resources << >> >>`,
  ],
  [N.glyphOne, stream(GLYPH_ONE)],
  [N.glyphNine, stream(GLYPH_NINE)],
]

export const GLYPH_ONE = "600 0 0 0 600 700 d1 250 0 100 700 re f"
export const GLYPH_NINE = "600 0 0 0 600 700 d1 100 300 400 400 re f 400 0 100 300 re f"

export const toUnicode = (range: string): string =>
  `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange ${range} endbfrange endcmap end end`

const fields = (): Numbered[] => [
  [
    N.form,
    `<< /Fields [${[N.amount, N.agree, N.name, N.emptySignature].map(ref).join(" ")}] /DA (/F1 11 Tf 0 g) /DR << /Font << /F1 ${ref(N.font)} >> >> >>`,
  ],
  [
    N.amount,
    field(
      "amount",
      "72 480 200 500",
      `/FT /Tx /V (1000) /DA (/F1 11 Tf 0 g) /AP << /N ${ref(N.amountLook)} >>`,
    ),
  ],
  [N.amountLook, look("/Tx BMC BT /F1 11 Tf 2 5 Td (1000) Tj ET EMC", 128, 20)],
  [
    N.agree,
    field(
      "agree",
      "72 450 86 464",
      `/FT /Btn /V /Off /AS /Off /AP << /N << /Yes ${ref(N.agreeOn)} /Off ${ref(N.agreeOff)} >> >>`,
    ),
  ],
  [N.agreeOn, look("0 0 14 14 re S 2 2 m 12 12 l S 2 12 m 12 2 l S", 14, 14)],
  [N.agreeOff, look("0 0 14 14 re S", 14, 14)],
  [N.name, field("name", "72 410 300 430", `/FT /Tx /DA (/F1 11 Tf 0 g) /AP << /N ${ref(N.nameLook)} >>`)],
  [N.nameLook, look("/Tx BMC EMC", 228, 20)],
  [N.emptySignature, field("later", "320 100 520 160", "/FT /Sig")],
]

/** Eight by eight greys. */
export const imageBytes = (dark: number): string =>
  String.fromCharCode(...Array.from({ length: 64 }, (_, i) => (i % 9 === 0 ? dark : 220)))

export const image = (pixels: string, entries = ""): string =>
  stream(
    pixels,
    `/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`,
  )

const drawn = (): Numbered[] => [
  [N.image, image(imageBytes(0))],
  [N.logo, look(text(0, 5, "Total: CHF 1000.00"), 200, 20)],
  // Not a profile that anybody could use: readers take the colour space that stands in for it.
  [N.profile, stream("no profile", "/N 1 /Alternate /DeviceGray")],
  [N.colours, `[/ICCBased ${ref(N.profile)}]`],
  [N.state, "<< /Type /ExtGState /ca 1 >>"],
  [
    N.shading,
    `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [72 0 172 0] /Function ${ref(N.shadingFunction)} /Extend [true true] >>`,
  ],
  [N.shadingFunction, "<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 0 0] /C1 [0 0 1] >>"],
  [N.shownLayer, "<< /Type /OCG /Name (Shown) >>"],
  [N.hiddenLayer, "<< /Type /OCG /Name (Hidden) >>"],
  [
    N.layers,
    `<< /OCGs [${ref(N.shownLayer)} ${ref(N.hiddenLayer)}] /D << /ON [${ref(N.shownLayer)}] /OFF [${ref(N.hiddenLayer)}] >> >>`,
  ],
]

const prepared = (): Numbered[] => [
  // It lies over the penalty, as if there were none.
  [
    N.cover,
    `<< /Type /Annot /Subtype /Stamp /F 4 /P ${ref(N.secondPage)} /Rect [60 720 400 745] /AP << /N ${ref(N.coverLook)} >> >>`,
  ],
  [N.coverLook, look(`1 g 0 0 340 25 re f 0 g ${text(12, 10, "No penalty is due.")}`, 340, 25)],
  [N.preparedContent, stream(pageContent("9999.00"))],
  [
    N.preparedPage,
    `<< ${PAGE} /Contents ${ref(N.preparedContent)} /Resources ${ref(N.resources)} /Annots [${[N.amount, N.agree, N.name, N.link, N.emptySignature].map(ref).join(" ")}] >>`,
  ],
  [
    N.preparedCatalog,
    `<< /Type /Catalog /Pages ${ref(N.preparedPages)} /AcroForm ${ref(N.form)} /OCProperties ${ref(N.layers)} >>`,
  ],
  [N.preparedPages, `<< /Type /Pages /Count 2 /Kids [${ref(N.preparedPage)} ${ref(N.secondPage)}] >>`],
]

const rest = (): Numbered[] => [
  [
    N.link,
    `<< /Type /Annot /Subtype /Link /Rect [72 380 200 395] /Border [0 0 0] /A << /S /URI /URI (https://bank.example/) >> >>`,
  ],
  [
    N.structure,
    `<< /Type /StructTreeRoot /K ${ref(N.paragraph)} /ParentTree << /Nums [0 [${ref(N.paragraph)}]] >> >>`,
  ],
  [N.paragraph, `<< /Type /StructElem /S /P /P ${ref(N.structure)} /Pg ${ref(N.page)} /K 0 >>`],
  [N.metadata, stream('<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>', "/Type /Metadata /Subtype /XML")],
  [N.attachment, `<< /Type /Filespec /F (terms.txt) /UF (terms.txt) /EF << /F ${ref(N.attachedFile)} >> >>`],
  [N.attachedFile, stream("The terms.", "/Type /EmbeddedFile")],
  [N.names, `<< /EmbeddedFiles << /Names [(terms.txt) ${ref(N.attachment)}] >> >>`],
  [N.outlines, `<< /Type /Outlines /First ${ref(N.outline)} /Last ${ref(N.outline)} /Count 1 >>`],
  [N.outline, `<< /Title (Amount) /Parent ${ref(N.outlines)} /Dest [${ref(N.page)} /Fit] >>`],
  [N.info, "<< /Title (Loan agreement) /Producer (Somebody) >>"],
]

/** A second version of an object in the same file, which no cross-reference names: for whoever points at it later. */
export const HIDDEN_TWINS: readonly Numbered[] = [
  [N.content, stream(pageContent("8888.00"))],
  [N.logo, look(text(0, 5, "Total: CHF 8888.00"), 200, 20)],
  [N.font, "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>"],
]

// Of the space to the tilde.
const HELVETICA = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]

export const packed = (content: string): Buffer => deflateSync(Buffer.from(content, "latin1"))
