// The signatures and time-stamps of a document, checked against the bytes that they cover: who signed, who time-stamped,
// and since when each of them is proved to have existed (EN 319 102-1, 5.6.2). A document comes from anybody; a
// time-stamp in it that is not over these bytes, or leads to no anchor, proves nothing.

import type { Certificate } from "@paraph/pki/certificate"
import type { DigestName } from "@paraph/pki/digest"
import type { KnownItem } from "@paraph/pki/known-answers"
import { ifReadable } from "@paraph/pki/optional"
import { readableCertificates } from "@paraph/pki/readable-certificates"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import type { ValidationTarget } from "@paraph/pki/validation-data"
import type { ByteRange } from "../signed/byte-range.ts"
import { digestRanges } from "../signed/digest-ranges.ts"
import { type PdfSignature, readSignatures } from "../signed/signatures.ts"
import type { Source } from "../source.ts"
import type { Pdf } from "../structure/document.ts"
import {
  checkMark,
  type Embedded,
  embeddedEvidence,
  type Mark,
  MarkRefused,
  openMark,
  signatureStamps,
  validStamp,
} from "./open-mark.ts"
import { isTrusted, type ValidTimestamp } from "./timestamp.ts"

export type Marks = {
  /** Whoever signed or time-stamped, and when, as far as a later time-stamp proves it. */
  readonly targets: readonly ValidationTarget[]
  /** Of these targets, the time-stamping authorities. */
  readonly authorities: readonly Certificate[]
  /** DER, each; whatever the marks brought along. */
  readonly certificates: readonly Uint8Array[]
  /** Revocation answers inside the marks. */
  readonly evidence: { readonly ocspResponses: readonly KnownItem[]; readonly crls: readonly KnownItem[] }
  /** The time-stamps over the document that count, oldest first. */
  readonly stamps: readonly DocumentStamp[]
  /** Some signature has neither a time-stamp of its own nor a later one over the document. */
  readonly lacksTimestamp: boolean
}

/** `end` is where the bytes that it covers end. */
export type DocumentStamp = ValidTimestamp & { readonly end: number }

export type MarksOptions = {
  readonly now: Date
  readonly anchors: readonly Certificate[]
  /** DER. To build paths from; none of them is trusted for that. */
  readonly certificates: readonly Uint8Array[]
  /** The fields whose signatures are meant; by default all. */
  readonly fields?: readonly string[]
  /** Time-stamping authorities that turned out to be worth nothing: their stamps are as if they were not there. */
  readonly distrusted?: readonly Certificate[]
}

export function readMarks(pdf: Pdf, options: MarksOptions): Marks {
  const { certificates, fields } = options
  const all = readSignatures(pdf)
  const isWanted = ({ type, fieldName }: PdfSignature) =>
    type !== "document-timestamp" && fields?.includes(fieldName) !== false
  const others = readableCertificates(certificates)
  const marks = all.filter(isWanted).map((signature) => openMark(signature, others))
  if (marks.length === 0) throw new MarkRefused("missing", fields?.join(", ") ?? "the document")

  const tokens = all.flatMap(openToken)
  const digests = digestsOf(pdf.source, [...marks, ...tokens])
  for (const [i, mark] of marks.entries()) checkMark(mark, digests[i] ?? NOTHING)
  const stamps = tokens
    .flatMap(({ contents, end }, i) =>
      validStamp(contents, certificates, () => digests[marks.length + i] ?? NOTHING)
        .filter((stamp) => counts(stamp, options))
        .map((stamp) => ({ ...stamp, end })),
    )
    .toSorted((a, b) => a.end - b.end)
  return { ...provedTimes(marks, stamps, options), stamps }
}

function counts(stamp: ValidTimestamp, { distrusted = [], ...trust }: MarksOptions): boolean {
  const isDistrusted = distrusted.some(({ der }) => Buffer.compare(der, stamp.certificate.der) === 0)
  return !isDistrusted && isTrusted(stamp, trust)
}

function provedTimes(
  marks: readonly Mark[],
  stamps: readonly DocumentStamp[],
  options: MarksOptions,
): Omit<Marks, "stamps"> {
  const { now, certificates } = options
  const after = (end: number) => stamps.find((stamp) => stamp.end > end)?.genTime
  const targets: ValidationTarget[] = []
  const authorities: Certificate[] = []
  const target = (stamp: ValidTimestamp, later: Date | undefined) => {
    authorities.push(stamp.certificate)
    targets.push({ certificate: stamp.certificate, at: later ?? atLeast(now, stamp) })
  }
  const brought: Uint8Array[] = []
  const evidence = { ocspResponses: [] as KnownItem[], crls: [] as KnownItem[] }
  const know = (embedded: Embedded, existedAt: Date) => {
    for (const der of embedded.ocspResponses) evidence.ocspResponses.push({ der, existedAt })
    for (const der of embedded.crls) evidence.crls.push({ der, existedAt })
  }
  let lacksTimestamp = false
  for (const mark of marks) {
    const later = after(endOf(mark.byteRange))
    const own = signatureStamps(mark, certificates).filter((stamp) => counts(stamp, options))
    const at = earliest([...own.map(({ genTime }) => genTime), ...(later === undefined ? [] : [later])])
    lacksTimestamp ||= at === undefined
    targets.push({ certificate: mark.signer, at: at ?? now })
    for (const stamp of own) target(stamp, later)
    const { signed, unsigned } = embeddedEvidence(mark)
    know(signed, at ?? now)
    // Neither the signature nor a time-stamp of its own covers these.
    know(unsigned, later ?? now)
    brought.push(...mark.signedData.certificates, ...own.flatMap(certificatesOf))
  }
  for (const stamp of stamps) target(stamp, after(stamp.end))
  const all = [...brought, ...stamps.flatMap(certificatesOf)]
  return { targets, authorities, evidence, lacksTimestamp, certificates: all }
}

// The clock of an authority may be a little ahead of ours, and its certificate as young.
function atLeast(now: Date, { genTime }: ValidTimestamp): Date {
  return new Date(Math.max(genTime.getTime(), now.getTime()))
}

function certificatesOf({ certificates }: ValidTimestamp): readonly Uint8Array[] {
  return certificates.map(({ der }) => der)
}

type Token = Covering & { readonly contents: Uint8Array; readonly end: number }
type Covering = { readonly byteRange: ByteRange; readonly digest: DigestName }

/** A time-stamp over a whole revision, not yet checked. */
function openToken({ type, byteRange, contents, fault, coverage }: PdfSignature): readonly Token[] {
  const covers = coverage === "whole-file" || coverage === "whole-revision"
  if (type !== "document-timestamp" || !covers || fault !== undefined) return []
  if (byteRange === undefined || contents === undefined) return []
  const digest = ifReadable(() => readTimestampToken(contents).imprint.digestAlgorithm)
  return digest === undefined ? [] : [{ byteRange, digest, contents, end: endOf(byteRange) }]
}

// Byte ranges nest, so all of one digest take one pass, however many signatures there are.
function digestsOf(source: Source, covering: readonly Covering[]): readonly Uint8Array[] {
  const digests: Uint8Array[] = covering.map(() => NOTHING)
  for (const digest of new Set(covering.map((one) => one.digest))) {
    const alike = [...covering.entries()].filter(([, one]) => one.digest === digest)
    const found = digestRanges(
      source,
      alike.map(([, { byteRange }]) => byteRange),
      digest,
    )
    for (const [i, [place]] of alike.entries()) digests[place] = found[i] ?? NOTHING
  }
  return digests
}

const NOTHING = new Uint8Array()

function endOf([, , start, length]: ByteRange): number {
  return start + length
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
