// The values of form fields (ISO 32000-2, 12.7.5) and what their widgets show. A check box can be compared here; the text of an
// appearance can be read only by a renderer, so text fields are listed for it.

import type { Pdf } from "../structure/document.ts"
import { MAX_NESTING, spendScanned } from "../syntax/limits.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"
import { ANNOTATION_FLAGS, hasArea } from "./annotations.ts"
import { type Findings, NO_OBJECT, quoted } from "./finding.ts"
import {
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
  /** The object of the widget; a page lists it. */
  readonly widget: number
  readonly rect: readonly [number, number, number, number]
  readonly text: string
}

/** 12.7.5.3: a password is shown as stars. 12.7.5.2: a push button has no value. */
const FIELD_FLAGS = { password: 1 << 13, pushButton: 1 << 16 } as const
const MAX_FIELDS = 10_000
/** As many as a renderer reads within its budget. */
export const MAX_SHOWN_FIELDS = 1_000
const MAX_TEXT_CHARACTERS = 100_000

type Node = {
  readonly value: PdfValue
  readonly name: string
  readonly depth: number
  /** From the field and its ancestors: 12.7.4.1. */
  readonly inherited: Inherited
}

type Inherited = {
  readonly type: string | undefined
  readonly flags: number
  readonly value: PdfValue
  readonly options: readonly PdfValue[]
}

export function checkFormValues(pdf: Pdf, findings: Findings): readonly ShownField[] {
  const form = readDict(pdf, pdf.catalog, "AcroForm")
  if (form === undefined) return []
  if (readEntry(pdf, form, "NeedAppearances") === true)
    findings.report(
      "need-appearances",
      NO_OBJECT,
      "The form asks each reader to draw its fields again (NeedAppearances)",
    )
  const shown: ShownField[] = []
  const nothing: Inherited = { type: undefined, flags: 0, value: null, options: [] }
  const stack: Node[] = readItems(pdf, form, "Fields").map((value) => ({
    value,
    name: "",
    depth: 1,
    inherited: nothing,
  }))
  const seen = new Set<number>()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isRef(node.value) && (seen.has(node.value.number) || seen.size > MAX_FIELDS)) continue
    if (isRef(node.value)) seen.add(node.value.number)
    const dict = readValue(pdf, node.value)
    if (!isDict(dict) || node.depth > MAX_NESTING) continue
    const inherited = withOwn(pdf, dict, node.inherited)
    const name = nameOf(pdf, dict, node.name)
    for (const kid of readItems(pdf, dict, "Kids"))
      stack.push({ value: kid, name, depth: node.depth + 1, inherited })
    const widget = isRef(node.value) ? node.value.number : NO_OBJECT
    const field = checkWidget(pdf, findings, { dict, widget, name, ...inherited })
    if (field !== undefined) shown.push(field)
  }
  if (seen.size > MAX_FIELDS || shown.length > MAX_SHOWN_FIELDS)
    findings.report(
      "field-value",
      NO_OBJECT,
      "The form has too many fields to compare with their appearances",
    )
  return shown.slice(0, MAX_SHOWN_FIELDS)
}

function withOwn(pdf: Pdf, dict: PdfDict, from: Inherited): Inherited {
  return {
    type: readName(pdf, dict, "FT") ?? from.type,
    flags: dict.entries.has("Ff") ? readInteger(pdf, dict, "Ff") : from.flags,
    value: dict.entries.has("V") ? readEntry(pdf, dict, "V") : from.value,
    options: dict.entries.has("Opt") ? readItems(pdf, dict, "Opt") : from.options,
  }
}

function nameOf(pdf: Pdf, dict: PdfDict, prefix: string): string {
  const own = readText(pdf, dict, "T")
  const name = own === undefined ? prefix : prefix === "" ? own : `${prefix}.${own}`
  // Every kid repeats the names of its parents, so all names together may be much longer than the file.
  spendScanned(pdf.budget, name.length)
  return name
}

type Widget = Inherited & { readonly dict: PdfDict; readonly widget: number; readonly name: string }

function checkWidget(pdf: Pdf, findings: Findings, field: Widget): ShownField | undefined {
  const { dict, widget, name, type, flags } = field
  const unseen = ANNOTATION_FLAGS.hidden | ANNOTATION_FLAGS.invisible
  if (!dict.entries.has("Rect") || !hasArea(pdf, dict) || (readInteger(pdf, dict, "F") & unseen) !== 0)
    return undefined
  if (type === "Btn" && (flags & FIELD_FLAGS.pushButton) === 0) {
    if (contradictsState(pdf, field))
      findings.report(
        "field-value",
        widget,
        `The box ${quoted(name)} is shown in another state than its value`,
      )
    return undefined
  }
  if ((type !== "Tx" && type !== "Ch") || (flags & FIELD_FLAGS.password) !== 0) return undefined
  // A list box shows all options at once, and which is chosen by colour: pictures alone can be compared.
  const isList = type === "Ch" && (flags & COMBO) === 0
  const text = isList ? undefined : textOfValue(pdf, field)
  const hasAppearance =
    readEntry(pdf, readDict(pdf, dict, "AP") ?? dict, "N") !== null && dict.entries.has("AP")
  if (!hasAppearance && field.value !== null && text !== "")
    findings.report("field-value", widget, `The field ${quoted(name)} has a value and no appearance`)
  const rect = rectOf(pdf, dict)
  if (!hasAppearance || text === undefined || rect === undefined) return undefined
  return { name, widget, rect, text: text.slice(0, MAX_TEXT_CHARACTERS) }
}

/** 12.7.5.4. */
const COMBO = 1 << 17

/** 12.7.5.4: of a choice the display text of the chosen option. Undefined where the value is no text. */
function textOfValue(pdf: Pdf, { value, options, type }: Widget): string | undefined {
  if (value === null) return ""
  if (typeof value !== "object" || value.type !== "string") return undefined
  const text = textOf(value)
  if (type !== "Ch") return text
  for (const option of options.slice(0, MAX_FIELDS)) {
    const pair = readValue(pdf, option)
    if (!isArray(pair)) continue
    const [exported, displayed] = pair.items.map((item) => readValue(pdf, item))
    if (isText(exported) && isText(displayed) && textOf(exported) === text) return textOf(displayed)
  }
  return text
}

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
