// Optional content (ISO 32000-2, 8.11). A layer with one state everywhere is accepted, as CAD and layout programs write it; one
// whose state depends on screen, print, export, zoom, language or user is not.

import type { Pdf } from "../structure/document.ts"
import { entry, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { type Findings, NO_OBJECT, quoted } from "./finding.ts"
import { nameIn, readDict, readEntry, readItems, readName, readText, readValue } from "./read-value.ts"

const MAX_LAYERS = 10_000

/** One use of a layer, to be well formed (8.11.2, 8.11.3). */
export type LayerUse = {
  readonly object: number
  readonly value: PdfValue
  readonly by: "annotation" | "content" | "xobject"
}

/** What the content streams say of layers. */
export type ContentLayers = {
  /** Layers that content names, with `/OC /Name BDC`. */
  readonly layerUses: readonly LayerUse[]
  /** Streams with marked content that does not end where it begins. */
  readonly unbalanced: readonly { readonly object: number; readonly what: string }[]
}

/** Layers that the pages use, whether or not /OCProperties lists them: PDFium applies the usage of any. */
export type UsedLayers = {
  /** An object uses optional content, or may. */
  isUsed: boolean
  /** Each once, with the object that it stands in. */
  readonly byNumber: Map<number, PdfValue>
  readonly direct: { readonly object: number; readonly dict: PdfDict }[]
  readonly uses: LayerUse[]
  /** Lists of layers that were read: many objects may share one. */
  readonly lists: Set<number>
}

export const noUsedLayers = (): UsedLayers => ({
  isUsed: false,
  byNumber: new Map(),
  direct: [],
  uses: [],
  lists: new Set(),
})

/**
 * 8.11.3: marked content names a layer by /Properties of the resources, the others by /OC. A layer without a /Type counts,
 * because PDFium takes it for one.
 */
export function noteLayers(pdf: Pdf, used: UsedLayers, object: number, dict: PdfDict): void {
  const { entries } = dict
  if (entries.has("OC")) {
    note(used, object, entry(dict, "OC"))
    if (used.uses.length <= MAX_LAYERS)
      used.uses.push({ object, value: entry(dict, "OC"), by: entries.has("Rect") ? "annotation" : "xobject" })
  }
  const properties = entries.has("Properties") && isNew(used, entry(dict, "Properties"))
  const named = properties ? readEntry(pdf, dict, "Properties") : null
  if (isDict(named)) for (const { value } of named.entries.values()) note(used, object, value)
  const type = entries.has("Type") ? readName(pdf, dict, "Type") : undefined
  if (type === "OCG" || type === "OCMD") used.isUsed = true
  if (type === "OCMD" && isNew(used, entry(dict, "OCGs")))
    for (const group of readItems(pdf, dict, "OCGs")) note(used, object, group)
}

function isNew({ lists }: UsedLayers, value: PdfValue): boolean {
  if (!isRef(value)) return true
  const known = lists.has(value.number)
  lists.add(value.number)
  return !known
}

function note(used: UsedLayers, object: number, value: PdfValue): void {
  used.isUsed = true
  if (used.byNumber.size + used.direct.length > MAX_LAYERS) return
  if (isRef(value)) used.byNumber.set(value.number, value)
  else if (isDict(value)) used.direct.push({ object, dict: value })
}

export function checkLayers(pdf: Pdf, findings: Findings, used: UsedLayers, contents: ContentLayers): void {
  const properties = readDict(pdf, pdf.catalog, "OCProperties")
  const listed = properties === undefined ? [] : readItems(pdf, properties, "OCGs").slice(0, MAX_LAYERS + 1)
  const config = properties && readDict(pdf, properties, "D")
  const isOn = defaultState(pdf, config)
  const automatic = config === undefined ? [] : readItems(pdf, config, "AS")
  const known = new Set(listed.flatMap((group) => (isRef(group) ? group.number : [])))
  const others = [...used.byNumber.values()].filter((group) => isRef(group) && !known.has(group.number))
  if (listed.length > MAX_LAYERS || used.byNumber.size + used.direct.length > MAX_LAYERS)
    findings.report("layer-visibility", NO_OBJECT, `The PDF has more than ${MAX_LAYERS} layers`)
  const check = (number: number, dict: PdfDict, state: boolean): void => {
    const reason = conditionOf(pdf, dict, state, automatic)
    if (reason === undefined) return
    const name = quoted(readText(pdf, dict, "Name") ?? "")
    findings.report("layer-visibility", number, `The layer ${name} ${reason}`)
  }
  for (const group of [...listed, ...others]) {
    const dict = readValue(pdf, group)
    const number = isRef(group) ? group.number : NO_OBJECT
    if (isDict(dict)) check(number, dict, isOn(number))
  }
  for (const { object, dict } of used.direct) check(object, dict, isOn(NO_OBJECT))
  checkUses(pdf, findings, [...used.uses, ...contents.layerUses], isOn)
  if (contents.layerUses.length === 0) return
  for (const { object, what } of contents.unbalanced)
    findings.report(
      "layer-visibility",
      object,
      `${what} does not end marked content where it begins it, so readers hide different parts`,
    )
}

/** 8.11.3.3: what is malformed is shown by some readers and hidden by others. */
function checkUses(
  pdf: Pdf,
  findings: Findings,
  uses: readonly LayerUse[],
  isOn: (group: number) => boolean,
): void {
  const known = new Map<number, boolean | string>()
  for (const { object, value, by } of uses) {
    const before = isRef(value) ? known.get(value.number) : undefined
    const state = before ?? stateOf(pdf, value, isOn)
    if (isRef(value)) known.set(value.number, state)
    if (typeof state === "string") findings.report("layer-visibility", object, `A layer is used ${state}`)
    else if (by === "annotation" && !state)
      findings.report(
        "layer-visibility",
        object,
        "An annotation belongs to a hidden layer, and some readers show it all the same",
      )
  }
}

/** Whether the content of a layer or a membership dictionary is shown, or why readers differ. */
function stateOf(pdf: Pdf, value: PdfValue, isOn: (group: number) => boolean): boolean | string {
  const dict = readValue(pdf, value)
  if (!isDict(dict)) return "that the document does not have"
  const type = readName(pdf, dict, "Type")
  if (type === "OCG") return isRef(value) ? groupState(pdf, value, isOn) : "that is not an object of its own"
  return type === "OCMD" ? membershipState(pdf, dict, isOn) : "that has no type"
}

function groupState(pdf: Pdf, value: PdfValue, isOn: (group: number) => boolean): boolean | string {
  const dict = readValue(pdf, value)
  if (!isRef(value) || !isDict(dict) || readName(pdf, dict, "Type") !== "OCG")
    return "in a way that is no list of layers"
  const intents = readItems(pdf, dict, "Intent")
  const areNames = intents.every((intent) => nameIn(readValue(pdf, intent)) !== undefined)
  if (dict.entries.has("Intent") && (intents.length === 0 || !areNames)) return "that has no intent"
  return isOn(value.number)
}

/**
 * 8.11.2.2, table 97. Readers agree only on lists of layers that all have the same state: some know neither expressions (/VE) nor
 * the policies for mixed states.
 */
function membershipState(pdf: Pdf, dict: PdfDict, isOn: (group: number) => boolean): boolean | string {
  if (dict.entries.has("VE")) return "by an expression (/VE), which not all readers evaluate"
  const policy = readName(pdf, dict, "P") ?? "AnyOn"
  if (!POLICIES.has(policy) || (dict.entries.has("P") && readName(pdf, dict, "P") === undefined))
    return "with an unknown policy (/P)"
  const states = readItems(pdf, dict, "OCGs")
    .slice(0, MAX_LAYERS)
    .map((group) => groupState(pdf, group, isOn))
  const wrong = states.find((state) => typeof state === "string")
  if (typeof wrong === "string") return wrong
  if (states.length === 0) return true
  const [all, any] = [!states.includes(false), states.includes(true)]
  if (all !== any || policy === "AnyOff" || policy === "AllOff")
    return "together with others in a way that not all readers evaluate"
  return all
}

const POLICIES = new Set(["AllOn", "AnyOn", "AnyOff", "AllOff"])

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
