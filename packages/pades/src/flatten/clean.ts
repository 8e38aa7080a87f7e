// Which entries of a dictionary end when a document is flattened: actions that are not allowed, versions of images for print,
// states of layers that depend on usage, and embedded programs.

import { refusedAction } from "../conditional/actions.ts"
import { checkFileSpecification } from "../conditional/embedded-executables.ts"
import { NO_OBJECT, newFindings, quoted } from "../conditional/finding.ts"
import { readName, readText, readValue } from "../conditional/read-value.ts"
import type { Pdf } from "../structure/document.ts"
import { isDict, type PdfDict, type PdfValue } from "../syntax/value.ts"

/** A sentence where the entry ends; undefined where it stays. */
export function endsBecause(pdf: Pdf, dict: PdfDict, key: string, value: PdfValue): string | undefined {
  if (["A", "OpenAction", "PA", "NA", "Next"].includes(key)) {
    const type = refusedAction(pdf, value) ?? (key === "OpenAction" ? addressOpened(pdf, value) : undefined)
    return type && `An action of type ${quoted(type)} was removed.`
  }
  if (key === "AA") return "Actions without a click were removed."
  if (key === "JavaScript" && !dict.entries.has("S")) return "The scripts of the document were removed."
  if (key === "Alternates") return "The version of an image for print was removed."
  if (key === "Usage" && readName(pdf, dict, "Type") === "OCG")
    return `The layer ${quoted(readText(pdf, dict, "Name") ?? "")} has the state now in which it is printed.`
  if (key === "EF" && isExecutable(pdf, dict))
    return `The embedded file ${quoted(readText(pdf, dict, "UF") ?? readText(pdf, dict, "F") ?? "")} was removed.`
  return undefined
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
