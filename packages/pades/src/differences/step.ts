// One step of a document's history, from a revision to the next. Rules look at the places that they know, before and
// after; each reference that they follow is claimed, and a changed object is explained when nothing else refers to it.

import type { Box } from "../content/page-frame.ts"
import type { PdfSignature } from "../signed/signatures.ts"
import { spendScanned } from "../syntax/limits.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import type { Changed } from "./changed.ts"
import type { FormTree } from "./fields.ts"
import type { ChangeKind, Drawn, Finding, Needs } from "./finding.ts"
import { type Graph, IN_ARRAY } from "./graph.ts"
import { changedKeys, isSame } from "./same.ts"
import { referred, type View } from "./view.ts"

export type Step = {
  readonly before: View
  readonly after: View
  readonly changed: ReadonlyMap<number, Changed>
  /** All objects that the revision writes, those too that mean the same as before. */
  readonly written: ReadonlySet<number>
  readonly graph: Graph
  /** Those that this revision was made for, by the name of their field. */
  readonly signatures: readonly PdfSignature[]
  /** Whether somebody has signed before, and not only a clock. */
  readonly isSigned: boolean
  /** Of each object, which references to it belong to a rule. */
  readonly claims: Claims
  /** The form before and after. */
  readonly forms: FormTree[]
  /** Whether the fields of a full name had no value before, as far as that was asked. */
  readonly wereEmpty: Map<string, boolean>
  /** Objects that must be used nowhere else, though this revision does not write them. */
  readonly alone: Set<number>
  readonly findings: Finding[]
  readonly drawn: Drawn[]
  /** Widgets that this revision adds or fills, by number: what that needs and where it was found. */
  readonly widgets: Map<number, Widget>
  /** The comments that a rule has looked at. */
  readonly comments: Set<number>
  /** The elements of the structure tree that have become longer by new widgets, and nothing else. */
  readonly structure: Set<number>
}

/** Of each object, the references to it, as source and key. */
export type Claims = Map<number, Set<string>>
/** Whoever follows references claims them. */
type Claiming = { readonly claims: Claims }

export type Widget = {
  readonly finding: Finding
  readonly rect: Box | undefined
  readonly why: Drawn["why"]
  readonly says?: string | undefined
  readonly isNew: boolean
}

/** A value, and where it is written: in which object, and under which key of it references from here are known. */
export type Place = {
  readonly view: View
  readonly value: PdfValue
  readonly home: number
  readonly key: string
  readonly path: string
  readonly isStream: boolean
}

export type DictPlace = Place & { readonly value: PdfDict }

export function claim({ claims }: Claiming, target: number, source: number, key: string): void {
  const known = claims.get(target)
  if (known === undefined) claims.set(target, new Set([`${source}/${key}`]))
  else known.add(`${source}/${key}`)
}

export function isClaimed({ claims, forms }: Step, target: number, source: number, key: string): boolean {
  const edge = `${source}/${key}`
  return (
    claims.get(target)?.has(edge) === true ||
    forms.some((form) => form.claims.get(target)?.has(edge) === true)
  )
}

export function isField({ forms }: Step, number: number): boolean {
  return forms.some(({ byNumber }) => byNumber.has(number))
}

/** The value under a key, wherever it is written. */
export function under(step: Claiming, from: DictPlace, key: string): Place {
  return follow(step, from, entry(from.value, key), key, `${from.path}/${key}`)
}

/** The items of a list; of those that are objects of their own only the wanted ones. */
export function itemsOf(
  step: Claiming,
  from: Place,
  isWanted: (ref: PdfRef) => boolean = () => true,
): readonly Place[] {
  if (!isArray(from.value)) return []
  return from.value.items.flatMap((item, i) =>
    isRef(item) && !isWanted(item) ? [] : follow(step, from, item, from.key, `${from.path}[${i}]`),
  )
}

// What it costs to follow a reference, in bytes that could be read meanwhile: a rule may follow the same one for every
// revision.
const FOLLOW_BYTES = 64

export function itemAt(step: Claiming, from: Place, index: number): Place {
  const item = isArray(from.value) ? (from.value.items[index] ?? null) : null
  return follow(step, from, item, from.key, `${from.path}[${index}]`)
}

function follow(step: Claiming, from: Place, value: PdfValue, key: string, path: string): Place {
  const { view } = from
  spendScanned(view.pdf.budget, FOLLOW_BYTES)
  if (!isRef(value)) return { view, value, home: from.home, key, path, isStream: false }
  claim(step, value.number, from.home, key)
  const { value: found, streamAt } = referred(view, value)
  return { view, value: found, home: value.number, key: IN_ARRAY, path, isStream: streamAt !== undefined }
}

export function isDictPlace(place: Place): place is DictPlace {
  return isDict(place.value)
}

export function find(
  step: Step,
  path: string,
  kind: ChangeKind,
  needs: Needs,
  more: Partial<Finding> = {},
): void {
  step.findings.push({ path, kind, needs, ...more })
}

export function differ(a: Place, b: Place): boolean {
  return !isSame({ view: a.view, of: a.value }, { view: b.view, of: b.value })
}

export function keysThatDiffer(a: DictPlace, b: DictPlace): readonly string[] {
  return changedKeys({ view: a.view, of: a.value }, { view: b.view, of: b.value })
}

/** Whether the object was not there before, so that nobody can have meant another one. */
export function isNew({ changed }: Step, number: number): boolean {
  const known = changed.get(number)
  return known !== undefined && known.before === undefined
}

export function draw(
  step: Step,
  page: number,
  rect: Drawn["rect"] | undefined,
  why: Drawn["why"],
  more: Pick<Drawn, "says" | "field"> = {},
): void {
  if (rect !== undefined) step.drawn.push({ page, rect, why, ...more })
}
