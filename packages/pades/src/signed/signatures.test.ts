import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { samplePdf, writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { appendRevision, type SignedByHand, signedByHand } from "../testing/by-hand.ts"
import { readSignatures } from "./signatures.ts"

const read = (bytes: Uint8Array) => readSignatures(openPdf(bytesSource(bytes)))
const one = (signature: SignedByHand) => read(signedByHand(samplePdf(), [signature]))[0]

describe("the signatures of a PDF", () => {
  it("are told with what each covers: its revision, and the last one the file", () => {
    const signed = signedByHand(samplePdf(), [{ eol: "\r\n" }, { eol: "" }, {}])
    expect(read(signed)).toMatchObject([
      { fieldName: "Signature 1", coverage: "whole-revision", revision: 1, fault: undefined },
      { fieldName: "Signature 2", coverage: "whole-revision", revision: 2, fault: undefined },
      { fieldName: "Signature 3", coverage: "whole-file", revision: 3, fault: undefined },
    ])
    for (const { byteRange, hole } of read(signed)) {
      expect(hole).toEqual({ start: byteRange?.[1], end: byteRange?.[2] })
      expect(signed.toString("latin1", hole?.start, hole?.end)).toBe("<300406022a03000000>")
    }
  })

  it("give the CMS without the zeros behind it, also where its length is indefinite", () => {
    const hex = (contents: string) => Buffer.from(one({ contents })?.contents ?? []).toString("hex")
    expect(hex("300406022a03000000")).toBe("300406022a03")
    expect(hex("3080060129308002010000000000000000")).toBe("30800601293080020100000000 00".replace(" ", ""))
    expect(hex(`3082010004${"81fd"}${"00".repeat(0x100 - 3)}0000`)).toHaveLength(2 * 0x104)
    expect(hex("3004 0602 2A03 00")).toBe("300406022a03")
  })

  it("tell what the signer claims, in any spelling of a string", () => {
    const entries =
      "/M (D:20261105102030Z) /Name <feff007a006f00eb> /Reason (I \\(agree\\)) /Location () /ContactInfo 7"
    expect(one({ entries })?.claims).toEqual({
      time: "D:20261105102030Z",
      name: "zoë",
      reason: "I (agree)",
      location: "",
    })
  })

  it("are approvals, certifications or time-stamps", () => {
    const docMdp = (more: string) =>
      `/Reference [<< /TransformMethod /DocMDP /TransformParams << /Type /TransformParams ${more} >> >>]`
    expect(one({})).toMatchObject({ type: "approval", docMdp: undefined })
    expect(one({ entries: docMdp("/P 1") })).toMatchObject({ type: "certification", docMdp: 1 })
    expect(one({ entries: docMdp("") })).toMatchObject({ type: "certification", docMdp: 2 })
    expect(one({ entries: docMdp("/P 7") })).toMatchObject({ type: "certification", docMdp: 1 })
    const second = read(signedByHand(samplePdf(), [{}, { entries: docMdp("/P 3") }]))[1]
    expect(second).toMatchObject({ type: "approval", docMdp: 3 })
    const stamped = signedByHand(samplePdf(), [{}])
      .toString("latin1")
      .replace("ETSI.CAdES.detached", "ETSI.RFC3161       ")
    expect(read(Buffer.from(stamped, "latin1"))[0]?.type).toBe("document-timestamp")
  })

  it("tell which fields they lock", () => {
    const locking = (more: string) =>
      one({ entries: `/Reference [<< /TransformMethod /FieldMDP /TransformParams ${more} >>]` })?.fieldMdp
    expect(locking("<< /Action /Include /Fields [(a) (b.c)] >>")).toEqual({
      action: "include",
      fields: ["a", "b.c"],
    })
    expect(locking("<< /Action /Exclude /Fields [(a)] >>")).toEqual({ action: "exclude", fields: ["a"] })
    expect(locking("<< /Action /All >>")).toEqual({ action: "all", fields: [] })
    expect(locking("<< /Action /Invented >>")).toEqual({ action: "all", fields: [] })
  })
})

describe("a bad signature is an answer:", () => {
  it.each([
    [
      "its range leaves the file",
      "byte-range-outside-file",
      { byteRange: (r) => [r[0], r[1], r[2], (r[3] ?? 0) + 1] },
    ],
    ["its range overlaps itself", "byte-range-overlaps", { byteRange: (r) => [0, r[2], r[2], r[3]] }],
    [
      "its gap is wider than the contents",
      "gap-is-not-contents",
      { byteRange: (r) => [0, r[1], (r[2] ?? 0) + 9, 9] },
    ],
    ["its gap begins early", "gap-is-not-contents", { byteRange: (r) => [0, (r[1] ?? 0) - 1, r[2], r[3]] }],
    [
      "its gap leaves the brackets in",
      "gap-is-not-contents",
      { byteRange: (r) => [0, (r[1] ?? 0) + 1, (r[2] ?? 0) - 1, r[3]] },
    ],
    ["its gap is elsewhere", "gap-is-not-contents", { byteRange: () => [0, 10, 20, 30] }],
    ["its range has three numbers", "byte-range-malformed", { byteRange: (r) => r.slice(0, 3) }],
    ["its range has a fraction", "byte-range-malformed", { byteRange: (r) => [0, r[1], r[2], 0.5] }],
    ["its contents are empty", "contents-malformed", { contents: "0000000000" }],
    ["its contents are cut short", "contents-malformed", { contents: "30820100060129" }],
    ["its contents never end", "contents-malformed", { contents: "30800601290000".slice(0, -2) }],
    ["its contents have something behind them", "contents-padding", { contents: "300406022a0300000001" }],
  ] satisfies [string, string, SignedByHand][])("%s", (_, fault, signature) => {
    expect(one(signature)?.fault).toBe(fault)
  })

  it("it is missing a part, or is something else", () => {
    const changed = (from: string, to: string) =>
      read(Buffer.from(signedByHand(samplePdf(), [{}]).toString("latin1").replace(from, to), "latin1"))[0]
    expect(changed("/ByteRange", "/BiteRange")?.fault).toBe("no-byte-range")
    expect(changed("/Contents <", "/Kontents <")?.fault).toBe("no-contents")
    expect(changed("<< /Type /Sig", "<< (Typ)     ")?.fault).toBe("unreadable")
    const noDict = appendRevision(signedByHand(samplePdf(), [{}]), { objects: [[6, "[]"]], size: 9 })
    expect(read(noDict)).toMatchObject([
      { fieldName: "Signature 1", fault: "unreadable", coverage: "unclear" },
    ])
    const none = appendRevision(signedByHand(samplePdf(), [{}]), { objects: [[6, "null"]], size: 9 })
    expect(read(none)).toEqual([])
  })

  it("it is too complex to be read, and hides no other", () => {
    const two = signedByHand(samplePdf(), [{ entries: `/X ${"[".repeat(200)}${"]".repeat(200)}` }, {}])
    expect(read(two).map(({ fault, coverage }) => fault ?? coverage)).toEqual(["unreadable", "whole-file"])
  })

  it("it leaves the end of its revision uncovered", () => {
    const signed = signedByHand(samplePdf(), [{ byteRange: (r) => [0, r[1], r[2], (r[3] ?? 0) - 20] }])
    expect(read(signed)).toMatchObject([
      { coverage: "contiguous-from-start", revision: undefined, fault: undefined },
    ])
  })

  it("it does not begin with the file", () => {
    const signed = signedByHand(samplePdf(), [{ byteRange: (r) => [1, (r[1] ?? 0) - 1, r[2], r[3]] }])
    expect(read(signed)).toMatchObject([{ coverage: "unclear", fault: undefined }])
  })

  it("its dictionary was moved after it was made", () => {
    const signed = signedByHand(samplePdf(), [{}])
    const dict = /6 0 obj\n(.*?)\nendobj/s.exec(signed.toString("latin1"))?.[1] ?? ""
    const moved = appendRevision(signed, { objects: [[6, dict]], size: 9 })
    expect(read(moved)).toMatchObject([{ fault: "gap-is-not-contents", coverage: "unclear" }])
  })
})

it("answers damaged files with signatures or a refusal", () => {
  const base = signedByHand(samplePdf(), [{}, {}])
  const damage = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damage, (changes) => {
      const bytes = Uint8Array.from(base)
      for (const [at, octet] of changes) bytes[at] = octet
      try {
        for (const { coverage, fault, byteRange } of read(bytes))
          if (coverage !== "unclear")
            expect([byteRange?.[0], fault?.startsWith("contents-") ?? true]).toEqual([0, true])
      } catch (error) {
        if (!(error instanceof PdfRefused)) throw error
      }
    }),
    { numRuns: 1_000 },
  )
})

it("refuses a document with more signatures than anyone makes", () => {
  const fields = Array.from({ length: 1_001 }, (_, i) => `<< /FT /Sig /T (${i}) /V << >> >>`)
  const pdf = writeSample([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields.join(" ")}] >> >>`,
    "<< /Type /Pages /Kids [] >>",
  ])
  expect(() => read(pdf)).toThrow("too many signatures")
})
