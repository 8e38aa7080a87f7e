// What happened after signing in other people's files: every manipulated one is noticed, and every honest one is
// explained but for the listed ones, where we are stricter.

import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { type Differences, findDifferences } from "@paraph/pades/differences"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { beforeAll, describe, expect, it } from "vitest"

const corpora = process.env.PARAPH_CORPORA

/** Manipulated after signing, or signed over less than it seems. */
const ATTACKS = [
  // EU DSS: wrapped, spoofed, shadowed, out of range, pages added and removed.
  "siwa.pdf",
  "pdf-spoofing-attack.pdf",
  "pades-spoofing-replaced-reason.pdf",
  "hide.pdf",
  "replace.pdf",
  "annotation-and-visible-change.pdf",
  "modified_after_signature.pdf",
  "hello_signed_INCSAVE_signed_EDITED.pdf",
  "pdf-byterange-overlap.pdf",
  "pdf-signed-out-of-byteRange.pdf",
  "pdf-eof.pdf",
  "pdf-signed-added-page.pdf",
  "pdf-removed-pages.pdf",
  "pades-signed-annot-added.pdf",
  // A field was filled though the signature locks all of them.
  "test-with-vri.pdf",
  // pyHanko: objects that are used at two places, ranges with holes.
  "form-update-ap-indirect-sneaky-trailer.pdf",
  "form-update-no-override-appearance-stream-ap-indirect-sneaky.pdf",
  "form-update-override-appearance-stream-ap-indirect-sneaky.pdf",
  "form-update-override-appearance-stream-sneaky.pdf",
  "extensions-indirect-not-all-paths.pdf",
  "one-byterange.pdf",
  "signature-gap-too-big.pdf",
  "tail-uncovered.pdf",
  "weird-byterange.pdf",
]

/** Honest ones that we do not explain, each with the reason. */
const STRICTER = new Map([
  ["base.pdf", "the author was put into the information after signing"],
  ["DSS-2821.pdf", "a structure tree and a tab order were added to the document (undefined for EU DSS too)"],
  ["DSS1376-rev_n.pdf", "a new visible field after a certification with P=2 (refused by pyHanko too)"],
  ["hello_signed_INCSAVE_signed.pdf", "the signed revision has objects beyond its own size"],
  [
    "Signature-P-SK-1 (HASH_FAILURE).pdf",
    "a dictionary has a key twice, and readers differ on which one counts",
  ],
])

type Judged = {
  readonly file: string
  readonly refused: boolean
  readonly signatures: number
  readonly undefined: readonly string[]
  readonly milliseconds: number
}

const judged: Judged[] = []

describe.skipIf(corpora === undefined)("what happened to other people's files after they were signed", () => {
  beforeAll(() => {
    for (const folder of ["dss", "pyhanko", "shadow-attacks"])
      for (const path of readdirSync(join(corpora ?? "", folder), { recursive: true, encoding: "utf8" }))
        if (path.endsWith(".pdf")) judged.push(judge(join(corpora ?? "", folder, path)))
  }, 300_000)

  const named = (file: string) => judged.filter((one) => basename(one.file) === file)

  it.each(ATTACKS)("%s is noticed", (file) => {
    expect(named(file)).not.toEqual([])
    for (const one of named(file)) expect(one.refused || one.undefined.length > 0).toBe(true)
  })

  it("shadow documents are noticed once they are manipulated, and not before", () => {
    const shadows = judged.filter(({ file }) => file.includes("shadow-attacks"))
    const manipulated = shadows.filter(({ file }) => basename(file).startsWith("4_"))
    expect(manipulated.length).toBeGreaterThanOrEqual(7)
    for (const one of manipulated) expect(one.refused || one.undefined.length > 0, one.file).toBe(true)
    const signed = shadows.filter(({ file }) => basename(file).startsWith("3_"))
    expect(signed.length).toBeGreaterThanOrEqual(7)
    for (const one of signed) expect(one.undefined, one.file).toEqual([])
  })

  it("everything else is explained, but for what is listed", () => {
    const others = judged.filter(
      ({ file, undefined: found }) =>
        found.length > 0 && !ATTACKS.includes(basename(file)) && !basename(file).startsWith("4_"),
    )
    expect(others.map(({ file }) => basename(file)).sort()).toEqual([...STRICTER.keys()].sort())
    const changed = judged.filter(({ signatures }) => signatures > 1)
    expect(changed.length).toBeGreaterThan(60)
  })

  it("each takes less than a second of the processor", () => {
    for (const { file, milliseconds } of judged) expect(milliseconds, file).toBeLessThan(1_000)
  })
})

function judge(file: string): Judged {
  // A busy machine is no fault of the file.
  const start = process.cpuUsage()
  const answer = { file, refused: false, signatures: 0, undefined: [] as string[] }
  try {
    const pdf = openPdf(bytesSource(readFileSync(file)), { password: "" })
    const signatures = readSignatures(pdf)
    const found = findDifferences(pdf, signatures)
    answer.signatures = signatures.length
    answer.undefined = [...found.values()].flatMap(undefinedIn)
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
    answer.refused = true
  }
  const { user, system } = process.cpuUsage(start)
  return { ...answer, milliseconds: (user + system) / 1000 }
}

function undefinedIn({ changes }: Differences): readonly string[] {
  return changes.flatMap((one) => (one.undefined ? one.path : []))
}
