// The structure of a paper for those who have it read to them (ISO 32000-2, 14.7 and 14.8): what is a heading, a paragraph, a
// list, a picture, in the order of reading.

import { writeTextString } from "../write/syntax.ts"

export type Role = "Document" | "H1" | "H2" | "H3" | "P" | "L" | "LI" | "Lbl" | "LBody" | "Figure"

export type Tag = {
  readonly role: Role
  /** Of a picture: what it shows, in words. */
  readonly alternative?: string
  /** Parts, and the marked pieces of pages that belong to it. */
  readonly kids: (Tag | Piece)[]
}

export type Piece = { readonly page: number; readonly mark: number }

export function tagUnder(parent: Tag, role: Role, alternative?: string): Tag {
  const tag: Tag = { role, kids: [], ...(alternative !== undefined && { alternative }) }
  parent.kids.push(tag)
  return tag
}

/** The tree as objects, the root of it first; `pageRefs` are those of the pages. */
export function tagObjects(root: Tag, first: number, pageRefs: readonly string[]): readonly string[] {
  const all = flatten(root)
  const numbers = new Map(all.map((tag, i) => [tag, first + 2 + i]))
  const ref = (tag: Tag) => `${numbers.get(tag)} 0 R`
  const parents = new Map(all.flatMap((tag) => tag.kids.map((kid) => [kid, tag] as const)))
  return [
    `<< /Type /StructTreeRoot /K ${ref(root)} /ParentTree ${first + 1} 0 R /ParentTreeNextKey ${pageRefs.length} >>`,
    parentTree(all, pageRefs.length, ref),
    ...all.map((tag) => {
      const parent = parents.get(tag)
      const kids = tag.kids.map((kid) =>
        "role" in kid ? ref(kid) : `<< /Type /MCR /Pg ${pageRefs[kid.page]} /MCID ${kid.mark} >>`,
      )
      const alternative = tag.alternative === undefined ? "" : ` /Alt ${writeTextString(tag.alternative)}`
      return `<< /Type /StructElem /S /${tag.role} /P ${parent === undefined ? `${first} 0 R` : ref(parent)}${alternative} /K [${kids.join(" ")}] >>`
    }),
  ]
}

// 14.7.5.4: from each marked piece of a page back to the element that it belongs to.
function parentTree(all: readonly Tag[], pages: number, ref: (tag: Tag) => string): string {
  const owners: string[][] = Array.from({ length: pages }, () => [])
  for (const tag of all)
    for (const kid of tag.kids) {
      const owned = "role" in kid ? undefined : owners[kid.page]
      if (!("role" in kid) && owned !== undefined) owned[kid.mark] = ref(tag)
    }
  return `<< /Nums [${owners.map((refs, page) => `${page} [${refs.join(" ")}]`).join(" ")}] >>`
}

function flatten(tag: Tag): readonly Tag[] {
  return [tag, ...tag.kids.flatMap((kid) => ("role" in kid ? flatten(kid) : []))]
}
