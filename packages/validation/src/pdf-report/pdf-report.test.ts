import { describePdf } from "@paraph/pades/describe"
import { describe, expect, it } from "vitest"
import { badSignature, documentReport, goodSignature } from "../testing/reports.ts"
import { wordsOf } from "../words/of-language.ts"
import { LANGUAGES } from "../words/words.ts"
import { annex } from "./annex.ts"
import { documentPart } from "./document-part.ts"
import { writePdfReport } from "./pdf-report.ts"
import { MAX_PICTURE_BYTES, picturesPart } from "./pictures-part.ts"
import { signaturePart } from "./signature-part.ts"

const report = documentReport(goodSignature, badSignature)

describe("the report for people", () => {
  it("says the verdict first, with a sign", () => {
    const verdict = documentPart(report, "en", { id: "42" }).find(({ type }) => type === "verdict")
    expect(verdict).toEqual({
      type: "verdict",
      sign: "unclear",
      heading: "Cannot be decided (INDETERMINATE)",
      text: "Not every signature of this document can be called valid.",
    })
  })

  it.each(LANGUAGES)(
    "names who seals it, and says of a demo that it is one before the verdict, in %s",
    (language) => {
      const { demo, sealed, sealedBy } = wordsOf(language).report
      const about = { id: "42", sealer: "Acme Trust AG Service seal 1", isDemo: true }
      const blocks = documentPart(report, language, about)
      const types = blocks.map((block) => (block.type === "paragraph" ? block.text : block.type))
      expect(types.indexOf(demo)).toBe(types.indexOf("verdict") - 1)
      expect(types).toContain(sealed)
      expect(JSON.stringify(blocks)).toContain(JSON.stringify({ label: sealedBy, text: about.sealer }))
      const plain = JSON.stringify(documentPart(report, language))
      for (const words of [demo, sealed, sealedBy]) expect(plain).not.toContain(words)
    },
  )

  it("shows as many pictures as can be mailed, and counts the others", () => {
    const large = new Uint8Array(MAX_PICTURE_BYTES / 4)
    const one = (n: number) => ({ n, before: large, after: large, difference: null })
    const shown = (count: number) =>
      picturesPart(
        report,
        Array.from({ length: count }, (_, n) => one(n + 1)),
        "en",
      ).flatMap((block) =>
        block.type === "pictures" ? "pictures" : block.type === "paragraph" ? block.text : [],
      )
    expect(shown(2).slice(1)).toEqual(["pictures", "pictures"])
    expect(shown(5).slice(1)).toEqual(["pictures", "pictures", "and 3 more"])
  })

  it("of a document without signatures says that it has none", () => {
    const [, , verdict] = documentPart(documentReport(), "de")
    expect(verdict).toMatchObject({
      sign: "unclear",
      text: "Dieses Dokument trägt keine elektronische Signatur.",
    })
  })

  it("says of each signature who, when and how that is proved", () => {
    const texts = JSON.stringify(signaturePart(badSignature, 2, "en"))
    expect(texts).toContain("Signature 2: Bruno Beispiel")
    expect(texts).toContain("31 October 2026, 10:00:00 UTC – claimed by the signer, not proved")
    expect(texts).toContain("the content of a page, page 2, no rule explains it (/Pages/Kids[1]/Contents)")
  })

  it("what a stranger wrote cannot turn the direction, begin a line, or fill a page", () => {
    const name = `a\u202eb\n${"x".repeat(5000)}`
    const blocks = [
      ...documentPart({ ...report, format: { fileType: "PDF", producer: name }, document: { name } }, "en", {
        sealer: name,
      }),
      ...signaturePart(
        {
          ...badSignature,
          signer: name,
          field: name,
          optionalInfos: { name, contact: name, location: name, reason: name },
          changes: [{ path: name, kind: "other", undefined: true }],
          timestamps: [
            {
              ...goodSignature.timestamps[0],
              indication: "TOTAL-PASSED",
              reasons: [],
              type: "document",
              authority: name,
            },
          ],
        },
        1,
        "en",
      ),
      ...annex(documentReport({ ...badSignature, field: name }), "en"),
    ]
    const texts = JSON.stringify(blocks)
    expect(texts).not.toMatch(/\u202e|\\n|x{400}/)
    expect(texts).toContain("a\ufffdb\ufffd")
  })

  it("shows pictures by the numbers that changes call them by", () => {
    const [, , named, shown] = picturesPart(
      report,
      [{ n: 1, before: null, after: null, difference: null }],
      "fr",
    )
    expect(named).toEqual({ type: "heading", level: 3, text: "Image 1, page 2" })
    expect(shown).toMatchObject({ pictures: [{ caption: "Telle que signée" }, {}, {}] })
  })

  it.each(LANGUAGES)("is a PDF in %s, the same each time, and says its language", (language) => {
    const bytes = writePdfReport({ report, language, id: "42" })
    expect(bytes).toEqual(writePdfReport({ report: structuredClone(report), language, id: "42" }))
    expect(describePdf(bytes).pageCount).toBeGreaterThan(2)
    expect(Buffer.from(bytes).toString("latin1")).toContain(`/Lang (${language})`)
  })

  it("of two hundred signatures and more is finite and fast", () => {
    const many = documentReport(...Array.from({ length: 1000 }, () => badSignature))
    const bytes = writePdfReport({ report: many, language: "de" })
    expect(describePdf(bytes).pageCount).toBeLessThan(400)
  })
})
