// The history of a document, step by step. What one step has learnt of the document serves the next.

import type { Revision } from "../signed/revisions.ts"
import type { PdfSignature } from "../signed/signatures.ts"
import type { Pdf } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { strayByte } from "./bytes.ts"
import { judgeCatalog, judgeTrailer } from "./catalog.ts"
import { changedObjects } from "./changed.ts"
import { report, unexplained } from "./explain.ts"
import { type FormTree, readFormTree } from "./fields.ts"
import type { Drawn, Finding } from "./finding.ts"
import { judgeForm } from "./form.ts"
import { extendGraph, type Graph, newGraph } from "./graph.ts"
import { judgeInformation, judgeMetadata } from "./metadata.ts"
import { nextPageTree, type PageTree, readPageTree } from "./page-tree.ts"
import { judgePages } from "./pages.ts"
import { addParts, type Parts } from "./parts.ts"
import { judgeSecurityStore } from "./security-store.ts"
import type { Step } from "./step.ts"
import { judgeStructure } from "./structure.ts"
import { openView, type Shared, type View } from "./view.ts"

export type History = {
  readonly pdf: Pdf
  readonly revisions: readonly Revision[]
  readonly signatures: readonly PdfSignature[]
  readonly shared: Shared
  readonly graph: Graph
  /** The revision that was looked at last. */
  view: View
  form: FormTree
  /** What its fields consist of. */
  readonly parts: Parts
  pages: PageTree | undefined
}

/** Begins with a revision: what is in it before anything else happens. */
export function beginHistory(
  document: Pick<History, "pdf" | "revisions" | "signatures" | "shared">,
  index: number,
): History {
  const { pdf, revisions, shared } = document
  const view = openView(pdf, revisions, index, shared)
  if (view === undefined) throw corrupt(`Revision ${index + 1} is not a file of its own.`)
  const graph = newGraph(pdf.nextNumber, shared.written.keys())
  const form = readFormTree(view)
  const parts: Parts = new Map()
  for (const field of form.byNumber.values()) addParts(parts, view, field)
  const history: History = { ...document, graph, view, form, parts, pages: undefined }
  // Of what the rules look at, too, we have to know who refers to it.
  const step = newStep(history, view, view, new Map(), new Set())
  judgeKnownPlaces(history, step)
  for (const known of [step.claims, form.claims, parts])
    for (const number of known.keys()) graph.written[number] = 1
  extendGraph(graph, view, [])
  return history
}

export function judgeRevision(
  history: History,
  index: number,
): { readonly findings: readonly Finding[]; readonly drawn: readonly Drawn[] } {
  const { pdf, revisions, shared, graph, view: before } = history
  const after = openView(pdf, revisions, index, shared)
  const revision = revisions[index]
  if (after === undefined || revision === undefined)
    throw corrupt(`Revision ${index + 1} is not a file of its own.`)
  history.view = after
  const { objects, written, findings } = changedObjects(before, after, revision)
  extendGraph(graph, after, written)
  const step = newStep(history, before, after, objects, written)
  for (const finding of findings) step.findings.push(finding)
  const stray = strayByte(after, revision)
  if (stray !== undefined)
    step.findings.push({
      path: `bytes at ${stray} that belong to nothing`,
      kind: "structure",
      needs: "never",
    })
  judge(history, step)
  return { findings: step.findings, drawn: step.drawn }
}

function newStep(
  { graph, signatures }: History,
  before: View,
  after: View,
  changed: Step["changed"],
  written: Step["written"],
): Step {
  return {
    before,
    after,
    changed,
    written,
    graph,
    signatures: signatures.filter((one) => one.revision === after.index),
    isSigned: signatures.some(
      (one) => one.type !== "document-timestamp" && one.revision !== undefined && one.revision < after.index,
    ),
    claims: new Map(),
    forms: [],
    wereEmpty: new Map(),
    alone: new Set(),
    findings: [],
    drawn: [],
    widgets: new Map(),
    comments: new Set(),
    structure: new Set(),
  }
}

function judgeKnownPlaces(history: History, step: Step): void {
  judgeTrailer(step)
  judgeCatalog(step)
  const before = history.form
  history.form = readFormTree(step.after, before, step.written)
  judgeForm(step, before, history.form, history.parts)
  judgeSecurityStore(step)
  judgeMetadata(step)
  judgeInformation(step)
}

function judge(history: History, step: Step): void {
  judgeKnownPlaces(history, step)
  let tree = history.pages?.revision === step.before.index ? history.pages : undefined
  const isOpen = unexplained(step, undefined).length > 0
  if (isOpen || step.widgets.size > 0) {
    tree ??= readPageTree(step.before)
    judgePages(step, tree)
    if (step.graph.hasStructure) judgeStructure(step)
  }
  report(step, tree, unexplained(step, tree))
  history.pages = tree && nextPageTree(tree, step.after, step.written)
}
