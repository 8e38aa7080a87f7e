// A text across pages, in one more revision behind the document (the only change that we make to what a page shows).
// Refused as soon as there is a signature: any page that changes afterwards is a change that nobody signed.

import { baseOf } from "../base.ts"
import { type Page, pageFrame, pages } from "../content/page.ts"
import { concatenate, type Matrix, type PageFrame, shownSize, shownToUser } from "../content/page-frame.ts"
import { pdfaClaim } from "../content/pdfa.ts"
import { refuseSigned } from "../content/refuse-signed.ts"
import type { Source } from "../source.ts"
import { openPdf, type Pdf, resolve } from "../structure/document.ts"
import { entry, isArray, isDict, isName } from "../syntax/value.ts"
import { create, type Edits, include, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { latin1, writeNumber, writeNumbers } from "../write/syntax.ts"
import { SRGB } from "./appearance-objects.ts"
import { embedFont } from "./embed-font.ts"
import { textFont } from "./font.ts"
import { fontObjects, writeStream } from "./font-objects.ts"
import { type Drawing, drawBehind, freeName } from "./page-content.ts"
import { type Letter, shape, widthOf } from "./text.ts"

export type WatermarkOptions = {
  readonly text: string
  /** From 0 (excluded) to 1; PDF/A-1 has no transparency, there the letters are thin outlines instead. */
  readonly opacity?: number
  /** In degrees against the clock, as a person sees the page. */
  readonly rotation?: number
  /** 0 is the first page; all of them by default. */
  readonly pages?: readonly number[]
}

const MAX_TEXT_LENGTH = 200
/** Of the text as it is given: a letter may come in parts, and parts may not be seen. */
const MAX_GIVEN_LENGTH = 4 * MAX_TEXT_LENGTH

/** The bytes to append to the document. */
export function watermark(base: Uint8Array | Source, options: WatermarkOptions): Uint8Array {
  const { opacity = 0.25, rotation = 45 } = options
  if (!(opacity > 0 && opacity <= 1)) throw new RangeError("An opacity lies between 0 and 1.")
  if (!Number.isFinite(rotation)) throw new RangeError("A rotation is a number of degrees.")
  const letters = options.text.length > MAX_GIVEN_LENGTH ? [] : shape(options.text)
  if (letters.length === 0 || letters.length > MAX_TEXT_LENGTH)
    throw new RangeError(`The text of a watermark has 1 to ${MAX_TEXT_LENGTH} characters.`)

  const document = baseOf(base)
  const pdf = openPdf(document.source, { toGrow: true })
  refuseSigned(pdf, "A signed document gets no watermark.")
  const chosen = choose(pdf, options.pages)
  const edits = newEdits(pdf)
  const part = pdfaClaim(pdf)?.part
  const transparent = opacity < 1 && part !== 1
  const mark = addMark(edits, letters, { opacity, outlined: opacity < 1 && part === 1 })
  const drawing: Drawing = {
    name: freeName(pdf, chosen, "Watermark"),
    artifact: "Watermark",
    ref: mark.ref,
    matrix: (page) => across(pageFrame(pdf, page), mark, rotation),
    group: transparent && part !== undefined && !hasOutputIntent(pdf),
  }
  drawBehind(edits, chosen, drawing)
  return writeRevision(pdf, objectsOf(edits), document.hash("sha256").digest()).tail
}

function choose(pdf: Pdf, wanted: readonly number[] | undefined): readonly Page[] {
  const all = [...pages(pdf)]
  if (wanted === undefined) return all
  return [...new Set(wanted)].map((index) => {
    const page = all[index]
    if (page === undefined) throw new RangeError(`The PDF has no page of index ${index}.`)
    return page
  })
}

/** A form XObject with the text around its origin; sizes for letters of one unit. */
type Mark = { readonly ref: string; readonly width: number; readonly height: number }

function addMark(
  edits: Edits,
  letters: readonly Letter[],
  { opacity, outlined }: { readonly opacity: number; readonly outlined: boolean },
): Mark {
  const { capHeight, ascent, descent, unitsPerEm } = textFont()
  const font = embedFont(letters)
  const fontRef = include(edits, (firstNumber) => fontObjects(font.parts, firstNumber))
  const width = widthOf(letters)
  const height = capHeight / unitsPerEm
  const bottom = -height / 2
  const bbox = [
    -width / 2 - 0.1,
    bottom + descent / unitsPerEm,
    width / 2 + 0.1,
    bottom + ascent / unitsPerEm,
  ]
  const state = opacity < 1 && !outlined ? ` /ExtGState << /Veil << /ca ${writeNumber(opacity)} >> >>` : ""
  const resources = `/ColorSpace << /Colour ${SRGB} >> /Font << /Text ${fontRef} >>${state}`
  // Every parameter of the text state is set: a page may have left others.
  const content = [
    state === "" ? "" : "/Veil gs",
    outlined ? "/Colour CS 0.7 0.7 0.7 SC 0.012 w 0 J 1 j [] 0 d 1 Tr" : "/Colour cs 0.4 0.4 0.4 sc 0 Tr",
    `BT 0 Tc 0 Tw 100 Tz 0 Ts /Text 1 Tf ${writeNumber(-width / 2)} ${writeNumber(bottom)} Td`,
    `${font.encode(letters)} Tj ET`,
  ]
  const keys = `/Type /XObject /Subtype /Form /BBox ${writeNumbers(bbox)} /Resources << ${resources} >>`
  return { ref: create(edits, writeStream(keys, latin1(content.join("\n").trimStart()))), width, height }
}

/** Of the width and the height of the page. */
const SHARE = 0.85
const MAX_LETTERS_SHARE = 0.2

// As large as it goes, in the middle, turned as it was asked for on the page that a person sees.
function across(frame: PageFrame, { width, height }: Mark, rotation: number): Matrix {
  const page = shownSize(frame)
  const angle = (rotation / 180) * Math.PI
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const wide = width * Math.abs(cos) + height * Math.abs(sin)
  const high = width * Math.abs(sin) + height * Math.abs(cos)
  const size = Math.min(
    (SHARE * page.width) / wide,
    (SHARE * page.height) / high,
    MAX_LETTERS_SHARE * Math.min(page.width, page.height),
  )
  const turned: Matrix = [size * cos, size * sin, -size * sin, size * cos, page.width / 2, page.height / 2]
  return concatenate(turned, shownToUser(frame))
}

// ISO 19005-2, 6.2.10: with transparency on a page the colours to blend in must be known, from an output intent or from
// the page.
function hasOutputIntent(pdf: Pdf): boolean {
  const intents = resolve(pdf, entry(pdf.catalog, "OutputIntents"))
  if (!isArray(intents)) return false
  return intents.items.some((item) => {
    const intent = resolve(pdf, item)
    return isDict(intent) && isName(resolve(pdf, entry(intent, "S")), "GTS_PDFA1")
  })
}
