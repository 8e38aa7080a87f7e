// What one new revision changes, gathered before it is written: several acts may amend one object (the catalog gets a
// form and permissions), and it is written once.

import { type Pdf, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef } from "../syntax/value.ts"
import type { NewObject } from "./revision.ts"
import { amendDict, appendItem, latin1, writeRef } from "./syntax.ts"

export type Edits = {
  readonly pdf: Pdf
  nextNumber: number
  readonly whole: Map<number, NewObject>
  readonly amended: Map<string, Amendment>
}

/** A dictionary that is an object of its own, or one that stands directly under a key of the catalog. */
export type Owner = { readonly dict: PdfDict } & ({ readonly ref: PdfRef } | { readonly catalogKey: string })

type Changes = Readonly<Record<string, string>>
type Amendment = { readonly owner: Owner; readonly changes: Changes }

export function newEdits(pdf: Pdf): Edits {
  return { pdf, nextNumber: pdf.nextNumber, whole: new Map(), amended: new Map() }
}

/** A new object; the answer is a reference to it, as it is written in a PDF. */
export function create(edits: Edits, body: string | Uint8Array): string {
  return include(edits, (number) => [
    { number, generation: 0, body: typeof body === "string" ? latin1(body) : body },
  ])
}

/** New objects that refer to each other, numbered from the given one on; the answer refers to the first. */
export function include(edits: Edits, objects: (firstNumber: number) => readonly NewObject[]): string {
  const first = edits.nextNumber
  for (const object of objects(first)) {
    edits.whole.set(object.number, object)
    edits.nextNumber = Math.max(edits.nextNumber, object.number + 1)
  }
  return writeRef({ number: first, generation: 0 })
}

export function catalogOf({ pdf }: Edits): Owner {
  return { ref: pdf.catalogRef, dict: pdf.catalog }
}

/** The dictionary that the catalog has under this key, wherever it stands. */
export function ofCatalog({ pdf }: Edits, key: string, dict: PdfDict): Owner {
  const value = entry(pdf.catalog, key)
  return isRef(value) ? { ref: value, dict } : { catalogKey: key, dict }
}

/** Puts entries into the dictionary that the catalog has under this key, and makes one where there is none. */
export function amendOfCatalog(edits: Edits, key: string, changes: Changes): void {
  const dict = resolve(edits.pdf, entry(edits.pdf.catalog, key))
  if (dict !== null && !isDict(dict)) throw corrupt(`${key} is not a dictionary.`)
  const written = Object.entries(changes).map(([name, value]) => `/${name} ${value}`)
  if (dict === null) amend(edits, catalogOf(edits), { [key]: `<< ${written.join(" ")} >>` })
  else amend(edits, ofCatalog(edits, key, dict), changes)
}

/** Puts entries into a dictionary; what is not named keeps its bytes. */
export function amend(edits: Edits, owner: Owner, changes: Changes): void {
  const key = "ref" in owner ? writeRef(owner.ref) : owner.catalogKey
  edits.amended.set(key, { owner, changes: { ...edits.amended.get(key)?.changes, ...changes } })
}

/** More items in the array under `key`, which may be an object of its own, stand in its owner, or be missing. */
export function append(edits: Edits, owner: Owner, key: string, ...items: readonly string[]): void {
  const value = entry(owner.dict, key)
  const array = resolve(edits.pdf, value)
  if (array !== null && !isArray(array)) throw corrupt(`${key} is not an array.`)
  // It leads to nothing now, and would lead to one of the new objects.
  if (array?.items.some((one) => isRef(one) && one.number >= edits.pdf.nextNumber))
    throw corrupt(`${key} names an object beyond the size in the trailer.`)
  const longer = array === null ? `[${items.join(" ")}]` : appendItem(array, items.join(" "))
  if (!isRef(value) || array === null) amend(edits, owner, { [key]: longer })
  else edits.whole.set(value.number, { ...value, body: latin1(longer) })
}

export function objectsOf(edits: Edits): readonly NewObject[] {
  const amendments = [...edits.amended.values()]
  for (const { owner, changes } of amendments) {
    if ("catalogKey" in owner) {
      const amended = Buffer.from(amendDict(owner.dict, changes)).toString("latin1")
      amend(edits, catalogOf(edits), { [owner.catalogKey]: amended })
    }
  }
  const changed: NewObject[] = []
  for (const { owner, changes } of edits.amended.values())
    if ("ref" in owner) changed.push({ ...owner.ref, body: amendDict(owner.dict, changes) })
  return [...edits.whole.values(), ...changed]
}
