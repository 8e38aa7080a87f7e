// Looking around in what was read. Everything is found by its place and its namespace, never by searching the whole tree:
// an element that somebody put elsewhere is not found.

import { type XmlElement, XmlError } from "./xml-reader.ts"

export function elementsOf(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((child): child is XmlElement => typeof child !== "string")
}

export function childrenOf(
  parent: XmlElement | undefined,
  namespace: string,
  local: string,
): readonly XmlElement[] {
  if (parent === undefined) return []
  return elementsOf(parent).filter((child) => child.local === local && child.namespace === namespace)
}

/** The one child of this name, or undefined; two are an error. */
export function childOf(
  parent: XmlElement | undefined,
  namespace: string,
  local: string,
): XmlElement | undefined {
  const [found, ...more] = childrenOf(parent, namespace, local)
  if (more.length > 0) throw new XmlError(`more than one ${local}`)
  return found
}

export function requiredChild(parent: XmlElement, namespace: string, local: string): XmlElement {
  const found = childOf(parent, namespace, local)
  if (found === undefined) throw new XmlError(`no ${local} in ${parent.local}`)
  return found
}

/** The text of an element that has nothing else, without the white space around it. */
export function textOf(element: XmlElement): string {
  if (element.children.some((child) => typeof child !== "string"))
    throw new XmlError(`${element.local} is not text`)
  return element.children.join("").trim()
}

/** An attribute without a namespace. */
export function attributeOf(element: XmlElement, local: string): string | undefined {
  return element.attributes.find((attribute) => attribute.local === local && attribute.namespace === "")
    ?.value
}

export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of elementsOf(element)) yield* everyElement(child)
}

/** RFC 4648, 4; white space may stand anywhere (XML Schema 2, 3.2.16). */
export function base64Of(element: XmlElement): Uint8Array {
  const text = textOf(element).replace(/[ \t\r\n]+/g, "")
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new XmlError(`${element.local} is not Base64`)
  return new Uint8Array(Buffer.from(text, "base64"))
}

/** XML Schema 2, 3.2.7, with its time zone: ETSI TS 119 612, 5.1.4 wants UTC. In milliseconds. */
export function timeOf(element: XmlElement): number {
  const text = textOf(element)
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)
  const time = isTime ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new XmlError(`${element.local} is not a time`)
  return time
}
