// What may happen to the trailer and to the catalog (ISO 32000-2, 7.5.5 and 7.7.2). Each key that is not named here has
// to stay as it is, and so does all that it leads to.

import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { rootOf } from "./fields.ts"
import type { ChangeKind } from "./finding.ts"
import { TRAILER } from "./graph.ts"
import { isSame } from "./same.ts"
import {
  claim,
  type DictPlace,
  differ,
  find,
  isDictPlace,
  isNew,
  keysThatDiffer,
  type Step,
  under,
} from "./step.ts"
import { type View, valueIn } from "./view.ts"

// What describes one section, or one stream, or is judged by a rule of its own.
const OF_SECTION = new Set(
  "Size Prev XRefStm Type W Index Length Filter DecodeParms DL Info ID Root DocChecksum".split(" "),
)

export function judgeTrailer(step: Step): void {
  const { before, after } = step
  const [old, now] = [trailerOf(before), trailerOf(after)]
  const [from, to] = [before.pdf.catalogRef, after.pdf.catalogRef]
  claim(step, from.number, TRAILER, "Root")
  claim(step, to.number, TRAILER, "Root")
  // Some write a new catalog each time. It is compared with the old one as any; but nothing old may become one.
  if (from.number === to.number ? from.generation !== to.generation : !isNew(step, to.number))
    find(step, "/Root of the trailer", "structure", "never")
  for (const key of keysThatDiffer(old, now))
    if (!OF_SECTION.has(key)) find(step, `/${key} of the trailer`, "structure", "never")
  if (!isSameDocument(step, old.value, now.value)) find(step, "/ID of the trailer", "structure", "never")
}

export function trailerOf(view: View): DictPlace {
  return { view, value: view.pdf.trailer, home: TRAILER, key: "", path: "", isStream: false }
}

// 14.4: the first identifier is that of the document, the second that of its revision. Some writers give none.
function isSameDocument({ before, after }: Step, old: PdfDict, now: PdfDict): boolean {
  const [a, b] = [valueIn(before, entry(old, "ID")), valueIn(after, entry(now, "ID"))]
  // It is of no use but for finding the document again, unless the key of an encryption is made from it.
  if (before.pdf.encryption === undefined || a === null || b === null) return true
  if (!isArray(a) || !isArray(b)) return false
  return isSame({ view: before, of: a.items[0] ?? null }, { view: after, of: b.items[0] ?? null })
}

const JUDGED = new Set(["AcroForm", "DSS", "Metadata", "Extensions", "Version", "Perms"])

export function judgeCatalog(step: Step): void {
  const [old, now] = [rootOf(step.before), rootOf(step.after)]
  for (const key of keysThatDiffer(old, now))
    if (!JUDGED.has(key)) find(step, `/${key}`, kindOfCatalogKey(key), "never")
  judgeVersion(step, now)
  judgeExtensions(step, old, now)
  judgePermissions(step, old, now)
}

export function kindOfCatalogKey(key: string): ChangeKind {
  if (["OpenAction", "AA", "Names", "URI"].includes(key)) return "action"
  if (key === "Pages" || key === "PageLabels") return "page"
  return key === "OCProperties" ? "content" : "structure"
}

// 7.2.2: a later revision may need a later version.
function judgeVersion(step: Step, catalog: DictPlace): void {
  const version = valueIn(step.after, entry(catalog.value, "Version"))
  if (version === null) return
  if (typeof version !== "object" || version.type !== "name" || !/^[12]\.\d$/.test(version.name))
    find(step, "/Version", "structure", "never")
}

// 7.12: which extensions of the standard the document uses, such as ESIC and ADBE.
const OF_EXTENSION = new Set(["Type", "BaseVersion", "ExtensionLevel", "URL", "ExtensionRevision"])

function judgeExtensions(step: Step, before: DictPlace, after: DictPlace): void {
  const [old, now] = [under(step, before, "Extensions"), under(step, after, "Extensions")]
  if (!differ(old, now)) return
  const isSound = now.value === null || (isDictPlace(now) && !now.isStream && isExtensions(step, now.value))
  find(step, "/Extensions", isSound ? "validation-data" : "structure", isSound ? "nothing" : "never")
}

function isExtensions({ after }: Step, extensions: PdfDict): boolean {
  return [...extensions.entries].every(([key, { value }]) => {
    if (key === "Type") return true
    const found = valueIn(after, value)
    const all = isArray(found) ? found.items.map((item) => valueIn(after, item)) : [found]
    return all.every(isExtension)
  })
}

function isExtension(value: PdfValue): boolean {
  if (!isDict(value)) return false
  return [...value.entries].every(
    ([key, { value: inner }]) => OF_EXTENSION.has(key) && !isDict(inner) && !isArray(inner) && !isRef(inner),
  )
}

// 12.8.6: who certifies does so first, and what a certification allows is never changed.
function judgePermissions(step: Step, before: DictPlace, after: DictPlace): void {
  const [old, now] = [under(step, before, "Perms"), under(step, after, "Perms")]
  const isTouched = now.home !== after.home && step.changed.has(now.home)
  if (!differ(old, now) && !isTouched) return
  const isFirst = !step.isSigned && old.value === null && isDictPlace(now) && !now.isStream
  const named = isDictPlace(now) ? entry(now.value, "DocMDP") : null
  const isAlone =
    isDictPlace(now) && [...now.value.entries.keys()].every((key) => key === "DocMDP" || key === "Type")
  const isOfNow = isRef(named) && step.changed.has(named.number)
  if (!(isFirst && isAlone && isOfNow)) find(step, "/Perms", "signature", "never")
}
