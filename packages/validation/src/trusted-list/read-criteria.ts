// The criteria of a Qualification extension (ETSI TS 119 612, 5.5.9.2 and annex C): which certificates of a service its
// qualifiers are for.

import { ADDITIONAL, QUALIFICATIONS, XADES } from "./names.ts"
import type { Criterion } from "./trusted-list.ts"
import type { XmlElement } from "./xml-reader.ts"
import { attributeOf, childrenOf, elementsOf, textOf } from "./xml-tree.ts"

const UNKNOWN: Criterion = { kind: "unknown" }
const MAX_DEPTH = 8
const ASSERTIONS = ["all", "atLeastOne", "none"] as const

export function readCriteria(list: XmlElement, depth: number): Criterion {
  const assert = ASSERTIONS.find((word) => word === attributeOf(list, "assert"))
  if (assert === undefined || depth > MAX_DEPTH) return UNKNOWN
  const of = elementsOf(list).flatMap((element) => readCriterion(element, depth))
  // A list of nothing: of all, of none and of at least one are different answers, and no answer is the safe one.
  return of.length === 0 ? UNKNOWN : { kind: "list", assert, of }
}

function readCriterion(element: XmlElement, depth: number): readonly Criterion[] {
  if (element.namespace !== QUALIFICATIONS) return [UNKNOWN]
  switch (element.local) {
    case "Description":
      return []
    case "KeyUsage":
      return [readKeyUsage(element)]
    case "PolicySet":
      return [{ kind: "policies", policies: identifiersOf(element, QUALIFICATIONS, "PolicyIdentifier") }]
    case "CriteriaList":
      return [readCriteria(element, depth + 1)]
    case "otherCriteriaList":
      return elementsOf(element).map(readOther)
    default:
      return [UNKNOWN]
  }
}

// RFC 5280 names two of the bits otherwise today.
const BITS: Readonly<Record<string, string>> = { nonRepudiation: "contentCommitment", crlSign: "cRLSign" }

function readKeyUsage(element: XmlElement): Criterion {
  const bits = childrenOf(element, QUALIFICATIONS, "KeyUsageBit").map((bit): readonly [string, boolean] => {
    const name = attributeOf(bit, "name") ?? ""
    return [BITS[name] ?? name, ["true", "1"].includes(textOf(bit))]
  })
  return bits.length === 0 ? UNKNOWN : { kind: "key-usage", bits: Object.fromEntries(bits) }
}

function readOther(element: XmlElement): Criterion {
  if (element.namespace !== ADDITIONAL) return UNKNOWN
  if (element.local === "ExtendedKeyUsage")
    return { kind: "extended-key-usage", purposes: identifiersOf(element, ADDITIONAL, "KeyPurposeId") }
  if (element.local === "CertSubjectDNAttribute")
    return { kind: "subject-attributes", types: identifiersOf(element, ADDITIONAL, "AttributeOID") }
  return UNKNOWN
}

/** XAdES, ObjectIdentifierType: as it is, or as a URN (RFC 3061). */
function identifiersOf(parent: XmlElement, namespace: string, local: string): readonly string[] {
  return childrenOf(parent, namespace, local)
    .flatMap((one) => childrenOf(one, XADES, "Identifier"))
    .map((identifier) => textOf(identifier).replace(/^urn:oid:/i, ""))
}
