import type { Document } from "../document/model.ts"
import { pageSizeOf } from "../document/visual.ts"
import type { Mark, Position, SignatureRequest } from "./model.ts"

/** A place that is offered, and never enforced (VIS-06). */
export type Hint = Position & { readonly why: "field" | "words" | "last-page" }

/** Where a person's mark stands in a document: as the request fixes it, or where they like. */
export type DocumentPlace =
  | { readonly type: "fixed"; readonly positions: readonly Position[] }
  | { readonly type: "free"; readonly hints: readonly Hint[] }

/** Points of a page as a person sees it, from its upper left corner. */
export type TextLine = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export type PageText = {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly lines: readonly TextLine[]
}

/** In points: room for a name and a line of text below it. */
const USUAL = { width: 180, height: 54 }
const NARROWEST = 80
/** From the edge of the page, and from the text. */
const EDGE = 24
const GAP = 4
const MOST_HINTS = 10
/** A longer line is a sentence that speaks of signatures, not a label for one. */
const LABEL_CHARACTERS = 60

/** What is known without a look into the pages. `mark` is what this person is to make on the document. */
export function placeOf(
  request: SignatureRequest,
  document: Pick<Document, "signatureFields" | "pageCount" | "pageWidth" | "pageHeight" | "pageSizes">,
  mark: Mark | undefined,
): DocumentPlace {
  const visual = mark?.visual ?? null
  if (visual?.type === "positions") return { type: "fixed", positions: visual.positions }
  if (visual?.type === "form-field") {
    const field = document.signatureFields.find((each) => each.name === visual.name)
    return { type: "fixed", positions: field?.positions ?? [] }
  }
  const enforced = enforcedFields(request, mark?.documentId)
  const fields = document.signatureFields.filter(({ name, signed }) => !signed && !enforced.has(name))
  const hints = fields.flatMap(({ positions }) =>
    positions.filter(isSeen).map((position): Hint => ({ ...position, why: "field" })),
  )
  const page = document.pageCount - 1
  const taken = takenIn(request, document, mark)
  const last = bottomOf({ page, ...pageSizeOf(document, page), lines: [] }, taken)
  return { type: "free", hints: [...hints.slice(0, MOST_HINTS), last] }
}

/**
 * Where others have put theirs, or will have to: people who sign side by side are all offered the same end of the same page, and
 * nobody shall sign upon somebody's name.
 */
export function takenIn(
  request: SignatureRequest,
  document: Pick<Document, "signatureFields">,
  mark: Mark | undefined,
): readonly Position[] {
  const isHere = ({ documentId }: { readonly documentId: string }) => documentId === mark?.documentId
  const others = request.signatures.filter(({ marks }) => mark === undefined || !marks.includes(mark))
  return [
    ...others.flatMap(({ consent }) => consent?.places.filter(isHere).map(({ position }) => position) ?? []),
    ...others
      .flatMap(({ marks }) => marks.filter(isHere))
      .flatMap(({ visual }) => (visual?.type === "positions" ? visual.positions : [])),
    ...document.signatureFields.filter(({ signed }) => signed).flatMap(({ positions }) => positions),
  ]
}

/** The same with what the text of the last pages tells: the free place there, and words such as "Signature". */
export function hintsWith(
  hints: readonly Hint[],
  pages: readonly PageText[],
  language: string | null,
  taken: readonly Position[] = [],
): readonly Hint[] {
  const fields = hints.filter(({ why }) => why === "field")
  const words = pages
    .toSorted((a, b) => b.page - a.page)
    .flatMap((page) => wordHints(page, language))
    .filter((hint) => ![...fields, ...taken].some((each) => each.page === hint.page && overlaps(each, hint)))
  const last = pages.find(({ page }) => page === Math.max(...pages.map((each) => each.page)))
  const bottom = last === undefined ? hints.filter(({ why }) => why === "last-page") : [bottomOf(last, taken)]
  return [...fields, ...words.slice(0, MOST_HINTS), ...bottom]
}

function enforcedFields(request: SignatureRequest, documentId: string | undefined): ReadonlySet<string> {
  const marks = request.signatures.flatMap((s) => s.marks).filter((m) => m.documentId === documentId)
  return new Set(marks.flatMap(({ visual }) => (visual?.type === "form-field" ? [visual.name] : [])))
}

/** Some documents have fields of no size, which nobody is to see. */
const isSeen = ({ width, height }: Position) => width >= 20 && height >= 8

const WORDS =
  /(?<!\p{L})(unterschrift(en)?|unterzeichne[rt]\p{L}*|signatur(es?|en)?|signed( by)?|sign here|signée?( par)?|sottoscri(tto|zione)|firmato( da)?|firma( autorizzata)?)(?!\p{L})/iu
/** A company, in German. */
const COMPANY = /(?<!\p{L})firma(?!\p{L})/iu
const RULE = /[_.…]{4,}/u

function wordHints(page: PageText, language: string | null): readonly Hint[] {
  const isGerman = language?.toLowerCase().startsWith("de") ?? false
  return page.lines
    .filter(({ text }) => text.length <= LABEL_CHARACTERS && WORDS.test(text))
    .filter(({ text }) => !(isGerman && COMPANY.test(text)))
    .toReversed()
    .flatMap((line) => besideLabel(page, line) ?? [])
}

/** On the rule that follows the label, to its right, above it, or below: the first place that nothing stands in. */
function besideLabel(page: PageText, line: TextLine): Hint | undefined {
  const baseline = page.height - line.y - line.height
  const rule = RULE.exec(line.text)
  const toRule = rule === null ? undefined : line.x + (line.width * rule.index) / line.text.length
  const right = { x: toRule ?? line.x + line.width + 2 * GAP, y: baseline + (rule === null ? -GAP : 0) }
  const above = { x: line.x, y: baseline + line.height + GAP }
  const below = { x: line.x, y: baseline - GAP - USUAL.height }
  const isLabel = rule !== null || /:\s*$/.test(line.text)
  const others = page.lines.filter((each) => each !== line)
  return (isLabel ? [right, above, below] : [above, right, below])
    .map(({ x, y }): Hint => {
      const width = Math.min(USUAL.width, page.width - EDGE - x)
      return {
        page: page.page,
        x: round(x),
        y: round(y),
        width: round(width),
        height: USUAL.height,
        why: "words",
      }
    })
    .find((hint) => isInside(page, hint) && !others.some((other) => overlaps(hint, fromBelow(page, other))))
}

/** As low as there is room, at the left or the right. */
function bottomOf(page: PageText, signed: readonly Position[]): Hint {
  const width = Math.min(USUAL.width, Math.max(20, page.width - 2 * EDGE))
  const height = Math.min(USUAL.height, Math.max(10, page.height - 2 * EDGE))
  const margin = Math.min(2 * EDGE + 8, Math.max(0, (page.width - width) / 2))
  const lowest = Math.min(2 * EDGE + 8, Math.max(0, (page.height - height) / 2))
  const at = (x: number, y: number): Hint => ({
    page: page.page,
    x: round(x),
    y: round(y),
    width,
    height,
    why: "last-page",
  })
  const lines = page.lines.map((line) => fromBelow(page, line))
  const taken = [...lines, ...signed.filter((each) => each.page === page.page)]
  for (let y = lowest; y + height + EDGE <= page.height; y += 12)
    for (const x of [margin, page.width - margin - width]) {
      const hint = at(x, y)
      if (!taken.some((each) => overlaps(hint, each))) return hint
    }
  return at(margin, lowest)
}

type Box = Pick<Position, "x" | "y" | "width" | "height">

const fromBelow = (page: PageText, { x, y, width, height }: TextLine): Box => ({
  x,
  y: page.height - y - height,
  width,
  height,
})
const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const isInside = (page: PageText, { x, y, width, height }: Hint) =>
  x >= 0 && y >= 0 && width >= NARROWEST && x + width <= page.width && y + height <= page.height
const round = (points: number) => Math.round(points * 10) / 10
