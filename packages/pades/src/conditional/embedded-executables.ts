// Files inside a PDF (ISO 32000-2, 7.11.4) that a computer would run. Data such as the XML of an invoice (PDF/A-3) stays allowed.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readStream } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { isArray, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"
import { type Findings, quoted } from "./finding.ts"
import { readDict, readText, readValue } from "./read-value.ts"

/** Programs, scripts, shortcuts, installers, and Office files with macros, as operating systems start them by their name. */
const EXTENSIONS = new Set(
  (
    "exe dll com scr pif cpl sys drv ocx msi msp mst msix appx bat cmd ps1 psm1 psd1 vbs vbe vb js jse mjs ws wsf wsh wsc sct hta " +
    "lnk url scf inf reg chm jar jnlp class apk ipa deb rpm dmg pkg app command workflow terminal sh bash zsh csh ksh fish run bin elf so " +
    "dylib desktop appimage py pyc pyw rb pl php lua swf xll xlam xla dotm docm xlsm xltm pptm potm ppam ppsm sldm iso img vhd vhdx " +
    "one application gadget msc settingcontent-ms library-ms search-ms website " +
    "html htm xhtml shtml mht mhtml svg rdp appref-ms diagcab iqy slk msixbundle appxbundle appinstaller webloc inetloc fileloc " +
    "mobileconfig xlsb accde accdb mde mdb ps1xml theme themepack crx xpi"
  ).split(" "),
)

/** The first bytes of programs: Windows, Linux, macOS in both byte orders and both widths, Java and macOS bundles, scripts, shortcuts. */
const MAGIC = [
  "4d5a",
  "7f454c46",
  "feedface",
  "feedfacf",
  "cefaedfe",
  "cffaedfe",
  "cafebabe",
  "2321",
  "4c00000001140200",
]

const BYTE_ORDER_MARK = "efbbbf"

/** What is decoded of one embedded file in order to see its first bytes. */
const MAX_DECODED_BYTES = 100_000_000

export function checkFileSpecification(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  if (!dict.entries.has("EF")) return
  const related = relatedFiles(pdf, dict)
  const names = [...namesIn(pdf, dict), ...related.flatMap(({ name }) => name)]
  const executable = names.find(isProgram)
  if (executable !== undefined) {
    findings.report(
      "embedded-executable",
      object,
      `The embedded file ${quoted(executable)} is a program or can run one`,
    )
    return
  }
  const files = readDict(pdf, dict, "EF")
  const name = quoted(names[0] ?? "")
  const contents = [
    ...[...(files?.entries.values() ?? [])].map(({ value }) => value),
    ...related.map(({ content }) => content),
  ]
  for (const value of contents) {
    const start = firstBytes(pdf, value)
    if (start === undefined)
      findings.report("embedded-executable", object, `The embedded file ${name} cannot be read`)
    else if (MAGIC.some((magic) => start.startsWith(magic)))
      findings.report("embedded-executable", object, `The embedded file ${name} is a program by its content`)
  }
}

/** 7.11.3; a name may also stand in a dictionary of platforms, as PDF 1.1 had them. */
function namesIn(pdf: Pdf, dict: PdfDict): readonly string[] {
  return NAME_KEYS.flatMap((key) => {
    const text = readText(pdf, dict, key)
    const nested = text === undefined ? readDict(pdf, dict, key) : undefined
    if (nested !== undefined) return NAME_KEYS.flatMap((inner) => readText(pdf, nested, inner) ?? [])
    return text ?? []
  })
}

const NAME_KEYS = ["UF", "F", "DOS", "Mac", "Unix"] as const

/** 7.11.4.3: arrays of names and streams. */
function relatedFiles(pdf: Pdf, dict: PdfDict): readonly { name: string | readonly []; content: PdfValue }[] {
  const arrays = dict.entries.has("RF") ? readDict(pdf, dict, "RF") : undefined
  return [...(arrays?.entries.values() ?? [])].flatMap(({ value }) => {
    const list = readValue(pdf, value)
    if (!isArray(list)) return []
    return list.items.flatMap((item, index) => {
      const name = readValue(pdf, list.items[index - 1] ?? null)
      return index % 2 === 0
        ? []
        : { name: typeof name === "object" && name?.type === "string" ? textOf(name) : [], content: item }
    })
  })
}

/** As an operating system starts it by its name. */
export const isProgram = (name: string): boolean =>
  // C programs end a name at the first zero.
  [name, ...name.split("\0", 1)].some((one) => EXTENSIONS.has(extensionOf(one)))

/** Windows ignores dots and spaces at the end of a name, and a right-to-left mark hides the real end. */
function extensionOf(name: string): string {
  const plain = name.replace(/\p{Cf}/gu, "").replace(/[.\s\0]+$/u, "")
  return plain.slice(plain.lastIndexOf(".") + 1).toLowerCase()
}

/** Hexadecimal; empty for an empty file and for one that is not there. */
function firstBytes(pdf: Pdf, value: PdfValue): string | undefined {
  if (!isRef(value)) return ""
  try {
    const bytes = readStream(pdf, value, MAX_DECODED_BYTES)?.bytes ?? new Uint8Array()
    const start = Buffer.from(bytes.subarray(0, 16)).toString("hex")
    return start.startsWith(BYTE_ORDER_MARK) ? start.slice(BYTE_ORDER_MARK.length) : start
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return undefined
    throw error
  }
}
