// What a PDF does without being asked, or shows that is not in it. A signer must see what was stored and nothing else, so
// such a document is not for signing; the reader only tells. Every object that the catalog leads to is looked at, by
// whatever way, and not only where an action is expected: there are too many such places to know all of them.

import { beginConditional, type Conditional } from "../conditional/conditional.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import { checkStreamEnd } from "../structure/xref-section.ts"
import { type Budget, newBudget } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import {
  asCount,
  entry,
  isArray,
  isDict,
  isRef,
  type PdfDict,
  type PdfValue,
  textOf,
} from "../syntax/value.ts"
import { countImagePixels, type ImagePixels } from "./image-pixels.ts"
import { visitReachable } from "./reachable.ts"

export type ActiveKind = "javascript" | "launch" | "action-on-open" | "external-stream" | "unclear"

export type ActiveContent = {
  readonly kind: ActiveKind
  /** A sentence for whoever made the document: what it does, and an object that does it. */
  readonly detail: string
}

type Look = {
  readonly pdf: Pdf
  /** The lowest number of an object for each kind, so that the answer does not depend on the way. */
  readonly lowest: Map<ActiveKind, number>
}

/** One walk over all objects finds both: what the PDF does by itself, and what it shows under a condition only. */
export function findActiveContent(opened: Pdf): {
  readonly active: readonly ActiveContent[]
  readonly conditional: Conditional
  readonly imagePixels: ImagePixels
} {
  const pdf = { ...opened, budget: budgetFor(opened), objectStreams: new Map() }
  const look: Look = { pdf, lowest: new Map() }
  const check = beginConditional(pdf)
  const images = countImagePixels(pdf)
  visitReachable(pdf, {
    object: (number, value, streamAt) => {
      judge(look, number, value)
      check.object(number, value, streamAt !== undefined)
      if (streamAt === undefined || !isDict(value)) return
      judgeStream(look, number, value)
      images.stream(number, value)
      // What is behind the end that one reader finds is another's content.
      checkStreamEnd(
        pdf.source,
        streamAt,
        asCount(found(look, entry(value, "Length")), "The length of a stream"),
      )
    },
    unreadable: (number) => note(look, "unclear", number),
    wrongGeneration: check.wrongGeneration,
  })
  for (const { kind, trailer } of pdf.sections) if (kind === "stream") judgeStream(look, NO_OBJECT, trailer)
  return { active: listed(look), conditional: check.end(), imagePixels: images.end() }
}

function listed({ lowest }: Look): readonly ActiveContent[] {
  return KINDS.flatMap((kind) => {
    const number = lowest.get(kind)
    if (number === undefined) return []
    return { kind, detail: `${SENTENCES[kind]}${number === NO_OBJECT ? "" : ` (object ${number})`}.` }
  })
}

/** Every object is read once, so it is of its own: the plain ones are no longer than the file, the others than what it decodes to. */
function budgetFor({ source }: Pdf): Budget {
  const budget = newBudget(source.length)
  return { ...budget, scannedBytes: Math.min(2 * budget.scannedBytes, MAX_SCANNED_BYTES) }
}

/** Some seconds; twice what the largest file that is taken in needs, if all of it were dictionaries. */
const MAX_SCANNED_BYTES = 300_000_000

// Of a cross-reference stream only its place is known.
const NO_OBJECT = 0

const KINDS = ["javascript", "launch", "action-on-open", "external-stream", "unclear"] as const

const SENTENCES: Record<ActiveKind, string> = {
  javascript: "The PDF holds JavaScript",
  launch: "The PDF starts another program",
  "action-on-open": "The PDF does something without a click, other than turning its pages",
  "external-stream": "The PDF shows what stands in another file",
  unclear: "The PDF uses what cannot be read soundly, and readers may differ on it",
}

function note({ lowest }: Look, kind: ActiveKind, number: number): void {
  lowest.set(kind, Math.min(number, lowest.get(kind) ?? number))
}

function judge(look: Look, number: number, value: PdfValue): void {
  if (isArray(value)) for (const item of value.items) judge(look, number, item)
  if (!isDict(value)) return
  judgeDict(look, number, value)
  for (const { value: inner } of value.entries.values())
    if (typeof inner === "object") judge(look, number, inner)
}

function judgeDict(look: Look, number: number, dict: PdfDict): void {
  const { entries } = dict
  if (entries.has("S")) {
    const type = word(look, dict, "S")
    if (type === "JavaScript" || (type === "Rendition" && entries.has("JS"))) note(look, "javascript", number)
    if (type === "Launch") note(look, "launch", number)
  }
  // 13.6.3: the script that a 3D stream runs.
  if (entries.has("OnInstantiate")) note(look, "javascript", number)
  if (entries.has("OpenAction")) judgeUnasked(look, number, entry(dict, "OpenAction"))
  if (entries.has("AA")) judgeTriggers(look, number, found(look, entry(dict, "AA")))
  // 12.4.4.2: the steps of a presentation.
  if (entries.has("NA")) judgeUnasked(look, number, entry(dict, "NA"))
  if (entries.has("PA") && word(look, dict, "Subtype") !== "Link")
    judgeUnasked(look, number, entry(dict, "PA"))
  if (entries.has("RichMediaSettings")) judgeRichMedia(look, number, dict)
}

// 12.6.3: all triggers but the press and the release of a mouse button happen by themselves.
const CLICKS = new Set(["D", "U"])

function judgeTriggers(look: Look, number: number, triggers: PdfValue): void {
  if (!isDict(triggers)) return
  for (const [key, { value }] of triggers.entries) if (!CLICKS.has(key)) judgeUnasked(look, number, value)
}

// 13.7.2: it may be active as soon as its page is opened, or seen.
function judgeRichMedia(look: Look, number: number, annotation: PdfDict): void {
  const settings = found(look, entry(annotation, "RichMediaSettings"))
  const activation = isDict(settings) ? found(look, entry(settings, "Activation")) : null
  if (!isDict(activation)) return
  if (activation.entries.has("Scripts")) note(look, "javascript", number)
  const condition = word(look, activation, "Condition")
  if (condition === "PO" || condition === "PV") note(look, "action-on-open", number)
}

const NAVIGATION = new Set(["GoTo", "GoToDp", "Trans"])
// 12.6.4.12; printing asks first, and some make invoices that offer it.
const NAMED = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage", "Print"])
const ELSEWHERE = new Set(["JavaScript", "Launch"])

/** An action that nobody clicks for, and those that follow it (12.6.2). */
function judgeUnasked(look: Look, number: number, first: PdfValue): void {
  const seen = new Set<number>()
  const stack = [first]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (isRef(value)) {
      if (seen.has(value.number)) continue
      seen.add(value.number)
    }
    const action = found(look, value)
    if (isArray(action) && value !== first) for (const item of action.items) stack.push(item)
    if (!isDict(action)) continue
    const type = word(look, action, "S")
    const isNavigation =
      type === undefined ||
      NAVIGATION.has(type) ||
      (type === "Named" && NAMED.has(word(look, action, "N") ?? ""))
    if (!isNavigation && !ELSEWHERE.has(type)) note(look, "action-on-open", number)
    stack.push(entry(action, "Next"))
  }
}

// 7.3.8.2, table 5: the data of a stream may be another file.
function judgeStream(look: Look, number: number, dict: PdfDict): void {
  const file = found(look, entry(dict, "F"))
  const isFile = isDict(file) || (typeof file === "object" && file?.type === "string")
  if (isFile || dict.entries.has("FFilter")) note(look, "external-stream", number)
  // 8.10.4: a reference XObject; 14.11.7: an open prepress interface.
  if (isDict(found(look, entry(dict, "Ref"))) || isDict(found(look, entry(dict, "OPI"))))
    note(look, "external-stream", number)
}

/** A name, or a string where a name should be: some readers take the one for the other. */
function word(look: Look, dict: PdfDict, key: string): string | undefined {
  const value = found(look, entry(dict, key))
  if (typeof value !== "object" || value === null) return undefined
  if (value.type === "name") return value.name
  return value.type === "string" && value.end - value.start < 1_000 ? textOf(value) : undefined
}

// Other readers do not compare generations.
function found({ pdf }: Look, value: PdfValue): PdfValue {
  if (!isRef(value)) return value
  const object = readNumber(pdf, value.number)?.value ?? null
  if (isRef(object)) throw corrupt(`Object ${value.number} is a reference.`)
  return object
}
