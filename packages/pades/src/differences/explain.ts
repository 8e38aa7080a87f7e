// The end of a step: a changed object is explained when each reference to it, before and after, belongs to a rule that
// has looked at it there. A new object needs that only where something referred to its number before there was one.
// Objects that nothing leads to are nowhere seen: the graph was walked from the trailer, in both revisions.

import { entry, isDict, isName } from "../syntax/value.ts"
import type { Changed } from "./changed.ts"
import type { ChangeKind } from "./finding.ts"
import { addStructure, DESTINATION, type Edge, edgesTo, IN_ARRAY, TRAILER } from "./graph.ts"
import type { PageTree } from "./page-tree.ts"
import { pathTo } from "./path.ts"
import { find, isClaimed, isField, type Step } from "./step.ts"

export type Unexplained = {
  readonly number: number
  readonly changed: Changed | undefined
  readonly edge: Edge
}

export function unexplained(step: Step, tree: PageTree | undefined): readonly Unexplained[] {
  if ([...step.changed].some(([number, changed]) => isLost(step, number, changed)))
    addStructure(step.graph, step.before, step.after, step.written)
  const found: Unexplained[] = []
  const asked = new Set([...step.changed.keys(), ...step.alone])
  // What an object leads to is explained only if nothing else leads to the object; a set grows while it is walked.
  for (const number of asked) {
    const changed = step.changed.get(number)
    for (const edge of edgesTo(step.graph, number, step.after.index)) {
      if (!isExplained(step, tree, number, changed, edge)) found.push({ number, changed, edge })
      // Table 256: the /Data of a signature reference names the catalog, which is judged by itself.
      else if (isData(step, number, edge)) continue
      else if (!isAnchor(step, tree, edge.source) && !isFresh(changed)) asked.add(edge.source)
    }
  }
  return found
}

function isData({ before }: Step, number: number, { key }: Edge): boolean {
  return key === "Data" && number === before.pdf.catalogRef.number
}

function isFresh(changed: Changed | undefined): boolean {
  return changed !== undefined && changed.before === undefined
}

/** What is understood wherever it is used. */
function isAnchor(step: Step, tree: PageTree | undefined, number: number): boolean {
  return (
    number === TRAILER ||
    number === step.before.pdf.catalogRef.number ||
    isField(step, number) ||
    step.structure.has(number) ||
    tree?.pages.has(number) === true
  )
}

/** Nothing seems to lead to it, and it is none of the objects that nothing ever leads to. */
function isLost(step: Step, number: number, { after: { value } }: Changed): boolean {
  if (edgesTo(step.graph, number, step.after.index).length > 0) return false
  const type = isDict(value) ? entry(value, "Type") : null
  return !isName(type, "XRef") && !isName(type, "ObjStm")
}

// Where an object is spoken of as what it is, and no more: a page as the place where something stands or as an aim of a
// jump, a field as a part of the form.
const OF_PAGE = new Set(["Kids", "P", "Pg", DESTINATION])
const OF_STRUCTURE = new Set(["StructTreeRoot", "ParentTree", "K", "P", "Nums", "Names", "Kids", IN_ARRAY])
const OF_FIELD = new Set(["Fields", "Kids", "Parent", "Annots", "Obj", "CO", "T", "IRT", "Popup"])

function isExplained(
  step: Step,
  tree: PageTree | undefined,
  number: number,
  changed: Changed | undefined,
  { source, key, since }: Edge,
): boolean {
  if (isClaimed(step, number, source, key)) return true
  // The trailer is compared key by key.
  if (isFresh(changed)) return since === step.after.index || source === TRAILER
  if (number === step.before.pdf.catalogRef.number) return key === "Data"
  if (isField(step, number) || step.comments.has(number))
    return (
      OF_FIELD.has(key) ||
      (key === IN_ARRAY && (tree?.lists.has(source) === true || isListOfFields(step, source)))
    )
  if (step.structure.has(number)) return OF_STRUCTURE.has(key)
  if (tree?.pages.has(number) === true)
    return OF_PAGE.has(key) || (key === IN_ARRAY && tree.nodes.has(source))
  // A rule has found something there already.
  return tree?.nodes.has(number) === true
}

function isListOfFields({ forms }: Step, number: number): boolean {
  return forms.some(({ claims }) => claims.has(number))
}

export function report(step: Step, tree: PageTree | undefined, all: readonly Unexplained[]): void {
  for (const { number, changed, edge } of all.slice(0, MAX_REPORTED)) {
    const view = edge.until === step.after.index ? step.before : step.after
    const { path, page } = pathTo(step, tree, view, edge)
    find(step, path, kindOf(path, changed), "never", { page })
    if (path === "") find(step, `object ${number}`, "structure", "never")
  }
  if (all.length > MAX_REPORTED) find(step, "and more", "other", "never")
}

const MAX_REPORTED = 200

const KINDS: readonly (readonly [RegExp, ChangeKind])[] = [
  [/\/(OpenAction|AA|A|JS|JavaScript|Names|URI)\b/, "action"],
  [/\/(Font|FontDescriptor|FontFile\d?|DescendantFonts|ToUnicode|Encoding)\b/, "font"],
  [/\/V(\/|$)/, "signature"],
  [/\/Annots\b/, "annotation"],
  [/\/(Contents|Resources|XObject|OCProperties)\b/, "content"],
  [/\/(Metadata|Info)\b/, "metadata"],
  [/^\/DSS\b/, "validation-data"],
  [/\/AcroForm\b/, "form-fill"],
  [/^\/Pages\b/, "page"],
]

function kindOf(path: string, changed: Changed | undefined): ChangeKind {
  const isImage = [changed?.before?.value ?? null, changed?.after.value ?? null].some(
    (value) => isDict(value) && isName(entry(value, "Subtype"), "Image"),
  )
  if (isImage) return "image"
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? "structure"
}
