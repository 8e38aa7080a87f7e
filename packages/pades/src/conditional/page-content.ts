// The content streams of pages, form XObjects, patterns and glyphs (ISO 32000-2, 7.8). Readers show a page without those that
// they cannot decode, and correct what is malformed, each in its own way. So all of them must decode and be well formed.

import { type Page, pages } from "../content/page.ts"
import type { Pdf } from "../structure/document.ts"
import { findEntry } from "../structure/sections.ts"
import { newBudget } from "../syntax/limits.ts"
import { entry, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { type ContentScan, scanContent } from "./content-scan.ts"
import { type ContentStreams, hasLayers } from "./content-streams.ts"
import { decodeContent } from "./decode-content.ts"
import { type Findings, NO_OBJECT } from "./finding.ts"
import type { ContentLayers, LayerUse } from "./layers.ts"
import { ifReadable, readDict, readItems, readValue } from "./read-value.ts"

/** All streams together; a renderer within its budget draws less. */
const MAX_DECODED_BYTES = 200_000_000
/** Operators deflate to a tenth or so; what is packed a hundred times says the same again and again. */
const budgetOf = ({ source }: Pdf) => ({
  left: Math.min(MAX_DECODED_BYTES, 100 * source.length + 10_000_000),
})
/** Decoded for resources, which many streams share. */
const MAX_KEPT_STREAMS = 4

type Check = {
  readonly pdf: Pdf
  readonly findings: Findings
  readonly streams: ContentStreams
  readonly layerUses: LayerUse[]
  readonly unbalanced: { readonly object: number; readonly what: string }[]
  readonly budget: { left: number }
}

export function checkContents(opened: Pdf, findings: Findings, streams: ContentStreams): ContentLayers {
  // Reading contents must not use up what the other checks may spend.
  const pdf = { ...opened, budget: newBudget(opened.source.length), objectStreams: new Map() }
  const check: Check = {
    pdf,
    findings,
    streams,
    layerUses: [],
    unbalanced: [],
    budget: budgetOf(pdf),
  }
  checkPages(check, opened)
  for (const [number, stream] of [...streams.byNumber].sort(([a], [b]) => a - b)) {
    pdf.budget.values = opened.budget.values
    if (pdf.objectStreams.size > MAX_KEPT_STREAMS) pdf.objectStreams.clear()
    const what = `The content of ${WHAT[stream.kind]}`
    const content = decodeContent(
      pdf,
      { type: "ref", number, generation: 0 },
      {
        budget: check.budget,
        allowsCutOff: true,
      },
    )
    if (typeof content === "string") findings.report("page-not-renderable", number, `${what} ${content}`)
    else {
      const scan = scanContent(content)
      const resources = ifReadable(pdf, () => resourcesIn(pdf, stream.resources))
      // 7.8.3: without resources of its own a form takes those of the page that uses it, and a glyph too.
      const isInherited = resources === undefined && !streams.nested.has(number)
      checkScan(check, number, what, scan, isInherited ? "inherited" : resources)
      if (stream.kind !== "form" && (usesLayers(scan) || hasLayers(pdf, resources)))
        findings.report(
          "layer-visibility",
          number,
          `${what} belongs to a layer, which only some readers support there`,
        )
    }
  }
  return check
}

const WHAT = { form: "a form XObject", pattern: "a pattern", glyph: "a glyph" } as const

const usesLayers = ({ layers, hasInlineLayer }: ContentScan): boolean => layers.size > 0 || hasInlineLayer

function checkPages(check: Check, opened: Pdf): void {
  const { pdf } = check
  const scans = new Map<string, ContentScan>()
  let index = 0
  for (const page of pages(opened)) {
    index += 1
    const object = page.ref?.number ?? NO_OBJECT
    const what = `The content of page ${index}`
    const items = ifReadable(pdf, () => readItems(pdf, page.lineage[0] ?? pdf.catalog, "Contents")) ?? []
    const key = items.map((item) => (isRef(item) ? item.number : "")).join(" ")
    const scan = scans.get(key) ?? scanItems(check, items, object, what)
    if (scan === undefined) continue
    scans.set(key, scan)
    checkScan(
      check,
      object,
      what,
      scan,
      ifReadable(pdf, () => pageResources(pdf, page)),
    )
  }
}

/** The streams of a page follow each other as if they were one (table 31); undefined where one of them cannot be decoded. */
function scanItems(
  check: Check,
  items: readonly PdfValue[],
  object: number,
  what: string,
): ContentScan | undefined {
  const { pdf, findings } = check
  const contents: Uint8Array[] = []
  const joints: number[] = []
  let length = 0
  for (const item of items) {
    const content =
      ifReadable(pdf, () => readValue(pdf, item)) === null
        ? null
        : decodeContent(pdf, item, { budget: check.budget })
    if (content === null)
      findings.report("reader-dependent", object, `${what} has a part that is null or missing`)
    else if (typeof content === "string") {
      findings.report("page-not-renderable", isRef(item) ? item.number : NO_OBJECT, `${what} ${content}`)
      return undefined
    } else {
      contents.push(content, LINE_FEED)
      length += content.length + 1
      joints.push(length - 1)
    }
  }
  const [only] = contents
  return contents.length === 2 && only !== undefined
    ? scanContent(only)
    : scanContent(Buffer.concat(contents, length), joints)
}

const LINE_FEED = Buffer.from("\n")

function checkScan(
  check: Check,
  object: number,
  what: string,
  scan: ContentScan,
  resources: PdfDict | undefined | "inherited",
): void {
  const { pdf, findings } = check
  if (scan.problem !== undefined)
    findings.report("reader-dependent", object, `${what} has ${scan.problem}, which readers show differently`)
  if (scan.isUnbalanced) check.unbalanced.push({ object, what })
  if (scan.hasInlineLayer) check.layerUses.push({ object, value: null, by: "content" })
  if (resources === "inherited") {
    // Readers look for layers in different resources there.
    for (const _ of scan.layers) check.layerUses.push({ object, value: null, by: "content" })
    return
  }
  const categories = new Map<string, PdfDict | undefined>()
  const find = (category: string, name: string): PdfValue => {
    if (!categories.has(category))
      categories.set(category, resources && ifReadable(pdf, () => readDict(pdf, resources, category)))
    const dict = categories.get(category)
    return dict === undefined ? null : entry(dict, name)
  }
  for (const key of scan.resources) {
    const space = key.indexOf(" ")
    const value = find(key.slice(0, space), key.slice(space + 1))
    if (value !== null && exists(pdf, value)) continue
    findings.report(
      "reader-dependent",
      object,
      `${what} uses a resource that it does not have (${key.slice(0, space)})`,
    )
  }
  for (const name of scan.layers)
    check.layerUses.push({ object, value: find("Properties", name), by: "content" })
}

function exists(pdf: Pdf, value: PdfValue): boolean {
  if (!isRef(value)) return true
  const found = findEntry(pdf.sections, value.number, pdf.budget)
  return found !== undefined && found.kind !== "free"
}

function pageResources(pdf: Pdf, { lineage }: Page): PdfDict | undefined {
  for (const dict of lineage) {
    const found = resourcesIn(pdf, entry(dict, "Resources"))
    if (found !== undefined) return found
  }
  return undefined
}

function resourcesIn(pdf: Pdf, value: PdfValue): PdfDict | undefined {
  const found = readValue(pdf, value)
  return isDict(found) ? found : undefined
}
