// Where the signature fields of a form are seen: their widgets (ISO 32000-2, 12.5.6.19) on the pages that show them, and
// how large these pages are.

import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import type { Form, SignatureField } from "./form.ts"
import { box, type Page, type PagePlace, pageFrame, pages } from "./page.ts"
import {
  type Box,
  fromUserSpace,
  type PageFrame,
  type ShownRect,
  type Size,
  shownSize,
} from "./page-frame.ts"

export type Positions = ReadonlyMap<SignatureField, readonly PagePlace[]>

type Widget = {
  readonly field: SignatureField
  /** Nothing where it stands directly in its field, so that no page can list it. */
  readonly number: number | undefined
  readonly rect: Box
  /** The number of the page that it names. */
  readonly page: number | undefined
}

/** Widgets of signature fields in one document: a thousand people who sign on ten pages each. */
const MAX_WIDGETS = 10_000

/** Pages that follow each other and are of one size, as a person sees them; 0 by 0 where a page has no sound size. */
export type PageRun = Size & { readonly count: number }

/** Enough for a book whose every page was scanned in another size; what comes behind them is not measured. */
const MAX_PAGE_RUNS = 1_000

export type PlacedWidgets = {
  readonly pageCount: number
  readonly pageSizes: readonly PageRun[]
  readonly positions: Positions
}

/** The pages are counted and measured on the way, since each of them is passed once. */
export function placeWidgets(pdf: Pdf, form: Form): PlacedWidgets {
  const widgets = allWidgets(pdf, form)
  const byPage = Map.groupBy(widgets, ({ page }) => page)
  const byNumber = new Map(widgets.map((widget) => [widget.number, widget]))
  const named = new Map<Widget, PagePlace | undefined>()
  const listed = new Map<Widget, PagePlace | undefined>()
  const runs: MutableRun[] = []
  let pageCount = 0
  for (const page of pages(pdf)) {
    const frame = soundly(pdf, () => pageFrame(pdf, page))
    measure(runs, frame)
    const place = (widget: Widget) => placeOn(frame, pageCount, widget.rect)
    const naming = page.ref === undefined ? undefined : byPage.get(page.ref.number)
    for (const widget of naming ?? []) named.set(widget, place(widget))
    // Table 166: /P is optional, and where it is missing the page that lists the widget is its page.
    if (named.size < widgets.length)
      for (const number of listing(pdf, page)) {
        const widget = byNumber.get(number)
        if (widget !== undefined && !listed.has(widget)) listed.set(widget, place(widget))
      }
    pageCount += 1
  }
  const positions = new Map<SignatureField, PagePlace[]>()
  for (const widget of widgets) {
    const place = named.has(widget) ? named.get(widget) : listed.get(widget)
    const others = positions.get(widget.field)
    if (place !== undefined && others === undefined) positions.set(widget.field, [place])
    else if (place !== undefined) others?.push(place)
  }
  return { pageCount, pageSizes: runs.slice(0, MAX_PAGE_RUNS), positions }
}

type MutableRun = { -readonly [K in keyof PageRun]: PageRun[K] }

/** The run behind the last one that counts takes whatever follows, so that no later page is taken for an earlier one. */
function measure(runs: MutableRun[], frame: PageFrame | undefined): void {
  const size = frame === undefined ? { width: 0, height: 0 } : shownSize(frame)
  const [width, height] = [rounded(size.width), rounded(size.height)]
  const last = runs.at(-1)
  const goesOn = last?.width === width && last.height === height
  if (last !== undefined && (goesOn || runs.length > MAX_PAGE_RUNS)) last.count += 1
  else runs.push({ count: 1, width, height })
}

function allWidgets(pdf: Pdf, { signatureFields }: Form): readonly Widget[] {
  const widgets: Widget[] = []
  for (const field of signatureFields)
    for (const value of widgetsOf(pdf, field)) {
      const dict = resolve(pdf, value)
      const rect = isDict(dict) ? rectOf(pdf, dict) : undefined
      if (!isDict(dict) || rect === undefined) continue
      const page = entry(dict, "P")
      const number = isRef(value) ? value.number : undefined
      widgets.push({ field, number, rect, page: isRef(page) ? page.number : undefined })
      if (widgets.length > MAX_WIDGETS)
        throw new PdfRefused("too-complex", "The PDF has too many signature fields.")
    }
  return widgets
}

// 12.7.4.1: field and widget are one object, unless the field has kids without a name.
function widgetsOf(pdf: Pdf, { dict, ref }: SignatureField): readonly PdfValue[] {
  const kids = resolve(pdf, entry(dict, "Kids"))
  return isArray(kids) && kids.items.length > 0 ? kids.items : [ref ?? dict]
}

/** Nothing where the widget has no rectangle, or one without a size, as that of an invisible signature. */
function rectOf(pdf: Pdf, widget: PdfDict): Box | undefined {
  const rect = soundly(pdf, () => box(pdf, resolve(pdf, entry(widget, "Rect"))))
  return rect === undefined || rect[0] === rect[2] || rect[1] === rect[3] ? undefined : rect
}

function placeOn(frame: PageFrame | undefined, index: number, rect: Box): PagePlace | undefined {
  const seen = frame && seenPart(fromUserSpace(frame, rect), shownSize(frame))
  return seen && { page: index, ...seen }
}

/** What of a rectangle lies in the page, so that it can be given back as a place; nothing where none of it does. */
function seenPart(rect: ShownRect, page: { readonly width: number; readonly height: number }) {
  const [x, y] = [Math.max(0, rect.x), Math.max(0, rect.y)].map(rounded) as [number, number]
  const width = rounded(Math.min(rect.x + rect.width, page.width) - x)
  const height = rounded(Math.min(rect.y + rect.height, page.height) - y)
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

// As finely as places are written into a PDF. Turning a page makes 72 into 72.00000000000001.
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

function listing(pdf: Pdf, page: Page): readonly number[] {
  const annotations = resolve(pdf, entry(page.lineage[0] ?? pdf.catalog, "Annots"))
  return isArray(annotations) ? annotations.items.flatMap((item) => (isRef(item) ? item.number : [])) : []
}

/** A rectangle or a page that makes no sense is no place; whoever signs there is told why. */
function soundly<T>(pdf: Pdf, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return undefined
    throw error
  }
}
