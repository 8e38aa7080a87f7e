// Files inside a PDF (ISO 32000-2, 7.11.4) that a computer would run. Data such as the XML of an invoice (PDF/A-3) stays allowed.

import { PdfRefused } from "../refused.ts"
import { type Pdf, readStream } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { type Findings, quoted } from "./finding.ts"
import { readDict, readText } from "./read-value.ts"

/** Programs, scripts, shortcuts, installers, and Office files with macros, as operating systems start them by their name. */
const EXTENSIONS = new Set(
  (
    "exe dll com scr pif cpl sys drv ocx msi msp mst msix appx bat cmd ps1 psm1 psd1 vbs vbe vb js jse mjs ws wsf wsh wsc sct hta " +
    "lnk url scf inf reg chm jar jnlp class apk ipa deb rpm dmg pkg app command workflow terminal sh bash zsh csh ksh fish run bin elf so " +
    "dylib desktop appimage py pyc pyw rb pl php lua swf xll xlam xla dotm docm xlsm xltm pptm potm ppam ppsm sldm iso img vhd vhdx " +
    "one application gadget msc settingcontent-ms library-ms search-ms website"
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

/** What is decoded of one embedded file in order to see its first bytes. */
const MAX_DECODED_BYTES = 100_000_000

export function checkFileSpecification(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  if (!dict.entries.has("EF")) return
  const names = ["UF", "F", "DOS", "Mac", "Unix"].flatMap((key) => readText(pdf, dict, key) ?? [])
  const executable = names.find((name) => EXTENSIONS.has(extensionOf(name)))
  if (executable !== undefined) {
    findings.report(
      "embedded-executable",
      object,
      `The embedded file ${quoted(executable)} is a program or can run one`,
    )
    return
  }
  const files = readDict(pdf, dict, "EF")
  if (files === undefined) return
  const name = quoted(names[0] ?? "")
  for (const { value } of files.entries.values()) {
    const start = firstBytes(pdf, value)
    if (start === undefined)
      findings.report("embedded-executable", object, `The embedded file ${name} cannot be read`)
    else if (MAGIC.some((magic) => start.startsWith(magic)))
      findings.report("embedded-executable", object, `The embedded file ${name} is a program by its content`)
  }
}

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
    return Buffer.from(bytes.subarray(0, 16)).toString("hex")
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return undefined
    throw error
  }
}
