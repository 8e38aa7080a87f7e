// The properties of an XMP packet (ISO 16684-1) as a set of lines that can be compared, whichever of the many spellings
// of RDF its writer chose. No document types, no entities but those of XML, no network; limits on everything.

import { plainText, readTag, type Tag, UNSEEN } from "../content/pdfa.ts"

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
const XMP = "http://ns.adobe.com/xap/1.0/"
const XMP_MM = "http://ns.adobe.com/xap/1.0/mm/"
const PDF = "http://ns.adobe.com/pdf/1.3/"

/** What everybody who saves a document notes anew: when, with what, and which copy it is. */
const OF_SAVING = new Set([
  `${XMP}ModifyDate`,
  `${XMP}MetadataDate`,
  `${XMP_MM}InstanceID`,
  `${XMP_MM}History`,
  `${PDF}Producer`,
])

// They hold properties and are none.
const CONTAINERS = new Set([`${RDF}RDF`, `${RDF}Description`, "adobe:ns:meta/xmpmeta"])
const CONTAINER_ATTRIBUTES = new Set([`${RDF}about`, `${RDF}parseType`, "adobe:ns:meta/xmptk"])

const MAX_DEPTH = 60
const MAX_ELEMENTS = 20_000

type Open = {
  readonly tag: string
  readonly path: string
  readonly scope: ReadonlyMap<string, string>
  readonly at: number
  hasKids: boolean
}

/** Nothing where the text is not well formed; each line is the way to a property and its value. */
export function readProperties(text: string): Set<string> | undefined {
  const found = new Set<string>()
  const open: Open[] = []
  let count = 0
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const unseen = UNSEEN.find(([start]) => text.startsWith(start, at))
    if (unseen !== undefined) {
      const end = text.indexOf(unseen[1], at + unseen[0].length)
      if (end < 0) return undefined
      at = end + unseen[1].length
    } else if (text.startsWith("</", at)) {
      const closed = open.pop()
      const end = text.indexOf(">", at)
      if (closed === undefined || end < 0 || text.slice(at + 2, end).trimEnd() !== closed.tag)
        return undefined
      if (!closed.hasKids) add(found, closed.path, plainText(text.slice(closed.at, at)))
      at = end + 1
    } else {
      const tag = readTag(text, at)
      count += 1
      if (tag === undefined || open.length >= MAX_DEPTH || count > MAX_ELEMENTS) return undefined
      const element = begin(found, open.at(-1), tag)
      if (element === undefined) return undefined
      if (tag.empty) add(found, element.path, "")
      else open.push(element)
      at = tag.end
    }
  }
  return open.length === 0 && count > 0 ? found : undefined
}

function begin(
  found: Set<string>,
  parent: Open | undefined,
  { tag, attributes, end }: Tag,
): Open | undefined {
  if (parent !== undefined) parent.hasKids = true
  const scope = new Map(parent?.scope ?? [])
  for (const [name, value] of attributes)
    if (name === "xmlns" || name.startsWith("xmlns:")) scope.set(name.slice(6), plainText(value))
  const own = qualified(scope, tag)
  if (own === undefined) return undefined
  const before = parent?.path ?? ""
  const path = CONTAINERS.has(own) ? before : `${before} ${own}`
  for (const [name, value] of attributes) {
    if (name === "xmlns" || name.startsWith("xmlns:")) continue
    const attribute = name.includes(":") ? qualified(scope, name) : name
    if (attribute === undefined) return undefined
    if (!CONTAINER_ATTRIBUTES.has(attribute)) add(found, `${path} ${attribute}`, plainText(value))
  }
  return { tag, path, scope, at: end, hasKids: false }
}

function qualified(scope: ReadonlyMap<string, string>, name: string): string | undefined {
  const colon = name.indexOf(":")
  const prefix = colon < 0 ? "" : name.slice(0, colon)
  if (prefix === "xml") return name
  const namespace = scope.get(prefix)
  return namespace === undefined ? undefined : `${namespace}${name.slice(colon + 1)}`
}

function add(found: Set<string>, path: string, value: string): void {
  if (path === "") return
  const [first = ""] = path.trimStart().split(" ")
  if (!OF_SAVING.has(first)) found.add(`${path.trimStart()} = ${value.trim()}`)
}
