// Draws one form XObject behind the content of many pages (ISO 32000-2, 7.8.2 and 7.8.3). The content of a page is put
// between `q` and `Q`, as many as it needs, so that the state in which it ends cannot change what follows. What pages
// have in common, streams and resources, is written once.

import { followedBy, NO_EFFECT, type StackEffect, stackEffect } from "../content/graphics-state.ts"
import { inherited, type Page } from "../content/page.ts"
import type { Matrix } from "../content/page-frame.ts"
import { PdfRefused } from "../refused.ts"
import { type Pdf, readStream, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import { amend, create, type Edits } from "../write/edits.ts"
import { amendDict, latin1, writeNumber, writeRef } from "../write/syntax.ts"
import { SRGB } from "./appearance-objects.ts"
import { writeStream } from "./font-objects.ts"

export type Drawing = {
  /** A name that no page has for another XObject. */
  readonly name: string
  readonly ref: string
  /** From the space of the drawing to default user space. */
  readonly matrix: (page: Page) => Matrix
  /** 14.8.2.2: what it is, where it is not part of the text; undefined for content. */
  readonly artifact?: string
  /** Each page has to say in which colours it blends. */
  readonly group: boolean
}

export function drawBehind(edits: Edits, chosen: readonly Page[], drawing: Drawing): void {
  const shared = new Map<string, string>()
  const stream = (content: string): string => {
    const ref = shared.get(content) ?? create(edits, writeStream("", latin1(content)))
    shared.set(content, ref)
    return ref
  }
  const effects = new Map<number, StackEffect | undefined>()
  for (const page of chosen) {
    const { pdf } = edits
    const [dict] = page.lineage
    if (page.ref === undefined || dict === undefined) throw corrupt("A page is not an object of its own.")
    const parts = contentParts(pdf, dict)
    const { before, after } = wrapping(parts, pdf, effects)
    const painted = `q ${drawing.matrix(page).map(writeNumber).join(" ")} cm /${drawing.name} Do Q\n`
    const drawn =
      drawing.artifact === undefined
        ? `${after}${painted}`
        : `${after}/Artifact << /Type /Pagination /Subtype /${drawing.artifact} >> BDC\n${painted}EMC\n`
    const contents = [...(before === "" ? [] : [stream(before)]), ...parts.map(writeRef), stream(drawn)]
    amend(
      edits,
      { ref: page.ref, dict },
      {
        Contents: `[${contents.join(" ")}]`,
        ...withResource(edits, page, drawing),
        ...(drawing.group ? withGroup(pdf, dict) : {}),
      },
    )
  }
}

type StreamRef = { readonly number: number; readonly generation: number }

function contentParts(pdf: Pdf, dict: PdfDict): readonly StreamRef[] {
  const value = entry(dict, "Contents")
  const found = resolve(pdf, value)
  if (found === null) return []
  const items = isArray(found) ? found.items : [value]
  return items.map((item) => {
    if (!isRef(item)) throw corrupt("The content of a page is not a stream.")
    return item
  })
}

/** ISO 32000-1, Annex C, and with it PDF/A: states are nested no deeper. */
const MAX_STATES = 28
const MAX_UNBALANCED = 1_000

function wrapping(
  parts: readonly StreamRef[],
  pdf: Pdf,
  known: Map<number, StackEffect | undefined>,
): { readonly before: string; readonly after: string } {
  if (parts.length === 0) return { before: "", after: "" }
  const effect = parts.map((part) => effectOf(pdf, part, known)).reduce(bothKnown, NO_EFFECT)
  // What cannot be decoded is taken to be as the standard wants it.
  const { taken, left, deepest } = effect ?? NO_EFFECT
  if (taken + left > MAX_UNBALANCED)
    throw new PdfRefused("too-complex", "The graphics states of a page are out of balance.")
  if (taken === 0 && left === 0 && deepest >= MAX_STATES) return { before: "", after: "" }
  return { before: "q\n".repeat(taken + 1), after: "Q\n".repeat(left + 1) }
}

function bothKnown(first: StackEffect | undefined, second: StackEffect | undefined): StackEffect | undefined {
  return first === undefined || second === undefined ? undefined : followedBy(first, second)
}

function effectOf(
  pdf: Pdf,
  part: StreamRef,
  known: Map<number, StackEffect | undefined>,
): StackEffect | undefined {
  if (!known.has(part.number)) known.set(part.number, readEffect(pdf, part))
  return known.get(part.number)
}

/** One stream of a page; drawings of whole cities have some ten million bytes. */
const MAX_CONTENT_BYTES = 64_000_000

function readEffect(pdf: Pdf, part: StreamRef): StackEffect | undefined {
  try {
    const stream = readStream(pdf, { type: "ref", ...part }, MAX_CONTENT_BYTES)
    return stream === undefined ? NO_EFFECT : stackEffect(stream.bytes)
  } catch (error) {
    // A filter that we do not know is no fault. A stream without an end is one: for a reader that repairs it, it would
    // reach into what we append.
    if (error instanceof PdfRefused && error.code === "too-complex") return undefined
    throw error
  }
}

/** 7.8.3: what a page inherits it must go on naming once it has resources of its own. */
function withResource(edits: Edits, page: Page, drawing: Drawing): Readonly<Record<string, string>> {
  const { pdf } = edits
  const holder = page.lineage.find((dict) => resolve(pdf, entry(dict, "Resources")) !== null)
  const value = holder === undefined ? null : entry(holder, "Resources")
  const resources = resolve(pdf, value)
  if (resources !== null && !isDict(resources)) throw corrupt("The resources of a page are not a dictionary.")
  if (resources === null) return { Resources: `<< /XObject << /${drawing.name} ${drawing.ref} >> >>` }

  const objectsValue = entry(resources, "XObject")
  const objects = resolve(pdf, objectsValue)
  if (objects !== null && !isDict(objects)) throw corrupt("The XObjects of a page are not a dictionary.")
  const named = { [drawing.name]: drawing.ref }
  if (isRef(objectsValue) && objects !== null) {
    amend(edits, { ref: objectsValue, dict: objects }, named)
    return {}
  }
  const changes = {
    XObject: objects === null ? `<< /${drawing.name} ${drawing.ref} >>` : text(objects, named),
  }
  if (isRef(value)) {
    amend(edits, { ref: value, dict: resources }, changes)
    return {}
  }
  return { Resources: text(resources, changes) }
}

function text(dict: PdfDict, changes: Readonly<Record<string, string>>): string {
  return Buffer.from(amendDict(dict, changes)).toString("latin1")
}

// 11.6.6: the colours in which the objects of a page are blended.
function withGroup(pdf: Pdf, dict: PdfDict): Readonly<Record<string, string>> {
  const group = resolve(pdf, entry(dict, "Group"))
  if (!isDict(group)) return { Group: `<< /S /Transparency /CS ${SRGB} >>` }
  return resolve(pdf, entry(group, "CS")) === null ? { Group: text(group, { CS: SRGB }) } : {}
}

/** `wanted`, or that and a number, whichever no page has for an XObject yet. */
export function freeName(pdf: Pdf, chosen: readonly Page[], wanted: string): string {
  const taken = new Set<string>()
  for (const page of chosen) {
    const resources = inherited(pdf, page, "Resources")
    const objects = isDict(resources) ? resolve(pdf, entry(resources, "XObject")) : null
    if (isDict(objects)) for (const name of objects.entries.keys()) taken.add(name)
  }
  let name = wanted
  for (let number = 1; taken.has(name); number++) name = `${wanted}${number}`
  return name
}
