// Whether bytes that may be anything are the list that they should be: well-formed, signed by one of those who may sign it,
// and of the kind and country that were announced. Nothing of a list that is not is used.

import { readableCertificates } from "@paraph/pki/readable-certificates"
import { readList } from "./read-list.ts"
import type { Law, TrustedList } from "./trusted-list.ts"
import { readXml, XmlError } from "./xml-reader.ts"
import { type SignatureFault, verifyListSignature } from "./xml-signature.ts"

/** What is known of a list before it is read. */
export type ExpectedList = {
  readonly law: Law
  readonly address: string
  readonly form: "list-of-lists" | "list"
  /** Undefined where whoever named it did not say. */
  readonly territory: string | undefined
  /** The certificates of those who may sign it, DER. */
  readonly signers: readonly Uint8Array[]
}

export type BelievedList = {
  readonly list: TrustedList
  readonly bytes: Uint8Array
  /** The name in the certificate that signed it: to show. */
  readonly signer: string
  readonly unreadableServices: number
}

export type ListProblem = {
  readonly address: string
  readonly reason:
    | SignatureFault
    | "not-fetched"
    | "not-readable"
    /** Not the kind of list, or not of the country, that it was said to be. */
    | "not-as-pointed-to"
    | "issued-in-the-future"
    /** Its sequence number is below that of the one we know (TS 119 612, 5.3.2). */
    | "older-than-known"
    /** Past its NextUpdate: it is loaded, and gives no qualification unless the policy says so. */
    | "expired"
    /** It is loaded; what it says ends with the day of its closing. */
    | "closed"
    | "services-not-readable"
    | "too-many-pointers"
  /** For an operator's eyes. */
  readonly detail: string
}

// Clocks differ.
const LEEWAY_MS = 3_600_000

export function judgeList(bytes: Uint8Array, expected: ExpectedList, now: Date): BelievedList | ListProblem {
  const wrong = (reason: ListProblem["reason"], detail: string) => ({
    address: expected.address,
    reason,
    detail,
  })
  try {
    const root = readXml(bytes)
    const verdict = verifyListSignature(root, readableCertificates(expected.signers))
    if (!verdict.valid) return wrong(verdict.reason, verdict.detail)
    const { list, unreadableServices } = readList(root, expected)
    if (list.form !== expected.form) return wrong("not-as-pointed-to", `it is a ${list.form}`)
    if (expected.territory !== undefined && list.territory !== expected.territory)
      return wrong("not-as-pointed-to", `it is of ${list.territory}`)
    if (Date.parse(list.issued) > now.getTime() + LEEWAY_MS) return wrong("issued-in-the-future", list.issued)
    return { list, bytes, signer: verdict.signer.subjectName, unreadableServices }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return wrong("not-readable", error.message)
  }
}

export function isBelieved(judged: BelievedList | ListProblem | undefined): judged is BelievedList {
  return judged !== undefined && "list" in judged
}
