// Makes a PDF with one view of one with several: it draws what print shows into the pages and removes what could show something
// else. The caller renders both and compares them (gateways/src/pdf/flatten-view.ts).

import { baseOf } from "../base.ts"
import { quoted } from "../conditional/finding.ts"
import { printedLayers } from "../conditional/layers.ts"
import { readItems, readName, readText, readValue } from "../conditional/read-value.ts"
import { readForm } from "../content/form.ts"
import { refuseSigned } from "../content/refuse-signed.ts"
import { asSource, type Source } from "../source.ts"
import { openPdf, type Pdf, resolve } from "../structure/document.ts"
import { MAX_NESTING } from "../syntax/limits.ts"
import { entry, isDict, isRef, type PdfValue } from "../syntax/value.ts"
import { amend, catalogOf, type Edits, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { writeRef } from "../write/syntax.ts"
import { endsBecause, endsSilently, isTagOf, programRemoved, programsIn } from "./clean.ts"
import { drawAnnotations } from "./overlay.ts"
import { rewrite } from "./rewrite.ts"

export type Flattened = {
  readonly bytes: Uint8Array
  /** What the sender is shown: a sentence for each change. */
  readonly changes: readonly string[]
}

const MAX_CHANGES = 50

/** Throws `PdfRefused` with `locked` for a signed document, whose bytes must not change. */
export function flatten(base: Uint8Array | Source): Flattened {
  const document = baseOf(base)
  const pdf = openPdf(document.source, { toGrow: true })
  refuseSigned(pdf, "A signed document cannot be flattened.")
  const { changed, list } = newChanges()
  const ended = new Set<number>()
  const edits = newEdits(pdf)
  const layers = printedLayers(pdf)
  drawAnnotations(edits, { layers, ended, changed })
  endForm(edits, { pdf, ended, changed })
  if (layers.size > 0) fixLayers(edits, layers, changed)
  const { tail } = writeRevision(pdf, objectsOf(edits), document.hash("sha256").digest())
  const drawn = openPdf(asSource(Buffer.concat([document.source.read(0, document.source.length), tail])))
  const bytes = rewrite(drawn, {
    objects: new Set([...ended, ...programsIn(drawn, changed)]),
    entry: (dict, key, value) => {
      if (endsSilently(drawn, dict, key)) return true
      const reason = key === "EF" ? programRemoved(drawn, dict) : endsBecause(drawn, dict, key, value)
      if (reason !== undefined) changed(reason)
      return reason !== undefined
    },
    item: (dict) => {
      const isTag = isTagOf(dict, ended)
      if (isTag)
        changed(
          "The tags of these fields and annotations, which describe them to a screen reader, were removed.",
        )
      return isTag || programRemoved(drawn, dict) !== undefined
    },
  })
  return { bytes, changes: list() }
}

type Changed = (sentence: string) => void

/** A sentence is listed once; how many are not listed is a sentence too. */
function newChanges(): { readonly changed: Changed; readonly list: () => readonly string[] } {
  const changes = new Set<string>()
  const list = () => {
    const more = changes.size - MAX_CHANGES
    const listed = [...changes].slice(0, MAX_CHANGES)
    return more > 0 ? [...listed, `${more} more changes of these kinds are not listed.`] : listed
  }
  return { changed: (sentence) => void changes.add(sentence), list }
}

type Ending = { readonly pdf: Pdf; readonly ended: Set<number>; readonly changed: Changed }

/** Empty signature fields stay; the other fields are part of their pages now. */
function endForm(edits: Edits, { pdf, ended, changed }: Ending): void {
  const { dict } = readForm(pdf)
  if (dict === undefined) return
  if (resolve(pdf, entry(dict, "NeedAppearances")) === true)
    changed("The form no longer asks readers to draw its fields again.")
  const fields = readItems(pdf, dict, "Fields")
  const kept = fields.filter((field) => keepsSignature(edits, field, undefined, 1))
  endFields(edits, fields, ended)
  const refs = kept.filter(isRef).map(writeRef)
  amend(edits, catalogOf(edits), {
    AcroForm: refs.length === 0 ? "null" : `<< /Fields [${refs.join(" ")}] >>`,
  })
}

/** Everything below the form but what leads to a signature field, or belongs to one. */
function endFields(edits: Edits, fields: readonly PdfValue[], ended: Set<number>): void {
  const waiting = fields
    .filter(isRef)
    .map((field) => ({ field, type: undefined as string | undefined, depth: 1 }))
  const met = new Set<number>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { field, type: inherited, depth } = next
    const dict = resolve(edits.pdf, field)
    if (met.has(field.number) || !isDict(dict)) continue
    met.add(field.number)
    const type = readName(edits.pdf, dict, "FT") ?? inherited
    if (type !== "Sig" && !keepsSignature(edits, field, inherited, depth)) ended.add(field.number)
    for (const kid of readItems(edits.pdf, dict, "Kids").filter(isRef))
      waiting.push({ field: kid, type, depth: depth + 1 })
  }
}

/** Whether it is a signature field, or leads to one; the other kids of such a field end. */
function keepsSignature(
  edits: Edits,
  field: PdfValue,
  inherited: string | undefined,
  depth: number,
): boolean {
  const { pdf } = edits
  const dict = resolve(pdf, field)
  if (!isRef(field) || !isDict(dict) || depth > MAX_NESTING) return false
  const type = readName(pdf, dict, "FT") ?? inherited
  const kids = readItems(pdf, dict, "Kids")
  // 12.7.4.1: a kid without a name of its own is a widget of its parent.
  const isTerminal = !kids.some((kid) => {
    const named = resolve(pdf, kid)
    return isDict(named) && named.entries.has("T")
  })
  if (isTerminal) return type === "Sig"
  const kept = kids.filter((kid) => keepsSignature(edits, kid, type, depth + 1)).filter(isRef)
  if (kept.length > 0 && kept.length < kids.length)
    amend(edits, { ref: field, dict }, { Kids: `[${kept.map(writeRef).join(" ")}]` })
  return kept.length > 0
}

/** 8.11.4.3: the state of print for all, and no list in which a person could switch it. */
function fixLayers(edits: Edits, layers: ReadonlyMap<number, boolean>, changed: Changed): void {
  for (const [number, isOn] of layers) {
    const dict = readValue(edits.pdf, { type: "ref", number, generation: 0 })
    if (!isDict(dict)) continue
    const name = `The layer ${quoted(readText(edits.pdf, dict, "Name") ?? "")}`
    if (!isOn) changed(`${name} is hidden now, as in print. Its content is still in the file.`)
    else if (dict.entries.has("Usage")) changed(`${name} is always shown now, as in print.`)
  }
  const refs = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(" ")
  const all = refs([...layers.keys()])
  const off = refs([...layers].flatMap(([number, isOn]) => (isOn ? [] : [number])))
  const config = `<< /BaseState /ON /OFF [${off}] /Order [] /Locked [${all}] >>`
  amend(edits, catalogOf(edits), { OCProperties: `<< /OCGs [${all}] /D ${config} >>` })
}
