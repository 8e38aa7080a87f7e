// The names that ETSI TS 119 102-2 has for what a validation says, and ours for what it leaves open.

import type { BlockIndication, Indication, SubIndication } from "../indication.ts"
import type { DigestReport } from "../report.ts"
import { element, type Xml } from "./xml.ts"

export const NAMESPACES = {
  xmlns: "http://uri.etsi.org/19102/v1.4.1#",
  "xmlns:ds": "http://www.w3.org/2000/09/xmldsig#",
  "xmlns:xades": "http://uri.etsi.org/01903/v1.3.2#",
  "xmlns:xs": "http://www.w3.org/2001/XMLSchema",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
}

/** Of our own elements, where the schema allows any. */
export const OURS = "urn:paraph:validation:1"

// 4.3.4, table 1.
const MAIN: Readonly<Record<Indication | BlockIndication, string>> = {
  "TOTAL-PASSED": "total-passed",
  "TOTAL-FAILED": "total-failed",
  INDETERMINATE: "indeterminate",
  PASSED: "passed",
  FAILED: "failed",
}

export const mainIndication = (indication: Indication | BlockIndication): string =>
  `urn:etsi:019102:mainindication:${MAIN[indication]}`

export const subIndicationName = (subIndication: SubIndication): string =>
  `urn:etsi:019102:subindication:${subIndication}`

/** Validation of signatures with archival material, which goes through the other two processes first (EN 319 102-1, 5.6). */
export const PROCESS = "urn:etsi:019102:validationprocess:LTA"
export const APPLIED = "urn:etsi:019102:constraintStatus:applied"
export const PROVED_BY_VALIDATION = "urn:etsi:019102:poetype:validation"
export const OBJECT_TYPES = {
  certificate: "urn:etsi:019102:validationObject:certificate",
  timestamp: "urn:etsi:019102:validationObject:timestamp",
  signedData: "urn:etsi:019102:validationObject:signedData",
} as const

// RFC 6931, 2.1 and XML Encryption 1.1, 5.8.
const DIGESTS: Readonly<Record<string, string>> = {
  md5: "http://www.w3.org/2001/04/xmldsig-more#md5",
  sha1: "http://www.w3.org/2000/09/xmldsig#sha1",
  sha224: "http://www.w3.org/2001/04/xmldsig-more#sha224",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
  sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384",
  sha512: "http://www.w3.org/2001/04/xmlenc#sha512",
  "sha3-224": "http://www.w3.org/2007/05/xmldsig-more#sha3-224",
  "sha3-256": "http://www.w3.org/2007/05/xmldsig-more#sha3-256",
  "sha3-384": "http://www.w3.org/2007/05/xmldsig-more#sha3-384",
  "sha3-512": "http://www.w3.org/2007/05/xmldsig-more#sha3-512",
}

/** Undefined where the algorithm has no name in XML. */
export function digestElement(name: string, digest: DigestReport | undefined): Xml | undefined {
  const algorithm = digest && DIGESTS[digest.algorithm]
  if (digest === undefined || algorithm === undefined) return undefined
  return element(
    name,
    {},
    element("ds:DigestMethod", { Algorithm: algorithm }),
    element("ds:DigestValue", {}, digest.value),
  )
}

/** A reference to objects of the same report. */
export function reference(name: string, ids: string | readonly string[]): Xml {
  return element(name, { VOReference: [ids].flat().join(" ") })
}

/** Whether XML has a name for that time: a year of four digits, and not the year 0 (XML Schema 1.0, 3.2.7). */
export function isWritable(iso: string): boolean {
  return /^\d{4}-/.test(iso) && !iso.startsWith("0000")
}

/** xs:dateTime, in UTC. */
export function time(name: string, iso: string): Xml {
  return element(name, {}, iso)
}

/** An xs:ID of an object. */
export const certificateId = (fingerprint: string): string => `certificate-${fingerprint}`
export const timestampId = (n: number): string => `timestamp-${n}`
export const signatureId = (n: number): string => `signature-${n}`
export const signedDataId = (n: number): string => `signed-data-${n}`
