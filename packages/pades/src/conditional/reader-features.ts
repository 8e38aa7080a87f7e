// What a reader program does with a document in its own way (ISO 32000-2, 12.2, 12.3.5, 13): portfolios, areas for print, media
// that play after a click, PostScript that only some printers run, and watermarks with another place in print.

import type { Pdf } from "../structure/document.ts"
import type { PdfDict } from "../syntax/value.ts"
import type { Findings } from "./finding.ts"
import { readDict, readName } from "./read-value.ts"

const MEDIA = new Set(["Movie", "Sound", "3D", "RichMedia"])
/** Table 147: all of them are the crop box unless given. */
export const PAGE_AREAS: readonly string[] = ["ViewArea", "ViewClip", "PrintArea", "PrintClip"]

export function checkReaderFeatures(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const { entries } = dict
  const subtype = entries.has("Subtype") ? readName(pdf, dict, "Subtype") : undefined
  if (entries.has("Rect") && subtype !== undefined && MEDIA.has(subtype))
    findings.report("action", object, `A ${subtype} annotation shows other content after a click`)
  if (entries.has("FixedPrint"))
    findings.report("annotation-visibility", object, "A watermark has another place in print (/FixedPrint)")
  if (subtype === "PS" || (entries.has("PS") && readName(pdf, dict, "Subtype2") === "PS"))
    findings.report("image-alternates", object, "PostScript is run by some printers and not shown on screen")
  if (entries.has("Collection") && readDict(pdf, dict, "Collection") !== undefined)
    findings.report(
      "reader-dependent",
      object,
      "The PDF is a portfolio, so some readers show an embedded file instead of its pages",
    )
  const preferences = entries.has("ViewerPreferences") ? readDict(pdf, dict, "ViewerPreferences") : undefined
  const area =
    preferences && PAGE_AREAS.find((key) => (readName(pdf, preferences, key) ?? "CropBox") !== "CropBox")
  if (area !== undefined)
    findings.report("reader-dependent", object, `Screen and print show other parts of the pages (/${area})`)
}
