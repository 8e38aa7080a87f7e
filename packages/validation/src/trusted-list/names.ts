// The namespaces of a trusted list, and texts in several languages (ETSI TS 119 612, 5.1.5 and annex C).

import type { XmlElement } from "./xml-reader.ts"
import { childrenOf, textOf } from "./xml-tree.ts"

export const TSL = "http://uri.etsi.org/02231/v2#"
export const ADDITIONAL = "http://uri.etsi.org/02231/v2/additionaltypes#"
export const QUALIFICATIONS = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"
export const DS = "http://www.w3.org/2000/09/xmldsig#"
export const XADES = "http://uri.etsi.org/01903/v1.3.2#"
const XML = "http://www.w3.org/XML/1998/namespace"

const MAX_NAME = 200

/** In English where there is one, else the first. Of bounded length: it is shown to people. */
export function readName(element: XmlElement): string {
  const names = childrenOf(element, TSL, "Name")
  const english = names.find((name) => languageOf(name) === "en") ?? names[0]
  return english === undefined ? "" : textOf(english).slice(0, MAX_NAME)
}

export function languageOf({ attributes }: XmlElement): string | undefined {
  return attributes.find(({ local, namespace }) => local === "lang" && namespace === XML)?.value.toLowerCase()
}
