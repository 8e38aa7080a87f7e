// The signatures that a PDF holds (ISO 32000-2, 12.8.1), and what each of them covers. A bad one is an answer with a
// named fault, never an error: whoever validates has to say something about it.

import { isDocumentTimestamp, readFields, type SignatureField } from "../content/form.ts"
import { type FieldMdp, readTransforms } from "../content/transform.ts"
import { PdfRefused } from "../refused.ts"
import type { Source } from "../source.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { isSpent, MAX_SIGNATURES } from "../syntax/limits.ts"
import { isWhite } from "../syntax/scan.ts"
import { entry, isDict, isRef, type PdfDict, textOf } from "../syntax/value.ts"
import { type ByteRange, type ContentsHole, checkByteRange, type SignatureFault } from "./byte-range.ts"
import { type Revision, readRevisions } from "./revisions.ts"

export type Coverage = "whole-file" | "whole-revision" | "contiguous-from-start" | "unclear"

export type PdfSignature = {
  readonly fieldName: string
  readonly type: "approval" | "certification" | "document-timestamp"
  readonly subFilter: string | undefined
  readonly filter: string | undefined
  /** Checked: inside the file, in order, and its gap is the contents; else `fault` says what is wrong. */
  readonly byteRange: ByteRange | undefined
  /** The CMS or the time-stamp token, without the zeros behind it. */
  readonly contents: Uint8Array | undefined
  /** Where the contents stand, angle brackets included. */
  readonly hole: ContentsHole | undefined
  readonly coverage: Coverage
  /** The revision that the signature closes; its number counts from the oldest, 0. */
  readonly revision: number | undefined
  /** 12.8.2.2: what a certification permits, 1 to 3. */
  readonly docMdp: 1 | 2 | 3 | undefined
  readonly fieldMdp: FieldMdp | undefined
  /** Claims of the signer, as they stand: /M, /Name, /Reason, /Location, /ContactInfo. */
  readonly claims: Readonly<Partial<Record<Claim, string>>>
  readonly fault: SignatureFault | undefined
}

export type Claim = "time" | "name" | "reason" | "location" | "contactInfo"

/** In the order of the form; one that several fields show counts once, for the first. Throws `PdfRefused` only where the file or its form cannot be read. */
export function readSignatures(pdf: Pdf): readonly PdfSignature[] {
  const { signatureFields } = readFields(pdf, () => null)
  const signed = signatureFields.filter(({ dict }) => entry(dict, "V") !== null)
  if (signed.length > MAX_SIGNATURES) throw new PdfRefused("too-complex", "The PDF has too many signatures.")
  const revisions = signed.length === 0 ? [] : readRevisions(pdf)
  const shown = new Set<number>()
  return signed.flatMap((field) => {
    const signature = readSignature(pdf, field, revisions)
    const value = entry(field.dict, "V")
    if (signature === undefined || (isRef(value) && shown.has(value.number))) return []
    if (isRef(value)) shown.add(value.number)
    return signature
  })
}

function readSignature(
  pdf: Pdf,
  field: SignatureField,
  revisions: readonly Revision[],
): PdfSignature | undefined {
  try {
    const dict = resolve(pdf, entry(field.dict, "V"))
    // 7.3.10: a reference to nothing is null, and a field without a value is not signed.
    if (dict === null) return undefined
    return isDict(dict) ? describe(pdf, field, dict, revisions) : unreadable(field)
  } catch (error) {
    // Once the budget is spent the file is to blame, and not each of the signatures that were not read any more.
    if (error instanceof PdfRefused && !isSpent(pdf.budget)) return unreadable(field)
    throw error
  }
}

function describe(
  pdf: Pdf,
  field: SignatureField,
  dict: PdfDict,
  revisions: readonly Revision[],
): PdfSignature {
  const subFilter = nameIn(pdf, dict, "SubFilter")
  const { docMdp, fieldMdp } = readTransforms(pdf, dict)
  const checked = checkByteRange(pdf, dict)
  return {
    fieldName: field.name,
    type: typeOf(pdf, field, dict, docMdp),
    subFilter,
    filter: nameIn(pdf, dict, "Filter"),
    byteRange: checked.byteRange,
    contents: checked.contents,
    hole: checked.hole,
    ...coverageOf(pdf, checked.isSound ? checked.byteRange : undefined, revisions),
    docMdp,
    fieldMdp,
    claims: readClaims(pdf, dict),
    fault: checked.fault,
  }
}

function unreadable({ name }: SignatureField): PdfSignature {
  return {
    fieldName: name,
    type: "approval",
    subFilter: undefined,
    filter: undefined,
    byteRange: undefined,
    contents: undefined,
    hole: undefined,
    coverage: "unclear",
    revision: undefined,
    docMdp: undefined,
    fieldMdp: undefined,
    claims: {},
    fault: "unreadable",
  }
}

// 12.8.2.2.1: a certification has a DocMDP transform and is named in the catalog's permissions.
function typeOf(
  pdf: Pdf,
  field: SignatureField,
  dict: PdfDict,
  docMdp: number | undefined,
): PdfSignature["type"] {
  if (isDocumentTimestamp(pdf, dict)) return "document-timestamp"
  const permissions = resolve(pdf, entry(pdf.catalog, "Perms"))
  const named = isDict(permissions) ? entry(permissions, "DocMDP") : null
  const own = entry(field.dict, "V")
  const isNamed = isRef(named) && isRef(own) && named.number === own.number
  return docMdp !== undefined && isNamed ? "certification" : "approval"
}

function coverageOf(
  { source }: Pdf,
  byteRange: ByteRange | undefined,
  revisions: readonly Revision[],
): Pick<PdfSignature, "coverage" | "revision"> {
  if (byteRange === undefined || byteRange[0] !== 0) return { coverage: "unclear", revision: undefined }
  const end = byteRange[2] + byteRange[3]
  if (end === source.length) return { coverage: "whole-file", revision: revisions.length - 1 }
  const revision = revisions.findIndex((one) => one.end !== undefined && endsAt(source, one.end.mark, end))
  // Every section that the revision builds upon must have been there when it was signed.
  const older = revisions.slice(0, revision + 1).flatMap(({ sections }) => sections)
  if (revision < 0 || older.some((section) => section.end > end))
    return { coverage: "contiguous-from-start", revision: undefined }
  return { coverage: "whole-revision", revision }
}

// The line of `%%EOF` may end in several ways or not at all, and some files have blank lines behind it.
const MAX_BLANKS = 64

function endsAt(source: Source, mark: number, end: number): boolean {
  if (end < mark || end > mark + MAX_BLANKS) return false
  return source.read(mark, end).every(isWhite)
}

const CLAIMS = [
  ["time", "M"],
  ["name", "Name"],
  ["reason", "Reason"],
  ["location", "Location"],
  ["contactInfo", "ContactInfo"],
] as const

function readClaims(pdf: Pdf, dict: PdfDict): PdfSignature["claims"] {
  const claims: Partial<Record<Claim, string>> = {}
  for (const [claim, key] of CLAIMS) {
    const value = resolve(pdf, entry(dict, key))
    if (typeof value === "object" && value?.type === "string") claims[claim] = textOf(value)
  }
  return claims
}

function nameIn(pdf: Pdf, dict: PdfDict, key: string): string | undefined {
  const value = resolve(pdf, entry(dict, key))
  return typeof value === "object" && value?.type === "name" ? value.name : undefined
}
