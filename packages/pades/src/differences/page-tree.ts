// The pages of a revision by their object numbers. Walked when first asked for; the next revision takes it over but for
// the pages that it changes.

import { PdfRefused } from "../refused.ts"
import { MAX_NESTING } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { storedAt, type View, valueIn } from "./view.ts"

export type PageEntry = {
  readonly number: number
  /** Counted from 0. */
  readonly index: number
  readonly path: string
  /** The object that lists its annotations, where that is one of its own. */
  readonly annotsNumber: number | undefined
}

export type PageTree = {
  readonly revision: number
  /** Everything that is part of the tree but for the pages: nodes, and lists of kids. */
  readonly nodes: ReadonlyMap<number, string>
  readonly pages: ReadonlyMap<number, PageEntry>
  /** Which pages share a list of annotations. */
  readonly lists: ReadonlyMap<number, readonly PageEntry[]>
}

type Node = { readonly value: PdfValue; readonly path: string; readonly depth: number }

export function readPageTree(view: View): PageTree {
  const nodes = new Map<number, string>()
  const pages = new Map<number, PageEntry>()
  const stack: Node[] = [{ value: entry(view.pdf.catalog, "Pages"), path: "/Pages", depth: 1 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path, depth } = next
    const number = isRef(value) ? value.number : undefined
    if (number !== undefined && (nodes.has(number) || pages.has(number)))
      throw corrupt("The page tree is not a tree.")
    if (depth > MAX_NESTING) throw new PdfRefused("too-complex", "The page tree is nested too deeply.")
    const dict = valueIn(view, value)
    if (!isDict(dict)) throw corrupt("A node of the page tree is not a dictionary.")
    const list = entry(dict, "Kids")
    if (list === null || isName(entry(dict, "Type"), "Page")) {
      if (number === undefined) throw corrupt("A page is not an object of its own.")
      pages.set(number, { number, index: pages.size, path, annotsNumber: annotsOf(dict) })
      continue
    }
    if (number !== undefined) nodes.set(number, path)
    if (isRef(list)) nodes.set(list.number, `${path}/Kids`)
    const kids = valueIn(view, list)
    if (!isArray(kids)) throw corrupt("A node of the page tree has no kids.")
    for (let i = kids.items.length - 1; i >= 0; i--)
      stack.push({ value: kids.items[i] ?? null, path: `${path}/Kids[${i}]`, depth: depth + 1 })
  }
  return withLists(view.index, nodes, pages)
}

/** The tree with this revision, which has changed these objects; nothing where the tree itself has changed. */
export function nextPageTree(tree: PageTree, view: View, changed: Iterable<number>): PageTree | undefined {
  const root = entry(view.pdf.catalog, "Pages")
  if (!isRef(root) || tree.nodes.get(root.number) !== "/Pages") return undefined
  const moved = new Map<number, PageEntry>()
  for (const number of changed) {
    if (tree.nodes.has(number)) return undefined
    const page = tree.pages.get(number)
    const dict = page === undefined ? null : (storedAt(view, number)?.value ?? null)
    const annotsNumber = isDict(dict) ? annotsOf(dict) : undefined
    if (page !== undefined && page.annotsNumber !== annotsNumber) moved.set(number, { ...page, annotsNumber })
  }
  if (moved.size === 0) return { ...tree, revision: view.index }
  return withLists(view.index, tree.nodes, new Map([...tree.pages, ...moved]))
}

function annotsOf(page: PdfDict): number | undefined {
  const list = entry(page, "Annots")
  return isRef(list) ? list.number : undefined
}

function withLists(
  revision: number,
  nodes: PageTree["nodes"],
  pages: ReadonlyMap<number, PageEntry>,
): PageTree {
  const lists = new Map<number, PageEntry[]>()
  for (const page of pages.values()) {
    if (page.annotsNumber === undefined) continue
    const others = lists.get(page.annotsNumber)
    if (others === undefined) lists.set(page.annotsNumber, [page])
    else others.push(page)
  }
  return { revision, nodes, pages, lists }
}
