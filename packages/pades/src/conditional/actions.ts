// Actions (ISO 32000-2, 12.6). Only those are accepted that open a web address or turn to a page of the same document; the
// others change what is shown, open files or send data.

import type { Pdf } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { isProgram } from "./embedded-executables.ts"
import type { Findings } from "./finding.ts"
import { quoted } from "./finding.ts"
import { readDict, readEntry, readName, readText, readValue } from "./read-value.ts"

const ALLOWED = new Set(["URI", "GoTo", "GoToDp", "Trans"])
/** 12.6.4.12; printing asks first, and some invoices offer it. */
const ALLOWED_NAMED = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage", "Print"])
/** Table 201, and those of 13.6 and 13.7: refused wherever they stand. JavaScript and Launch have reasons of their own (active.ts). */
const REFUSED = new Set([
  ...["GoToR", "GoToE", "Thread", "Sound", "Movie", "Hide", "SubmitForm", "ResetForm", "ImportData"],
  ...["SetOCGState", "Rendition", "GoTo3DView", "RichMediaExecute"],
])
const ACTIVE = new Set(["JavaScript", "Launch"])

export function checkActions(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const type = dict.entries.has("S") ? readName(pdf, dict, "S") : undefined
  if (type !== undefined && REFUSED.has(type)) report(findings, object, type)
  if (type === "URI") checkAddress(pdf, findings, object, dict)
  if (dict.entries.has("URI") && isDict(readEntry(pdf, dict, "URI"))) checkBase(pdf, findings, object, dict)
  // 12.6.4.17: what the name tree /JavaScript holds runs when the document is opened, with or without a type.
  if (dict.entries.has("JavaScript") && readDict(pdf, dict, "JavaScript") !== undefined)
    findings.report("action", object, "The document has scripts (/JavaScript), which are not allowed")
  for (const key of ["A", "OpenAction", "PA", "NA"])
    if (dict.entries.has(key)) checkAction(pdf, findings, object, entry(dict, key))
  if (type !== undefined && dict.entries.has("Next"))
    for (const next of listOf(pdf, entry(dict, "Next"))) checkAction(pdf, findings, object, next)
  const triggers = dict.entries.has("AA") ? readEntry(pdf, dict, "AA") : null
  if (isDict(triggers))
    for (const { value } of triggers.entries.values()) checkAction(pdf, findings, object, value)
}

/** A place where an action is expected: an unknown type is refused too, because some reader may know it. */
function checkAction(pdf: Pdf, findings: Findings, object: number, value: PdfValue): void {
  const action = readValue(pdf, value)
  if (!isDict(action) || !action.entries.has("S")) return
  const type = readName(pdf, action, "S") ?? "unknown"
  if (!isAllowed(pdf, action, type) && !ACTIVE.has(type))
    report(findings, isRef(value) ? value.number : object, type)
}

function isAllowed(pdf: Pdf, action: PdfDict, type: string): boolean {
  return ALLOWED.has(type) || (type === "Named" && ALLOWED_NAMED.has(readName(pdf, action, "N") ?? ""))
}

/** The type of an action that is not allowed, whether or not a click starts it; undefined for one that is. */
export function refusedAction(pdf: Pdf, value: PdfValue): string | undefined {
  const action = readValue(pdf, value)
  if (!isDict(action) || !action.entries.has("S")) return undefined
  const type = readName(pdf, action, "S") ?? "unknown"
  return isAllowed(pdf, action, type) && !opensFile(pdf, action) ? undefined : type
}

const report = (findings: Findings, object: number, type: string): void =>
  findings.report("action", object, `An action of type ${quoted(type)} is not allowed, only URI and GoTo are`)

const ALLOWED_SCHEMES = new Set(["http", "https", "mailto", "tel"])
const WEB_SCHEMES = new Set(["http", "https"])

function checkAddress(pdf: Pdf, findings: Findings, object: number, action: PdfDict): void {
  if (opensFile(pdf, action))
    findings.report(
      "action",
      object,
      `A link opens something else than a web address, mail or telephone: ${quoted(addressOf(pdf, action))}`,
    )
}

/** 12.6.4.8: relative addresses are resolved with it. */
function checkBase(pdf: Pdf, findings: Findings, object: number, catalog: PdfDict): void {
  const base = readDict(pdf, catalog, "URI")
  if (base === undefined || !base.entries.has("Base")) return
  const address = plainAddress(readText(pdf, base, "Base") ?? "")
  if (!WEB_SCHEMES.has(schemeOf(address) ?? ""))
    findings.report("action", object, `The base of all links is no web address: ${quoted(address)}`)
}

const addressOf = (pdf: Pdf, action: PdfDict): string => plainAddress(readText(pdf, action, "URI") ?? "")

/** Browsers leave out white space and control characters in front of and inside the scheme. */
const plainAddress = (address: string): string => address.replace(/[\p{C}\p{Z}]+/gu, "")

/** RFC 3986, 3.1. */
const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()

/** A relative address is one of the site that /Base names; without a scheme, ":" and "\\" only occur in names of files. */
function opensFile(pdf: Pdf, action: PdfDict): boolean {
  const address = addressOf(pdf, action)
  const scheme = schemeOf(address)
  if (scheme !== undefined) return !ALLOWED_SCHEMES.has(scheme)
  const [path = ""] = address.split(/[?#]/u)
  return /^[\\/]{2}/u.test(path) || path.includes("\\") || path.includes(":") || isProgram(path)
}

function listOf(pdf: Pdf, value: PdfValue): readonly PdfValue[] {
  const list = readValue(pdf, value)
  return isArray(list) ? list.items : [value]
}
