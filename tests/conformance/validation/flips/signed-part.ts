// What of a document is signed: the byte ranges of all that passed, and the octets of each CMS that its signer made.

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { gatherMaterial } from "@paraph/validation/material"
import type { DocumentReport } from "@paraph/validation/report"
import { validatePdf } from "@paraph/validation/validate"
import { type Answers, replaying } from "./answers.ts"

export type Passed = {
  readonly bytes: Uint8Array
  readonly at: Date
  readonly roots: readonly Uint8Array[]
  readonly answers: Answers
  readonly parts: readonly SignedPart[]
}

/** A place in the file, up to but not including `end`. */
export type Span = { readonly start: number; readonly end: number }

export type SignedPart = {
  readonly field: string
  readonly type: "signature" | "time-stamp"
  /** The two halves of its byte range. */
  readonly ranges: readonly Span[]
  /** Hexadecimal digits of /Contents: the signed attributes, and the value of the signature. */
  readonly digits: readonly Span[]
}

export async function judge(
  { at, roots, answers }: Omit<Passed, "parts" | "bytes">,
  bytes: Uint8Array,
  revocation: RevocationPorts = replaying(answers),
): Promise<DocumentReport> {
  const anchors = roots.map((root) => ({ certificate: readCertificate(root) }))
  return (await validatePdf(bytesSource(bytes), { now: at, anchors, revocation })).report
}

/** The fields of all that is believed: signatures, and time-stamps over the document. */
export function passedFields({ signatures, timestamps }: DocumentReport): readonly string[] {
  const passed = [...signatures, ...timestamps].filter(({ indication }) =>
    /^(TOTAL-)?PASSED$/.test(indication),
  )
  return passed.map(({ field }) => field ?? "")
}

/** Judged as every flip will be. */
export async function passedParts(known: Omit<Passed, "parts">): Promise<readonly SignedPart[]> {
  const { bytes } = known
  const passed = passedFields(await judge(known, bytes))
  const { material } = gatherMaterial(openPdf(bytesSource(bytes), { password: "" }))
  const found = [
    ...material.signatures.map(({ pdf, cms }) => ({ type: "signature" as const, pdf, signer: cms?.signer })),
    ...material.timestamps.map(({ pdf, token }) => ({
      type: "time-stamp" as const,
      pdf,
      signer: token?.signedData.signerInfos[0],
    })),
  ]
  return found.flatMap(({ type, pdf, signer }) => {
    const [, firstLength = 0, second = 0, secondLength = 0] = pdf?.byteRange ?? []
    if (pdf?.hole === undefined || pdf.contents === undefined || !passed.includes(pdf.fieldName)) return []
    const ranges = [
      { start: 0, end: firstLength },
      { start: second, end: second + secondLength },
    ]
    // The tag of the signed attributes is another one where they stand; their length and all behind it are the same.
    const wanted = [signer?.signedAttributes?.subarray(1), signer?.signature]
    const digits = wanted.flatMap((octets) => digitsOf(octets, pdf.contents, pdf.hole?.start ?? 0, bytes))
    return [{ field: pdf.fieldName, type, ranges, digits }]
  })
}

/** Where these octets of the contents stand, two digits each. */
function digitsOf(
  octets: Uint8Array | undefined,
  contents: Uint8Array | undefined,
  hole: number,
  file: Uint8Array,
): readonly Span[] {
  if (octets === undefined || contents === undefined) return []
  const at = Buffer.from(contents).indexOf(octets)
  const start = hole + 1 + 2 * at
  const span = { start, end: start + 2 * octets.length }
  const there = Buffer.from(file.subarray(span.start, span.end)).toString("latin1").toLowerCase()
  if (at < 0 || there !== Buffer.from(octets).toString("hex"))
    throw new Error("The octets of a signature are not where they should be.")
  return [span]
}
