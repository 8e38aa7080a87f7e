// What happened to a document after each of its signatures. Every later revision is compared with the one before it:
// each object that it changes must be explained, at every place where it is used, by a rule that knows what it is for;
// what no rule explains is undefined. ISO 32000-2, 12.8.2, says what may happen; how to find out it leaves open.

import type { Box } from "../content/page-frame.ts"
import { PdfRefused } from "../refused.ts"
import { type Revision, readRevisions } from "../signed/revisions.ts"
import type { PdfSignature } from "../signed/signatures.ts"
import type { Pdf } from "../structure/document.ts"
import { type Budget, isSpent, newBudget } from "../syntax/limits.ts"
import { hasStrayEnd } from "./bytes.ts"
import { changedValues, fillStatuses, folded } from "./fills.ts"
import type { Change, Drawn, FillStatus, Finding, Judged } from "./finding.ts"
import { beginHistory, type History, judgeRevision } from "./history.ts"
import { isForbidden, type Restriction, readRestrictions } from "./permissions.ts"
import { newShared } from "./view.ts"

export type { Change, ChangeKind, FillStatus } from "./finding.ts"

export type Differences = {
  readonly changes: readonly Change[]
  /** The pages that may look different, counted from 0: whoever wants to know has to look at them. */
  readonly pages: readonly ChangedPage[]
}

export type ChangedPage = {
  readonly page: number
  /** Where something may be drawn, in the coordinates of the page; nothing outside may look different. */
  readonly allowed: readonly AllowedArea[]
}

export type AllowedArea = {
  readonly rect: Box
  /** "changed-value": a value that the signature saw, or that no signature covers, so that it must look the same. */
  readonly why: Drawn["why"] | "changed-value"
  /** The value of the text field that is there now: its appearance must say the same. */
  readonly says?: string
}

const MAX_CHANGES = 200

/** For each signature and document time-stamp, by the name of its field. A bad one is an answer, never an error. */
export function findDifferences(
  pdf: Pdf,
  signatures: readonly PdfSignature[],
): ReadonlyMap<string, Differences> {
  const steps = judgeDocument(pdf, signatures)
  const found = new Map<string, Differences>()
  for (const signature of signatures) {
    const own = after(pdf, signature, steps, signatures)
    const twin = found.get(signature.fieldName)
    found.set(signature.fieldName, twin === undefined ? own : twins(twin, own))
  }
  return found
}

/** What each revision did, and whether anybody forbade it: that is the same for all who have signed before. */
type Told = Judged & { readonly isForbidden: readonly boolean[] }

function judgeDocument(pdf: Pdf, signatures: readonly PdfSignature[]): readonly Told[] {
  const known = signatures.map(({ revision }) => revision).filter((one) => one !== undefined)
  if (known.length === 0) return []
  const first = Math.min(...known)
  try {
    const revisions = readRevisions(pdf)
    const steps = judgeAll(pdf, signatures, revisions, first)
    const end = revisions.at(-1)?.end?.line
    if (end !== undefined && hasStrayEnd(pdf.source, end))
      steps.push({ revision: revisions.length, findings: [STRAY_END], drawn: [] })
    return told(steps, readRestrictions(pdf, signatures))
  } catch (error) {
    return told([notFollowed(Number.POSITIVE_INFINITY, error)], [])
  }
}

function told(steps: readonly Judged[], restrictions: readonly Restriction[]): readonly Told[] {
  return steps.map((step) => ({
    ...step,
    isForbidden: step.findings.map((finding) => isForbidden(finding, step.revision, restrictions)),
  }))
}

function judgeAll(
  pdf: Pdf,
  signatures: readonly PdfSignature[],
  revisions: readonly Revision[],
  first: number,
): Judged[] {
  const shared = newShared(revisions, first, budgetFor(pdf))
  const begin = (index: number) => beginHistory({ pdf, revisions, signatures, shared }, index)
  const judged: Judged[] = []
  let history: History | undefined
  for (let index = first; index < revisions.length; index++) {
    try {
      if (history !== undefined) judged.push({ revision: index, ...judgeRevision(history, index) })
      else if (index > first) judged.push(notFollowed(index))
      // Where there is nothing later, nothing needs to be known.
      else if (index === revisions.length - 1) break
      history ??= begin(index)
    } catch (error) {
      judged.push(notFollowed(index, error))
      history = undefined
      if (isSpent(shared.budget)) return [...judged, notFollowed(Number.POSITIVE_INFINITY, error)]
      // What was not understood is flagged; the next step is judged for those who have signed since.
      history = attempt(() => begin(index))
    }
  }
  return judged
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof PdfRefused) return undefined
    throw error
  }
}

function notFollowed(revision: number, error?: unknown): Judged {
  if (error !== undefined && !(error instanceof PdfRefused)) throw error
  const reason = error === undefined ? "" : `: ${error.message}`
  const path = `could not be followed to its end${reason}`
  return { revision, findings: [{ path, kind: "structure", needs: "never" }], drawn: [] }
}

const STRAY_END: Finding = {
  path: "bytes behind the end of the document",
  kind: "structure",
  needs: "never",
}

/** Some seconds at most; and a small file may have many revisions. */
const MAX_SCANNED_BYTES = 300_000_000
const LEAST_SCANNED_BYTES = 50_000_000

// Every object is read once, so it is of its own: the plain ones are no longer than the file, the others than what it decodes to.
function budgetFor({ source }: Pdf): Budget {
  const budget = newBudget(source.length)
  return {
    ...budget,
    scannedBytes: Math.min(Math.max(2 * budget.scannedBytes, LEAST_SCANNED_BYTES), MAX_SCANNED_BYTES),
  }
}

function after(
  pdf: Pdf,
  signature: PdfSignature,
  steps: readonly Told[],
  signatures: readonly PdfSignature[],
): Differences {
  const { revision, byteRange, fieldName } = signature
  if (revision === undefined || byteRange === undefined)
    return {
      changes: [{ path: `/ByteRange of ${fieldName}`, kind: "signature", undefined: true }],
      pages: [],
    }
  // Who covers the whole file covers what stands behind its end.
  const isWhole = byteRange[2] + byteRange[3] === pdf.source.length
  const later = isWhole ? [] : steps.filter((step) => step.revision > revision)
  const statusOf = fillStatuses(later, signatures)
  const changes = later.flatMap(({ findings, isForbidden: forbidden, revision: made }) =>
    findings.flatMap((finding, i) => {
      const isUndefined = forbidden[i] === true
      return finding.isQuiet && !isUndefined ? [] : changeOf(finding, isUndefined, statusOf(finding, made))
    }),
  )
  return { changes: bounded(folded(changes)), pages: pagesOf(later, changedValues(changes)) }
}

function changeOf(
  { path, kind, page, field = "" }: Finding,
  isUndefined: boolean,
  fill: FillStatus | undefined,
): Change {
  const change = { path, kind, ...(page === undefined ? {} : { page: page + 1 }), undefined: isUndefined }
  if (fill === undefined) return change
  return { ...change, path: `${path} of ${shortened(field)}`, field: shortened(field), fill }
}

const MAX_NAME_LENGTH = 200

const shortened = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 1)}…`

/** Each change once. Of too many those are kept that nothing explains. */
function bounded(changes: readonly Change[]): readonly Change[] {
  const once = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.undefined} ${change.kind} ${change.page} ${change.fill} ${change.path}`
    if (!once.has(key)) once.set(key, change)
  }
  const all = [...once.values()]
  if (all.length <= MAX_CHANGES) return all
  const sorted = all.toSorted((a, b) => Number(b.undefined) - Number(a.undefined))
  const rest = sorted.slice(MAX_CHANGES)
  const more = { path: "and more", kind: "other", undefined: rest.some((one) => one.undefined) } as const
  return [...sorted.slice(0, MAX_CHANGES), more]
}

function pagesOf(
  steps: readonly Judged[],
  changed: (field: string | undefined) => boolean,
): readonly ChangedPage[] {
  const found = new Map<number, AllowedArea[]>()
  const areas = (page: number): AllowedArea[] => {
    const known = found.get(page) ?? []
    found.set(page, known)
    return known
  }
  for (const { findings, drawn } of steps) {
    for (const { page, rect, why: reason, says, field } of drawn) {
      const all = areas(page)
      const why = reason === "form-fill" && changed(field) ? "changed-value" : reason
      // Who fills a field in again says something else there: only the last word is shown.
      if (says !== undefined)
        for (const [i, one] of all.entries()) if (isAt(one, rect)) all[i] = { rect, why: one.why }
      all.push({ rect, why, ...(says !== undefined && { says }) })
    }
    for (const { page, isUnseen } of findings) if (page !== undefined && isUnseen !== true) areas(page)
  }
  return [...found].map(([page, allowed]) => ({ page, allowed })).sort((a, b) => a.page - b.page)
}

const isAt = ({ rect }: AllowedArea, other: Box): boolean => rect.every((side, i) => side === other[i])

// Two fields of one name: nobody can tell of which of them somebody speaks.
function twins(a: Differences, b: Differences): Differences {
  const both: Change = { path: "two fields of one name", kind: "structure", undefined: true }
  return { changes: bounded([...a.changes, ...b.changes, both]), pages: [...a.pages, ...b.pages] }
}
