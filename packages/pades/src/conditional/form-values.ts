// The values of form fields (ISO 32000-2, 12.7.5) and what their widgets show. A check box can be compared here; the text of an
// appearance can be read only by a renderer, so text fields are listed for it.

import { pages } from "../content/page.ts"
import type { Pdf } from "../structure/document.ts"
import { MAX_NESTING, spendScanned } from "../syntax/limits.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"
import { ANNOTATION_FLAGS, hasArea, lineageOf, PUSH_BUTTON } from "./annotations.ts"
import { type Findings, NO_OBJECT, quoted } from "./finding.ts"
import {
  ifReadable,
  nameIn,
  readDict,
  readEntry,
  readInteger,
  readItems,
  readName,
  readText,
  readValue,
} from "./read-value.ts"

/** A widget that must show this text and no other. */
export type ShownField = {
  readonly name: string
  /** The page that lists the widget, counted from 0. */
  readonly page: number
  readonly rect: readonly [number, number, number, number]
  readonly text: string
}

/** 12.7.5.3: a password is shown as stars. */
const PASSWORD = 1 << 13
const MAX_FIELDS = 10_000
/** As many as a renderer reads within its budget. */
export const MAX_SHOWN_FIELDS = 1_000
const MAX_TEXT_CHARACTERS = 100_000

type Node = {
  readonly value: PdfValue
  readonly name: string
  readonly depth: number
  readonly parent: number | undefined
  /** From the field and its ancestors: 12.7.4.1. */
  readonly inherited: Inherited
}

type Inherited = {
  readonly type: string | undefined
  readonly flags: number
  readonly value: PdfValue
  readonly options: readonly PdfValue[]
  /** /I: the chosen options by their place. */
  readonly indices: readonly PdfValue[]
}

const NOTHING: Inherited = { type: undefined, flags: 0, value: null, options: [], indices: [] }

/** Readers find fields by /Fields of the form, or by the widgets of the pages. So both are followed. */
export function checkFormValues(pdf: Pdf, findings: Findings, hasWidgets: boolean): readonly ShownField[] {
  const form = readDict(pdf, pdf.catalog, "AcroForm")
  if (form !== undefined && readEntry(pdf, form, "NeedAppearances") === true)
    findings.report(
      "need-appearances",
      NO_OBJECT,
      "The form asks each reader to draw its fields again (NeedAppearances)",
    )
  const known = form === undefined ? new Map<number, Widget>() : fieldsOf(pdf, findings, form)
  const shown = hasWidgets ? shownFields(pdf, findings, known) : []
  if (known.size > MAX_FIELDS || shown.length > MAX_SHOWN_FIELDS)
    findings.report(
      "field-value",
      NO_OBJECT,
      "The form has too many fields to compare with their appearances",
    )
  return shown.slice(0, MAX_SHOWN_FIELDS)
}

/** What /Fields leads to, by the number of the object. */
function fieldsOf(pdf: Pdf, findings: Findings, form: PdfDict): ReadonlyMap<number, Widget> {
  const known = new Map<number, Widget>()
  const stack: Node[] = readItems(pdf, form, "Fields").map((value) => ({
    value,
    name: "",
    depth: 1,
    parent: undefined,
    inherited: NOTHING,
  }))
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const number = isRef(node.value) ? node.value.number : NO_OBJECT
    if (number !== NO_OBJECT && (known.has(number) || known.size > MAX_FIELDS)) continue
    const dict = readValue(pdf, node.value)
    if (!isDict(dict) || node.depth > MAX_NESTING) continue
    const inherited = withOwn(pdf, dict, node.inherited)
    const name = nameOf(pdf, dict, node.name)
    const parent = entry(dict, "Parent")
    if (isRef(parent) && parent.number !== (node.parent ?? NO_OBJECT))
      findings.report(
        "field-value",
        number,
        `The field ${quoted(name)} is listed under another field than its parent`,
      )
    for (const kid of readItems(pdf, dict, "Kids"))
      stack.push({ value: kid, name, depth: node.depth + 1, parent: number, inherited })
    const widget = { dict, object: number, name, ...inherited }
    if (number === NO_OBJECT) checkWidget(pdf, findings, widget)
    else known.set(number, widget)
  }
  return known
}

function shownFields(
  pdf: Pdf,
  findings: Findings,
  known: ReadonlyMap<number, Widget>,
): readonly ShownField[] {
  const shown: ShownField[] = []
  let index = 0
  for (const { ref, lineage } of pages(pdf)) {
    const [page = pdf.catalog] = lineage
    for (const item of readItems(pdf, page, "Annots")) {
      const number = isRef(item) ? item.number : NO_OBJECT
      const field = ifReadable(pdf, () => {
        const widget = known.get(number) ?? unlisted(pdf, item, ref?.number ?? NO_OBJECT)
        return widget && checkWidget(pdf, findings, widget)
      })
      if (field !== undefined && shown.length <= MAX_SHOWN_FIELDS) shown.push({ ...field, page: index })
    }
    index += 1
  }
  return shown
}

/** A widget that no field of the form lists: its ancestors are those that it names. */
function unlisted(pdf: Pdf, item: PdfValue, page: number): Widget | undefined {
  const dict = readValue(pdf, item)
  if (!isDict(dict)) return undefined
  const lineage = lineageOf(pdf, dict).toReversed()
  const isField = lineage.some(({ entries }) => entries.has("FT") || entries.has("V"))
  if (readName(pdf, dict, "Subtype") !== "Widget" && !isField) return undefined
  const inherited = lineage.reduce((from, one) => withOwn(pdf, one, from), NOTHING)
  const name = lineage.reduce((prefix, one) => nameOf(pdf, one, prefix), "")
  return { dict, object: isRef(item) ? item.number : page, name, ...inherited }
}

function withOwn(pdf: Pdf, dict: PdfDict, from: Inherited): Inherited {
  return {
    type: readName(pdf, dict, "FT") ?? from.type,
    flags: dict.entries.has("Ff") ? readInteger(pdf, dict, "Ff") : from.flags,
    value: dict.entries.has("V") ? readEntry(pdf, dict, "V") : from.value,
    options: dict.entries.has("Opt") ? readItems(pdf, dict, "Opt") : from.options,
    indices: dict.entries.has("I") ? readItems(pdf, dict, "I") : from.indices,
  }
}

function nameOf(pdf: Pdf, dict: PdfDict, prefix: string): string {
  const own = readText(pdf, dict, "T")
  const name = own === undefined ? prefix : prefix === "" ? own : `${prefix}.${own}`
  // Every kid repeats the names of its parents, so all names together may be much longer than the file.
  spendScanned(pdf.budget, name.length)
  return name
}

type Widget = Inherited & { readonly dict: PdfDict; readonly object: number; readonly name: string }

function checkWidget(pdf: Pdf, findings: Findings, field: Widget): Omit<ShownField, "page"> | undefined {
  const { dict, object, name, type, flags, value } = field
  const isHidden = (readInteger(pdf, dict, "F") & ANNOTATION_FLAGS.hidden) !== 0
  if (!dict.entries.has("Rect") || !hasArea(pdf, dict) || isHidden) return undefined
  const refuse = (what: string) => findings.report("field-value", object, `The field ${quoted(name)} ${what}`)
  if (type === "Btn" && (flags & PUSH_BUTTON) === 0) {
    if (contradictsState(pdf, field))
      findings.report(
        "field-value",
        object,
        `The box ${quoted(name)} is shown in another state than its value`,
      )
    return undefined
  }
  if (type === "Btn" || type === "Sig") return undefined
  if (type !== "Tx" && type !== "Ch") {
    if (value !== null) refuse("has a value and no type")
    return undefined
  }
  const text = textOfValue(pdf, field)
  if (text === undefined) {
    refuse("has a value that cannot be compared with what it shows")
    return undefined
  }
  const hasAppearance =
    readEntry(pdf, readDict(pdf, dict, "AP") ?? dict, "N") !== null && dict.entries.has("AP")
  if (!hasAppearance && (text !== "" || dict.entries.has("RV"))) refuse("has a value and no appearance")
  const rect = rectOf(pdf, dict)
  // A list box where nothing is chosen shows all options.
  const isOpen = isListBox(field) && text === ""
  if (!hasAppearance || isOpen || rect === undefined) return undefined
  return { name, rect, text: text.slice(0, MAX_TEXT_CHARACTERS) }
}

/** 12.7.5.4: it may show all options, and which is chosen by colour alone; then it is refused, because that cannot be compared. */
const isListBox = ({ type, flags }: Widget): boolean => type === "Ch" && (flags & COMBO) === 0

/** 12.7.5.4. */
const COMBO = 1 << 17

/** Undefined where the value cannot be compared with a text. */
function textOfValue(pdf: Pdf, field: Widget): string | undefined {
  const { value, type, flags } = field
  if (value === null) return ""
  if (type === "Ch") return textOfChoice(pdf, field)
  if (!isText(value)) return undefined
  const text = textOf(value)
  return (flags & PASSWORD) === 0 || text === "" ? text : undefined
}

/** 12.7.5.4: the display texts of the chosen options. /I may repeat the choice, and must not contradict it. */
function textOfChoice(pdf: Pdf, { value, options, indices }: Widget): string | undefined {
  const items = isArray(value) ? value.items.map((item) => readValue(pdf, item)) : [value]
  const chosen = new Set<string>()
  for (const item of items) {
    if (!isText(item)) return undefined
    chosen.add(textOf(item))
  }
  if (chosen.size === 0 || (chosen.size === 1 && chosen.has(""))) return ""
  const known = options.slice(0, MAX_FIELDS).flatMap((option, index) => {
    const { exported, displayed } = readOption(pdf, option)
    return exported !== undefined && chosen.has(exported) ? { index, exported, displayed } : []
  })
  const displays = new Map(known.map(({ exported, displayed }) => [exported, displayed]))
  if (known.some(({ exported, displayed }) => displays.get(exported) !== displayed)) return undefined
  const places = new Set(indices.map((index) => readValue(pdf, index)))
  if (places.size > 0 && known.length > 0 && !isSame(places, new Set(known.map(({ index }) => index))))
    return undefined
  // A combo box may take a text that is no option.
  const others = [...chosen].filter((text) => !displays.has(text))
  return [...displays.values(), ...others].join("\n")
}

function readOption(pdf: Pdf, option: PdfValue) {
  const value = readValue(pdf, option)
  const [exported, displayed = exported] = isArray(value)
    ? value.items.map((item) => readValue(pdf, item))
    : [value]
  return isText(exported) && isText(displayed)
    ? { exported: textOf(exported), displayed: textOf(displayed) }
    : { exported: undefined, displayed: undefined }
}

const isSame = (a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))

const isText = (value: PdfValue | undefined): value is Extract<PdfValue, { readonly type: "string" }> =>
  typeof value === "object" && value?.type === "string"

/** 12.7.5.2.3: a box is on if its state is the value of the field; of several boxes of one field the others are off. */
function contradictsState(pdf: Pdf, { dict, value }: Widget): boolean {
  const meant = nameIn(value) ?? "Off"
  const shown = readName(pdf, dict, "AS") ?? "Off"
  if (shown !== "Off") return shown !== meant
  const normal = readDict(pdf, readDict(pdf, dict, "AP") ?? dict, "N")
  return meant !== "Off" && normal?.entries.has(meant) === true
}

function rectOf(pdf: Pdf, dict: PdfDict): ShownField["rect"] | undefined {
  const rect = readValue(pdf, entry(dict, "Rect"))
  const sides = isArray(rect) ? rect.items.map((item) => readValue(pdf, item)) : []
  const [x1, y1, x2, y2] = sides
  const isRect = sides.length === 4 && sides.every((side) => typeof side === "number")
  return isRect ? ([x1, y1, x2, y2] as unknown as ShownField["rect"]) : undefined
}
