// What a filled field means to a signature that was made before (ADR 0084): a value that it saw, and that is another one
// now, is not what was signed; a value that no later signature covers is unsigned.

import type { PdfSignature } from "../signed/signatures.ts"
import type { Change, FillStatus, Finding, Judged } from "./finding.ts"

/** `later` are the revisions after one signature, oldest first. */
export function fillStatuses(
  later: readonly Judged[],
  signatures: readonly PdfSignature[],
): (finding: Finding, revision: number) => FillStatus | undefined {
  // By name, because a name was empty only if all objects of it were. The first fill tells what the signature saw.
  const wasEmpty = new Map<string, boolean>()
  for (const { findings } of later)
    for (const { field, fill } of findings)
      if (field !== undefined && fill !== undefined && !wasEmpty.has(field))
        wasEmpty.set(field, fill.wasEmpty)
  // A time-stamp shows that a value was there, and says nothing of who gave it.
  const lastSigned = signatures.reduce(
    (last, { type, revision = -1 }) => (type === "document-timestamp" ? last : Math.max(last, revision)),
    -1,
  )
  return ({ field, fill }, revision) => {
    if (field === undefined || fill === undefined) return undefined
    if (wasEmpty.get(field) === false) return "replaced"
    return revision <= lastSigned ? "later" : "unsigned"
  }
}

export const isOpenFill = ({ fill }: Pick<Change, "fill">): boolean =>
  fill === "replaced" || fill === "unsigned"

/** The fields whose place on a page must look as it did when it was signed. */
export function changedValues(changes: readonly Change[]): (field: string | undefined) => boolean {
  const fields = new Set(changes.flatMap((one) => (isOpenFill(one) && one.field ? [one.field] : [])))
  return (field) => field !== undefined && fields.has(field)
}

const KEPT = 40

/** Of many fields that were filled in alike, the first ones and how many there are more. */
export function folded(changes: readonly Change[]): readonly Change[] {
  const fields = new Map<string, Set<string>>()
  const found: Change[] = []
  for (const change of changes) {
    if (change.field === undefined) {
      found.push(change)
      continue
    }
    const key = `${change.undefined} ${change.fill}`
    const known = fields.get(key) ?? new Set()
    fields.set(key, known.add(change.field))
    if (known.size <= KEPT) found.push(change)
  }
  for (const [key, { size }] of fields) {
    if (size <= KEPT) continue
    const like = changes.find((one) => one.field !== undefined && `${one.undefined} ${one.fill}` === key)
    if (like === undefined) continue
    const { page: _, field: __, ...rest } = like
    found.push({ ...rest, path: `/AcroForm/Fields: ${size - KEPT} more fields` })
  }
  return found
}
