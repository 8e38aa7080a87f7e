// Which entries of a dictionary end when a document is flattened: actions that are not allowed, versions of images for print,
// states of layers that depend on usage, and embedded programs.

import { refusedAction } from "../conditional/actions.ts"
import { checkFileSpecification } from "../conditional/embedded-executables.ts"
import { NO_OBJECT, newFindings, quoted } from "../conditional/finding.ts"
import { readName, readText, readValue } from "../conditional/read-value.ts"
import { PAGE_AREAS } from "../conditional/reader-features.ts"
import { visitReachable } from "../content/reachable.ts"
import type { Pdf } from "../structure/document.ts"
import { newBudget } from "../syntax/limits.ts"
import { entry, isDict, isName, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"

/** A sentence where the entry ends; undefined where it stays. */
export function endsBecause(pdf: Pdf, dict: PdfDict, key: string, value: PdfValue): string | undefined {
  if (["A", "OpenAction", "PA", "NA", "Next"].includes(key)) {
    const type = refusedAction(pdf, value) ?? (key === "OpenAction" ? addressOpened(pdf, value) : undefined)
    return type && `An action of type ${quoted(type)} was removed.`
  }
  if (key === "AA") return "Actions without a click were removed."
  if (key === "JavaScript" && !dict.entries.has("S")) return "The scripts of the document were removed."
  if (key === "Alternates") return "The version of an image for print was removed."
  if (key === "Collection") return "The PDF opens with its pages now, and not as a portfolio."
  if (PAGE_AREAS.includes(key))
    return `Readers show and print whole pages now: the area for them (${key}) was removed.`
  if (key === "PieceInfo") return "Data of the programs that made the document (PieceInfo) were removed."
  return undefined
}

/** Layers that have one state now; the sentence about it is that of their new state. */
export const endsSilently = (pdf: Pdf, dict: PdfDict, key: string): boolean =>
  key === "Usage" && readName(pdf, dict, "Type") === "OCG"

/** A sentence where this is an embedded program; undefined for any other dictionary. */
export const programRemoved = (pdf: Pdf, dict: PdfDict): string | undefined =>
  dict.entries.has("EF") && isExecutable(pdf, dict)
    ? `The embedded file ${quoted(readText(pdf, dict, "UF") ?? readText(pdf, dict, "F") ?? "")} was removed.`
    : undefined

/** Programs that are objects of their own, so that nothing refers to them any more. */
export function programsIn(pdf: Pdf, removed: (sentence: string) => void): readonly number[] {
  const found: number[] = []
  const walked = { ...pdf, budget: newBudget(pdf.source.length), objectStreams: new Map() }
  visitReachable(walked, {
    object: (number, value) => {
      const sentence = isDict(value) ? programRemoved(walked, value) : undefined
      if (sentence === undefined) return
      removed(sentence)
      found.push(number)
    },
    unreadable: () => undefined,
  })
  return found
}

/** 14.7.5.3: what the structure tree says of an annotation. */
export function isTagOf(dict: PdfDict, ended: ReadonlySet<number>): boolean {
  const target = entry(dict, "Obj")
  return isName(entry(dict, "Type"), "OBJR") && isRef(target) && ended.has(target.number)
}

/** A web address may be opened by a click alone. */
function addressOpened(pdf: Pdf, value: PdfValue): string | undefined {
  const action = readValue(pdf, value)
  const type = isDict(action) ? readName(pdf, action, "S") : undefined
  return type === "URI" ? type : undefined
}

function isExecutable(pdf: Pdf, dict: PdfDict): boolean {
  const findings = newFindings()
  checkFileSpecification(pdf, findings, NO_OBJECT, dict)
  return findings.list().length > 0
}
