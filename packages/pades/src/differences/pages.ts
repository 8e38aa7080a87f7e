// What may happen to a page: its list of annotations gets longer by the widgets of further signatures, and, where a
// certification allows it, by comments. Everything else of a page is what was signed.

import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { judgeAnnotation, judgeNewAnnotation, judgeRemovedAnnotation } from "./annotation.ts"
import type { ChangeKind, Finding } from "./finding.ts"
import { edgesTo } from "./graph.ts"
import type { PageEntry, PageTree } from "./page-tree.ts"
import { isSame } from "./same.ts"
import {
  type DictPlace,
  draw,
  find,
  isField,
  itemAt,
  keysThatDiffer,
  type Place,
  type Step,
  under,
} from "./step.ts"
import { storedAt, type View, valueIn } from "./view.ts"

export function judgePages(step: Step, tree: PageTree): void {
  for (const [number, path] of tree.nodes) if (step.changed.has(number)) judgeNode(step, number, path)
  const touched = new Set<PageEntry>()
  for (const number of step.changed.keys()) {
    const page = tree.pages.get(number)
    if (page !== undefined) touched.add(page)
    for (const one of tree.lists.get(number) ?? []) touched.add(one)
  }
  for (const page of touched) judgePage(step, page)
  judgeKnownAnnotations(step, tree)
}

function judgeNode(step: Step, number: number, path: string): void {
  const known = step.changed.get(number)
  const [old, now] = [known?.before?.value ?? null, known?.after.value ?? null]
  if (!isDict(old) || !isDict(now)) {
    find(step, path, "page", "never")
    return
  }
  const keys = keysThatDiffer(placeOf(step.before, number, old, path), placeOf(step.after, number, now, path))
  for (const key of keys) if (!isHarmless(key, now)) find(step, `${path}/${key}`, kindOfPageKey(key), "never")
}

function judgePage(step: Step, page: PageEntry): void {
  const { number, path, index } = page
  const [old, now] = [storedAt(step.before, number), storedAt(step.after, number)]
  if (!isDict(old?.value ?? null) || !isDict(now?.value ?? null) || now?.streamAt !== undefined) {
    find(step, path, "page", "never", { page: index })
    return
  }
  const before = placeOf(step.before, number, old?.value as PdfDict, path)
  const after = placeOf(step.after, number, now?.value as PdfDict, path)
  for (const key of keysThatDiffer(before, after))
    if (key !== "Annots" && !isHarmless(key, after.value))
      find(step, `${path}/${key}`, kindOfPageKey(key), "never", { page: index })
  judgeAnnots(step, page, under(step, before, "Annots"), under(step, after, "Annots"))
}

function placeOf(view: View, number: number, value: PdfDict, path: string): DictPlace {
  return { view, value, home: number, key: "", path, isStream: false }
}

// When the page was changed (table 31), and with what: a common library signs its work here.
const NOTES = new Set(["LastModified", "ITXT"])

function isHarmless(key: string, dict: PdfDict): boolean {
  const value = entry(dict, key)
  return NOTES.has(key) && typeof value === "object" && (value === null || value.type === "string")
}

export function kindOfPageKey(key: string): ChangeKind {
  if (key === "Contents" || key === "Resources") return "content"
  if (key === "AA" || key === "PresSteps") return "action"
  return "page"
}

function judgeAnnots(step: Step, page: PageEntry, before: Place, after: Place): void {
  if (after.isStream || !(after.value === null || isArray(after.value))) {
    find(step, after.path, "annotation", "never", { page: page.index })
    return
  }
  const [old, now] = [before, after].map(({ value }) => (isArray(value) ? value.items : []))
  if (old === undefined || now === undefined) return
  // In order: what lies above what is part of how a page looks. One that has moved is one removed and one added.
  const places = new Map<number, number>()
  for (const [i, item] of old.entries())
    if (isRef(item) && !places.has(item.number)) places.set(item.number, i)
  const kept = new Set<number>()
  let at = 0
  for (const [i, item] of now.entries()) {
    const found = isRef(item) ? places.get(item.number) : isSameAt(step, old[at], item) ? at : undefined
    if (found === undefined || found < at) judgeAdded(step, page, itemAt(step, after, i))
    else {
      at = found + 1
      kept.add(found)
    }
  }
  for (const i of old.keys())
    if (!kept.has(i)) judgeRemovedAnnotation(step, page.index, itemAt(step, before, i))
}

/** An annotation that stands in the list itself. */
function isSameAt({ before, after }: Step, old: PdfValue | undefined, now: PdfValue): boolean {
  return old !== undefined && !isRef(old) && isSame({ view: before, of: old }, { view: after, of: now })
}

function judgeAdded(step: Step, page: PageEntry, place: Place): void {
  const widget = step.widgets.get(place.home)
  // A field may have waited for its signature without being on a page.
  if (widget !== undefined && (widget.isNew || widget.why === "signature")) {
    draw(step, page.index, widget.rect, widget.why)
    const isUnseen = widget.isNew && widget.rect === undefined
    if (widget.finding.needs !== "nothing")
      step.findings.push({ ...widget.finding, path: place.path, page: page.index, isUnseen })
    return
  }
  judgeNewAnnotation(step, page.index, place)
}

/** What was listed on a page before and has changed: a field that was filled, or a comment. */
function judgeKnownAnnotations(step: Step, tree: PageTree): void {
  for (const [number, { before, after }] of step.changed) {
    // The list itself stands under the same key.
    if (before === undefined || tree.lists.has(number) || isField(step, number)) continue
    for (const page of pagesOf(step, tree, number)) judgeAnnotation(step, page, number, before, after)
  }
  for (const [number, widget] of step.widgets) {
    if (widget.isNew) continue
    const pages = pagesOf(step, tree, number)
    const [first] = pages
    step.findings.push({ ...widget.finding, page: first?.index } satisfies Finding)
    for (const { index } of pages)
      draw(step, index, widget.rect, widget.why, { says: widget.says, field: widget.finding.field })
  }
}

/** The pages that list an annotation, by the references that lead to it. */
function pagesOf(step: Step, tree: PageTree, number: number): readonly PageEntry[] {
  const found = new Set<PageEntry>()
  // Of an object that no revision writes nobody has kept who refers to it.
  if (step.graph.written[number] !== 1) return listing(step, tree).get(number) ?? []
  for (const { source, key } of edgesTo(step.graph, number, step.after.index)) {
    const page = tree.pages.get(source)
    if (page !== undefined && key === "Annots") found.add(page)
    for (const one of tree.lists.get(source) ?? []) found.add(one)
  }
  return [...found]
}

const listings = new WeakMap<Step, ReadonlyMap<number, readonly PageEntry[]>>()

/** Which pages list which annotations, read once for a step. */
function listing(step: Step, tree: PageTree): ReadonlyMap<number, readonly PageEntry[]> {
  const known = listings.get(step)
  if (known !== undefined) return known
  const found = new Map<number, PageEntry[]>()
  for (const page of tree.pages.values()) {
    const dict = storedAt(step.before, page.number)?.value ?? null
    const annots = isDict(dict) ? valueIn(step.before, entry(dict, "Annots")) : null
    for (const item of isArray(annots) ? annots.items : []) {
      if (!isRef(item)) continue
      const others = found.get(item.number)
      if (others === undefined) found.set(item.number, [page])
      else if (others.at(-1) !== page) others.push(page)
    }
  }
  listings.set(step, found)
  return found
}
