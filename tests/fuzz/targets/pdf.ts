// Whole PDFs: described, signed, their signatures and revisions read, repaired. Whatever is accepted and grown stays
// readable, and no byte that was there changes.

import { join } from "node:path"
import { describePdf, type PdfDescription } from "@paraph/pades/describe"
import { openPdf } from "@paraph/pades/document"
import { flatten } from "@paraph/pades/flatten"
import { PdfRefused } from "@paraph/pades/refused"
import { repair } from "@paraph/pades/repair"
import { openRevision, readRevisions } from "@paraph/pades/revisions"
import { type PdfSignature, readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { watermark } from "@paraph/pades/watermark"
import { readSignedData } from "@paraph/pki/signed-data"
import { filesIn } from "../corpus.ts"
import { conditionalPdfs, plainPdfs, samplePdfs, signedPdfs, signPdf } from "../sample-pdf.ts"
import { Broken, must, same, type Target } from "../target.ts"

const MAX_FILE_BYTES = 40_000

const common = { kind: "pdf", seeds: samplePdfs, refusals: [PdfRefused] } as const

function everyFolder(folder: string): readonly Uint8Array[] {
  return ["pyhanko", "pdf101", "pdfa", "dss"].flatMap((name) =>
    filesIn(join(folder, name), ".pdf", MAX_FILE_BYTES).slice(0, 40),
  )
}

export const describing: Target = {
  ...common,
  name: "pdf-describe",
  corpus: everyFolder,
  run: (input) => {
    const first = describePdf(input)
    must(JSON.stringify(describePdf(input)) === JSON.stringify(first), "a description is the same twice")
    must(Number.isSafeInteger(first.pageCount) && first.pageCount > 0, "a PDF has pages")
    must(first.pageWidth > 0 && first.pageHeight > 0, "a page has a size")
    checkSizes(first)
    const positions = first.signatureFields.flatMap((field) => field.positions)
    for (const position of positions) checkPosition(position, first.pageCount)
    const kinds = first.active.map(({ kind }) => kind)
    must(new Set(kinds).size === kinds.length, "a kind of active content is told once")
    must(first.pdfa === null || /^PDF\/A-[1-9]/.test(first.pdfa), "a claim names a part of PDF/A")
    const fields = `${first.signatureFields.length} ${Math.min(5, positions.length)}`
    return `${Math.min(5, first.pageCount)} ${fields} ${first.locked} ${first.pdfa !== null} ${kinds.join(" ")}`
  },
}

function checkSizes({ pageSizes, pageCount }: PdfDescription): void {
  const measured = pageSizes.reduce((sum, { count }) => sum + count, 0)
  must(measured === pageCount || (measured < pageCount && pageSizes.length === 1_000), "pages are measured")
  for (const { count, width, height } of pageSizes) {
    must(Number.isSafeInteger(count) && count > 0, "a size is that of pages")
    must(width >= 0 && height >= 0 && Math.max(width, height) <= MAX_PAGE_POINTS, "a size is one of a page")
  }
}

type Position = PdfDescription["signatureFields"][number]["positions"][number]

function checkPosition({ page, x, y, width, height }: Position, pageCount: number): void {
  must(Number.isSafeInteger(page) && page >= 0 && page < pageCount, "a position is on a page")
  must(x >= 0 && y >= 0 && width > 0 && height > 0, "a position is in the page and has a size")
  must(x + width <= MAX_PAGE_POINTS && y + height <= MAX_PAGE_POINTS, "a position is not beyond the page")
}

/** Half a point for what is rounded. */
const MAX_PAGE_POINTS = 14_400.5

const NEW_FIELD = "Fuzz-Z"

export const preparing: Target = {
  ...common,
  name: "pdf-prepare",
  corpus: everyFolder,
  run: async (input) => {
    const before = describePdf(input)
    const empty = before.signatureFields.find(({ signed }) => !signed)?.name
    const fieldName = empty ?? NEW_FIELD
    const grown = await signPdf(input, fieldName)
    must(same(grown.subarray(0, input.length), input), "no byte that was there changes")
    const after = accepted("a signed PDF can be read again", () => describePdf(grown))
    must(after.pageCount === before.pageCount, "a signature adds no page")
    const others = (list: typeof before) => list.signatureFields.filter(({ name }) => name !== fieldName)
    must(JSON.stringify(others(after)) === JSON.stringify(others(before)), "other fields stay as they were")
    const found = signaturesOf(grown).filter((one) => one.fieldName === fieldName)
    must(found.length === 1 && found[0]?.fault === undefined, "the new signature is found, without fault")
    must(found[0]?.coverage === "whole-file", "the new signature covers the whole file")
    must(found[0]?.contents !== undefined, "the new signature has contents")
    return `${empty === undefined ? "new" : "filled"} ${after.locked} ${before.signatureFields.length}`
  },
}

function signaturesOf(file: Uint8Array): readonly PdfSignature[] {
  return accepted("the signatures of a signed PDF can be read", () =>
    readSignatures(openPdf(bytesSource(file))),
  )
}

function accepted<T>(property: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof PdfRefused
      ? new Broken(`${property}, but: ${error.message.replace(/\d+/g, "#")}`)
      : error
  }
}

export const signatures: Target = {
  ...common,
  name: "pdf-signatures",
  seeds: signedPdfs,
  corpus: (folder) => filesIn(join(folder, "dss"), ".pdf", MAX_FILE_BYTES),
  run: (input) => {
    const found = readSignatures(openPdf(bytesSource(input)))
    for (const one of found) checkSignature(one, input)
    return found.map(({ coverage, fault, type }) => `${coverage} ${fault ?? ""} ${type}`).join(", ")
  },
}

function checkSignature(
  { byteRange, hole, contents, coverage, fault }: PdfSignature,
  input: Uint8Array,
): void {
  // What stands in the gap may be no CMS; the range around it is sound all the same.
  const isSound = fault === undefined || fault === "contents-malformed" || fault === "contents-padding"
  must(coverage === "unclear" || isSound, "a byte range with a fault covers nothing")
  if (fault !== undefined) return
  must(
    byteRange !== undefined && hole !== undefined && contents !== undefined,
    "without fault nothing is missing",
  )
  if (byteRange === undefined || hole === undefined || contents === undefined) return
  const [start, length, next, last] = byteRange
  must(start >= 0 && start + length <= next && next + last <= input.length, "a byte range lies in the file")
  must(start + length === hole.start && next === hole.end, "the gap is the contents and nothing else")
  must(input[hole.start] === 0x3c && input[hole.end - 1] === 0x3e, "the gap is a hexadecimal string")
  if (coverage === "whole-file")
    must(start === 0 && next + last === input.length, "the whole file is covered")
  const hex = Buffer.from(input.subarray(hole.start + 1, hole.end - 1))
    .toString("latin1")
    .replace(/[\0\s]/g, "")
  // 7.3.4.3: where the last digit is missing, it is 0.
  must(
    `${hex.toLowerCase()}0`.startsWith(Buffer.from(contents).toString("hex")),
    "the contents are what the gap holds",
  )
}

export const revisions: Target = {
  ...common,
  name: "pdf-revisions",
  corpus: everyFolder,
  run: (input) => {
    const pdf = openPdf(bytesSource(input))
    const found = readRevisions(pdf)
    must(found.length > 0, "a PDF has a revision")
    let end = 0
    for (const revision of found) {
      if (revision.end === undefined) continue
      must(
        revision.end.mark <= revision.end.line && revision.end.line <= input.length,
        "an end lies in the file",
      )
      must(revision.end.line > end, "later revisions end later")
      end = revision.end.line
      reopen(pdf, revision, input)
    }
    return `${found.length} ${found.map((one) => (one.end === undefined ? "-" : "+")).join("")}`
  },
}

function reopen(
  pdf: ReturnType<typeof openPdf>,
  revision: Parameters<typeof openRevision>[1],
  input: Uint8Array,
) {
  try {
    const { source } = openRevision(pdf, revision)
    must(same(source.read(0, source.length), input.subarray(0, source.length)), "a revision is a prefix")
  } catch (error) {
    // What was broken in an old revision may have been replaced since.
    if (!(error instanceof PdfRefused)) throw error
  }
}

export const repairing: Target = {
  ...common,
  name: "pdf-repair",
  // Not fitted together again: damage is what is wanted.
  kind: "text",
  seeds: plainPdfs,
  corpus: (folder) => filesIn(join(folder, "pyhanko"), ".pdf", MAX_FILE_BYTES),
  run: (input) => {
    const tail = repair(bytesSource(input))
    const whole = new Uint8Array(Buffer.concat([input, tail]))
    const pdf = accepted("what was repaired can be read", () => openPdf(bytesSource(whole)))
    must(!pdf.trailer.entries.has("Encrypt"), "nothing encrypted is repaired")
    must(!/\/ByteRange/.test(Buffer.from(input).toString("latin1")), "nothing that looks signed is repaired")
    return "repaired"
  },
}

export const watermarking: Target = {
  ...common,
  name: "pdf-watermark",
  seeds: plainPdfs,
  run: (input) => {
    const before = describePdf(input)
    const tail = watermark(input, { text: "Fuzz" })
    const after = accepted("a watermarked PDF can be read", () =>
      describePdf(new Uint8Array(Buffer.concat([input, tail]))),
    )
    // What is unclear may be a reference to nothing, which a new object answers.
    const described = { ...after, active: before.active.some(isUnclear) ? before.active : after.active }
    must(
      JSON.stringify(described) === JSON.stringify(before),
      "a watermark changes nothing that is described",
    )
    return `${before.pageCount}`
  },
}

export const flattening: Target = {
  ...common,
  name: "pdf-flatten",
  seeds: conditionalPdfs,
  corpus: everyFolder,
  run: (input) => {
    const before = describePdf(input)
    const { bytes, changes } = flatten(input)
    const after = accepted("a flattened PDF can be read", () => describePdf(bytes))
    must(after.pageCount === before.pageCount, "flattening keeps the pages")
    must(
      after.shownFields.length === 0 && !after.conditional.some(({ kind }) => kind === "need-appearances"),
      "flattening leaves no form field but signatures",
    )
    must(
      !after.conditional.some(({ kind }) => kind === "image-alternates"),
      "flattening leaves no version of an image",
    )
    return `${Math.min(5, before.conditional.length)} ${Math.min(5, changes.length)} ${after.conditional.length}`
  },
}

function isUnclear({ kind }: PdfDescription["active"][number]): boolean {
  return kind === "unclear"
}

export const marksInside: Target = {
  ...common,
  name: "pdf-marks",
  seeds: signedPdfs,
  run: (input) => {
    const ways = readSignatures(openPdf(bytesSource(input))).map(({ contents }) => {
      if (contents === undefined) return "nothing"
      try {
        return readSignedData(contents, { zeroPadded: true }).encoding
      } catch (error) {
        if (error instanceof Error && error.name === "DerError") return error.message
        throw error
      }
    })
    return ways.join(", ")
  },
}
