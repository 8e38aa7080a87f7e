// The way from the catalog to an object, as a person finds it: /Pages/Kids[0]/Annots[2]/AP/N.

import { isArray, isDict, isRef, type PdfValue } from "../syntax/value.ts"
import { type Edge, TRAILER } from "./graph.ts"
import type { PageTree } from "./page-tree.ts"
import type { Step } from "./step.ts"
import { storedAt, type View } from "./view.ts"

const MAX_STEPS = 40

export function pathTo(
  { graph }: Step,
  tree: PageTree | undefined,
  view: View,
  { source, target, key }: Edge,
): { readonly path: string; readonly page: number | undefined } {
  const parts: string[] = []
  const page = tree?.pages.get(target)?.index
  let [from, to] = [source, target]
  for (let i = 0; i < MAX_STEPS; i++) {
    const local = localPath(writtenAt(view, from), to, i === 0 ? key : undefined) ?? "/…"
    if (from === TRAILER) {
      if (to !== view.pdf.catalogRef.number) parts.unshift(`${local} of the trailer`)
      return { path: parts.join("") || "/Root", page }
    }
    const known = tree?.pages.get(from)
    if (known !== undefined) return { path: [known.path, local, ...parts].join(""), page: known.index }
    parts.unshift(local)
    ;[from, to] = [graph.parents[from] ?? TRAILER, from]
  }
  return { path: `…${parts.join("")}`, page }
}

function writtenAt(view: View, number: number): PdfValue {
  return number === TRAILER ? view.pdf.trailer : (storedAt(view, number)?.value ?? null)
}

/** The way inside one object to a reference; of several the first, or the first under the given key. */
function localPath(value: PdfValue, target: number, key?: string): string | undefined {
  const stack: { value: PdfValue; path: string; under: string }[] = [{ value, path: "", under: "" }]
  let first: string | undefined
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value: at, path, under } = next
    if (isRef(at) && at.number === target) {
      if (key === undefined || under === key) return path
      first ??= path
    }
    const inner = isArray(at)
      ? at.items.map((item, i) => ({ value: item, path: `${path}[${i}]`, under }))
      : isDict(at)
        ? [...at.entries].map(([name, { value: own }]) => ({
            value: own,
            path: `${path}/${name}`,
            under: name,
          }))
        : []
    for (const one of inner.reverse()) stack.push(one)
  }
  return first
}
