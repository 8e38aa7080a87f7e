// The signatures and time-stamps of a document, checked against the bytes that they cover: who signed, who time-stamped,
// and since when each of them is proved to have existed (EN 319 102-1, 5.6.2). A document comes from anybody; a
// time-stamp in it that is not over these bytes, or leads to no anchor, proves nothing.

import type { DigestName } from "@paraph/pki/digest"
import { readableCertificates } from "@paraph/pki/readable-certificates"
import type { KnownItem } from "@paraph/pki/revocation-evidence"
import type { ValidationTarget } from "@paraph/pki/validation-data"
import { digestRanges } from "../signed/digest-ranges.ts"
import { type PdfSignature, readSignatures } from "../signed/signatures.ts"
import type { Pdf } from "../structure/document.ts"
import { checkMark, embeddedEvidence, type Mark, openMark, signatureStamps, validStamp } from "./open-mark.ts"
import { isTrusted, type TimestampRules, type ValidTimestamp } from "./timestamp.ts"

export type Marks = {
  /** Whoever signed or time-stamped, and when, as far as a later time-stamp proves it. */
  readonly targets: readonly ValidationTarget[]
  /** DER, each; whatever the marks brought along. */
  readonly certificates: readonly Uint8Array[]
  /** Revocation answers inside the marks. */
  readonly evidence: { readonly ocspResponses: readonly KnownItem[]; readonly crls: readonly KnownItem[] }
  /** The time-stamps over the document that count, oldest first. */
  readonly stamps: readonly DocumentStamp[]
  /** Some signature has neither a time-stamp of its own nor a later one over the document. */
  readonly lacksTimestamp: boolean
}

export type DocumentStamp = ValidTimestamp & { readonly end: number; readonly revision: number | undefined }

export type MarksOptions = Omit<TimestampRules, "nonce"> & {
  /** The fields whose signatures are meant; by default all. */
  readonly fields?: readonly string[]
}

export function readMarks(pdf: Pdf, options: MarksOptions): Marks {
  const { now, certificates = [], fields } = options
  const all = readSignatures(pdf)
  const stamps = documentStamps(pdf, all, options)
  const marks = all
    .filter(({ type, fieldName }) => type !== "document-timestamp" && fields?.includes(fieldName) !== false)
    .map((signature) => openMark(signature, readableCertificates(certificates)))
  if (marks.length === 0) throw new TypeError("The document has no such signature.")
  checkMarks(pdf, marks)

  const after = (end: number) => stamps.find((stamp) => stamp.end > end)?.genTime
  const targets: ValidationTarget[] = []
  const evidence = { ocspResponses: [] as KnownItem[], crls: [] as KnownItem[] }
  let lacksTimestamp = false
  for (const mark of marks) {
    const later = after(endOf(mark.signature))
    const own = signatureStamps(mark, certificates).filter((stamp) => isTrusted(stamp, options))
    const at = earliest([...own.map(({ genTime }) => genTime), ...(later === undefined ? [] : [later])])
    lacksTimestamp ||= at === undefined
    targets.push({ certificate: mark.signer, at: at ?? now })
    for (const { certificate } of own) targets.push({ certificate, at: later ?? now })
    const embedded = embeddedEvidence(mark)
    const existing = (der: Uint8Array) => ({ der, existedAt: at ?? now })
    evidence.ocspResponses.push(...embedded.ocspResponses.map(existing))
    evidence.crls.push(...embedded.crls.map(existing))
  }
  for (const { certificate, end } of stamps) targets.push({ certificate, at: after(end) ?? now })
  return { targets, certificates: certificatesOf(marks, stamps), evidence, stamps, lacksTimestamp }
}

function documentStamps(
  pdf: Pdf,
  all: readonly PdfSignature[],
  options: MarksOptions,
): readonly DocumentStamp[] {
  const found = all.flatMap((signature) => {
    const { type, byteRange, contents, fault, coverage, revision } = signature
    const covers = coverage === "whole-file" || coverage === "whole-revision"
    if (type !== "document-timestamp" || !covers || fault !== undefined) return []
    if (byteRange === undefined || contents === undefined) return []
    const digestBy = (digest: DigestName) =>
      digestRanges(pdf.source, [byteRange], digest)[0] ?? new Uint8Array()
    return validStamp(contents, options.certificates ?? [], digestBy)
      .filter((stamp) => isTrusted(stamp, options))
      .map((stamp) => ({ ...stamp, end: endOf(signature), revision }))
  })
  return found.toSorted((a, b) => a.end - b.end)
}

// Byte ranges nest, so the digests of one kind take one pass, however many signatures there are.
function checkMarks({ source }: Pdf, marks: readonly Mark[]): void {
  for (const digest of new Set(marks.map((mark) => mark.digest))) {
    const alike = marks.filter((mark) => mark.digest === digest)
    const ranges = alike.map(({ byteRange }) => byteRange)
    for (const [i, contentDigest] of digestRanges(source, ranges, digest).entries()) {
      const mark = alike[i]
      if (mark !== undefined) checkMark(mark, contentDigest)
    }
  }
}

function certificatesOf(marks: readonly Mark[], stamps: readonly DocumentStamp[]): readonly Uint8Array[] {
  return [
    ...marks.flatMap(({ signedData }) => signedData.certificates),
    ...stamps.flatMap(({ certificates }) => certificates.map(({ der }) => der)),
  ]
}

function endOf({ byteRange }: PdfSignature): number {
  return byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
