// Makes a PDF with one view of one with several: it draws what print shows into the pages and removes what could show something
// else. The caller renders both and compares them (gateways/src/pdf/flatten-view.ts).

import { baseOf } from "../base.ts"
import { printedLayers } from "../conditional/layers.ts"
import { readItems, readName } from "../conditional/read-value.ts"
import { readForm } from "../content/form.ts"
import { refuseSigned } from "../content/refuse-signed.ts"
import { asSource, type Source } from "../source.ts"
import { openPdf, type Pdf, resolve } from "../structure/document.ts"
import { MAX_NESTING } from "../syntax/limits.ts"
import { entry, isDict, isRef, type PdfValue } from "../syntax/value.ts"
import { amend, catalogOf, type Edits, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { writeRef } from "../write/syntax.ts"
import { endsBecause } from "./clean.ts"
import { drawAnnotations } from "./overlay.ts"
import { rewrite } from "./rewrite.ts"

export type Flattened = {
  readonly bytes: Uint8Array
  /** What the sender is shown: a sentence for each change. */
  readonly changes: readonly string[]
}

const MAX_CHANGES = 50

/** Throws `PdfRefused` with `locked` for a signed document, whose bytes nobody may change. */
export function flatten(base: Uint8Array | Source): Flattened {
  const document = baseOf(base)
  const pdf = openPdf(document.source, { toGrow: true })
  refuseSigned(pdf, "A signed document cannot be flattened.")
  const changes = new Set<string>()
  const changed = (sentence: string) => void (changes.size < MAX_CHANGES && changes.add(sentence))
  const edits = newEdits(pdf)
  const layers = printedLayers(pdf)
  drawAnnotations(edits, layers, changed)
  endForm(edits, pdf, changed)
  if (layers.size > 0) fixLayers(edits, layers)
  const { tail } = writeRevision(pdf, objectsOf(edits), document.hash("sha256").digest())
  const drawn = openPdf(asSource(Buffer.concat([document.source.read(0, document.source.length), tail])))
  const bytes = rewrite(drawn, (dict, key, value) => {
    const reason = endsBecause(drawn, dict, key, value)
    if (reason !== undefined) changed(reason)
    return reason !== undefined
  })
  return { bytes, changes: [...changes] }
}

/** Empty signature fields stay; the other fields are part of their pages now. */
function endForm(edits: Edits, pdf: Pdf, changed: (sentence: string) => void): void {
  const { dict } = readForm(pdf)
  if (dict === undefined) return
  if (resolve(pdf, entry(dict, "NeedAppearances")) === true)
    changed("The form no longer asks readers to draw its fields again.")
  const kept = readItems(pdf, dict, "Fields").filter((field) => keepsSignature(edits, field, undefined, 1))
  const refs = kept.filter(isRef).map(writeRef)
  amend(edits, catalogOf(edits), {
    AcroForm: refs.length === 0 ? "null" : `<< /Fields [${refs.join(" ")}] >>`,
  })
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
function fixLayers(edits: Edits, layers: ReadonlyMap<number, boolean>): void {
  const refs = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(" ")
  const all = refs([...layers.keys()])
  const off = refs([...layers].flatMap(([number, isOn]) => (isOn ? [] : [number])))
  const config = `<< /BaseState /ON /OFF [${off}] /Order [] /Locked [${all}] >>`
  amend(edits, catalogOf(edits), { OCProperties: `<< /OCGs [${all}] /D ${config} >>` })
}
