// Which objects a revision changes: those of its cross-reference section that differ from what they were before.

import type { Revision } from "../signed/revisions.ts"
import type { XrefEntry } from "../structure/xref-section.ts"
import { entry, isDict, isName } from "../syntax/value.ts"
import type { Finding } from "./finding.ts"
import { isSameStored } from "./same.ts"
import { entryOf, numbersOf, type Stored, storedAt, type View } from "./view.ts"

export type Changed = {
  /** Nothing where there was no such object. */
  readonly before: Stored | undefined
  readonly after: Stored
}

export type ChangedObjects = {
  readonly objects: ReadonlyMap<number, Changed>
  /** All that are written anew, those too that mean the same: they may lead there by other objects, which may change later. */
  readonly written: ReadonlySet<number>
  readonly findings: readonly Finding[]
}

export function changedObjects(before: View, after: View, revision: Revision): ChangedObjects {
  const objects = new Map<number, Changed>()
  const written = new Set<number>()
  const findings: Finding[] = []
  for (const number of numbersOf(revision.sections)) {
    const [old, now] = [entryOf(before, number), entryOf(after, number)]
    if (isSameEntry(old, now)) continue
    written.add(number)
    const fault = faultOf(before, after, number, old, now)
    if (fault !== undefined) findings.push({ path: `${fault} ${number}`, kind: "structure", needs: "never" })
    const stored = now === undefined ? undefined : storedAt(after, number)
    if (stored === undefined) continue
    const known = old === undefined ? undefined : storedAt(before, number)
    if (known !== undefined && isSameStored({ view: before, of: known }, { view: after, of: stored }))
      continue
    if (known !== undefined && (known.streamAt === undefined) !== (stored.streamAt === undefined))
      findings.push({ path: `Another kind of object: ${number}`, kind: "structure", needs: "never" })
    objects.set(number, { before: known, after: stored })
  }
  return { objects, written, findings }
}

function isSameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === "plain") return b.kind === "plain" && a.offset === b.offset && a.generation === b.generation
  return (
    a.kind === "packed" && b.kind === "packed" && a.streamNumber === b.streamNumber && a.index === b.index
  )
}

function faultOf(
  before: View,
  after: View,
  number: number,
  old: XrefEntry | undefined,
  now: XrefEntry | undefined,
): string | undefined {
  if (now === undefined) return "Freed: object"
  const generations = [old, now].map((one) => (one?.kind === "plain" ? one.generation : 0))
  if (old !== undefined && generations[0] !== generations[1]) return "Another generation: object"
  // What was hidden in the signed part must not come to light: a revision names what it brings along.
  const holder = now.kind === "packed" ? entryOf(after, now.streamNumber) : now
  if (holder?.kind !== "plain" || holder.offset < after.start)
    return "Brought back from an earlier revision: object"
  const known = old === undefined ? undefined : storedAt(before, number)?.value
  const isContainer = known !== undefined && isDict(known) && isName(entry(known, "Type"), "ObjStm")
  return isContainer ? "Overwritten: object stream" : undefined
}
