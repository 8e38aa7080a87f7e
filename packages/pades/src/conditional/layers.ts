// Optional content (ISO 32000-2, 8.11). A layer with one state everywhere is accepted, as CAD and layout programs write it; one
// whose state depends on screen, print, export, zoom, language or user is not.

import type { Pdf } from "../structure/document.ts"
import { isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { type Findings, NO_OBJECT, quoted } from "./finding.ts"
import { nameIn, readDict, readEntry, readItems, readName, readText, readValue } from "./read-value.ts"

const MAX_LAYERS = 10_000

export function checkLayers(pdf: Pdf, findings: Findings): void {
  const properties = readDict(pdf, pdf.catalog, "OCProperties")
  if (properties === undefined) return
  const groups = readItems(pdf, properties, "OCGs").slice(0, MAX_LAYERS + 1)
  if (groups.length > MAX_LAYERS)
    findings.report("layer-visibility", NO_OBJECT, `The PDF has more than ${MAX_LAYERS} layers`)
  const config = readDict(pdf, properties, "D")
  const isOn = defaultState(pdf, config)
  const automatic = config === undefined ? [] : readItems(pdf, config, "AS")
  for (const group of groups) {
    const dict = readValue(pdf, group)
    if (!isDict(dict)) continue
    const number = isRef(group) ? group.number : NO_OBJECT
    const reason = conditionOf(pdf, dict, isOn(number), automatic)
    if (reason === undefined) continue
    const name = quoted(readText(pdf, dict, "Name") ?? "")
    findings.report("layer-visibility", number, `The layer ${name} ${reason}`)
  }
}

/** Every layer, and whether print shows it. */
export function printedLayers(pdf: Pdf): ReadonlyMap<number, boolean> {
  const properties = readDict(pdf, pdf.catalog, "OCProperties")
  if (properties === undefined) return new Map()
  const isOn = defaultState(pdf, readDict(pdf, properties, "D"))
  const groups = readItems(pdf, properties, "OCGs").slice(0, MAX_LAYERS)
  return new Map(
    groups.filter(isRef).map((group) => {
      const dict = readValue(pdf, group)
      const usage = isDict(dict) ? readDict(pdf, dict, "Usage") : undefined
      const print = usage && readDict(pdf, usage, "Print")
      const state = print && readName(pdf, print, "PrintState")
      return [group.number, state === undefined ? isOn(group.number) : state !== "OFF"]
    }),
  )
}

/** 8.11.4.3, table 99: BaseState, then ON, then OFF. Unchanged is the state of the other configurations, which is ON. */
function defaultState(pdf: Pdf, config: PdfDict | undefined): (group: number) => boolean {
  if (config === undefined) return () => true
  const numbers = (key: string) =>
    new Set(readItems(pdf, config, key).flatMap((item) => (isRef(item) ? item.number : [])))
  const [on, off] = [numbers("ON"), numbers("OFF")]
  const base = readName(pdf, config, "BaseState") !== "OFF"
  return (group) => (off.has(group) ? false : on.has(group) ? true : base)
}

/** 8.11.4.4, table 100: the usages that name a state, and the key of it. */
const STATES = [
  ["View", "ViewState", "on screen"],
  ["Print", "PrintState", "in print"],
  ["Export", "ExportState", "when exported"],
] as const

/**
 * Readers differ on usage dictionaries that no /AS refers to: ISO 32000 ignores them, and PDFium applies them. So they count
 * wherever they stand.
 */
function conditionOf(
  pdf: Pdf,
  group: PdfDict,
  isOn: boolean,
  automatic: readonly PdfValue[],
): string | undefined {
  if (!isForView(pdf, group)) return isOn ? undefined : "is off, and not for viewing (/Intent)"
  const usage = readDict(pdf, group, "Usage")
  if (usage === undefined) return undefined
  const zoom = readDict(pdf, usage, "Zoom")
  if (zoom !== undefined && isLimiting(pdf, zoom)) return "is shown at some zoom levels only"
  for (const [category, key, where] of STATES) {
    const state = readDict(pdf, usage, category)
    const name = state && readName(pdf, state, key)
    if (name !== undefined && (name !== "OFF") !== isOn)
      return `is ${isOn ? "shown" : "hidden"} by default and ${isOn ? "hidden" : "shown"} ${where}`
  }
  const dependent = ["Language", "User"].find(
    (category) => usage.entries.has(category) && isAutomatic(pdf, automatic, category),
  )
  return dependent && `depends on the ${dependent.toLowerCase()} of the reader`
}

/** Table 96: View unless given. */
function isForView(pdf: Pdf, group: PdfDict): boolean {
  const intents = readItems(pdf, group, "Intent").map((item) => nameIn(readValue(pdf, item)))
  return intents.length === 0 || intents.some((intent) => intent === "View" || intent === "All")
}

function isLimiting(pdf: Pdf, zoom: PdfDict): boolean {
  const [least, most] = [readEntry(pdf, zoom, "min"), readEntry(pdf, zoom, "max")]
  return (typeof least === "number" && least > 0) || (typeof most === "number" && Number.isFinite(most))
}

function isAutomatic(pdf: Pdf, automatic: readonly PdfValue[], category: string): boolean {
  return automatic.some((item) => {
    const application = readValue(pdf, item)
    return (
      isDict(application) &&
      readItems(pdf, application, "Category").some((name) => nameIn(readValue(pdf, name)) === category)
    )
  })
}
