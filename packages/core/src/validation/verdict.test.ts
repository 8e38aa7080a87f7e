import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { asking, goodSignature, reportOf } from "../testing/reports.ts"
import { type AskedValidation, LEGISLATIONS, QUALITIES, type SignatureReport } from "./model.ts"
import { isValid, judged, toldChanges, verdictOn } from "./verdict.ts"

describe("a document", () => {
  it("is valid where each of its signatures is", () => {
    expect(verdictOn(reportOf({}, {}), asking())).toEqual({
      valid: true,
      signatures: 2,
      validSignatures: 2,
      quality: "QES",
      legislation: "CH_EU",
      longTermValidation: true,
      visualDifferences: false,
      undefinedChanges: false,
    })
  })

  it("is not where one is not, and tells how many are", () => {
    const report = reportOf({}, { indication: "INDETERMINATE", subIndication: "NO_CERTIFICATE_CHAIN_FOUND" })
    expect(verdictOn(report, asking())).toMatchObject({ valid: false, signatures: 2, validSignatures: 1 })
  })

  it("without a signature is not valid, and has no quality", () => {
    expect(verdictOn(reportOf(), asking())).toEqual({
      valid: false,
      signatures: 0,
      validSignatures: 0,
      quality: null,
      legislation: null,
      longTermValidation: false,
      visualDifferences: false,
      undefinedChanges: false,
    })
  })

  it("has the least quality of its signatures, and the laws that all of them hold under", () => {
    const of = (...each: readonly Partial<SignatureReport>[]) => verdictOn(reportOf(...each), asking())
    expect(of({ quality: "QES" }, { quality: "AES" }).quality).toBe("AES")
    expect(of({ quality: "SES" }, { quality: "QES" }).quality).toBe("SES")
    expect(of({ legislation: "CH_EU" }, { legislation: "CH" }).legislation).toBe("CH")
    expect(of({ legislation: "EU" }, { legislation: "CH_EU" }).legislation).toBe("EU")
    expect(of({ legislation: "EU" }, { legislation: "CH" }).legislation).toBe("WORLD")
    expect(of({ longTermValidation: false }, {}).longTermValidation).toBe(false)
  })
})

describe("a signature is valid only", () => {
  it.each([
    ["QES", "QES", true],
    ["AES", "QES", false],
    ["QES", "AES", true],
    ["SES", "AES", false],
    ["SES", "SES", true],
  ] as const)("with a quality of at least what was asked for: %s where %s was: %s", (quality, asked, is) => {
    expect(isValid({ ...goodSignature, quality }, asking({ quality: asked }))).toBe(is)
  })

  it.each([
    ["CH", "CH", true],
    ["CH_EU", "CH", true],
    ["EU", "CH", false],
    ["WORLD", "EU", false],
    ["CH", "CH_EU", false],
    ["EU", "CH_EU", false],
    ["CH_EU", "CH_EU", true],
    ["WORLD", "WORLD", true],
    ["EU", "WORLD", true],
  ] as const)("under every law that was asked for: %s where %s was: %s", (legislation, asked, is) => {
    expect(isValid({ ...goodSignature, legislation }, asking({ legislation: asked }))).toBe(is)
  })

  it("with what is needed for years, where that was asked for", () => {
    const short = { ...goodSignature, longTermValidation: false }
    expect(isValid(short, asking())).toBe(true)
    expect(isValid(short, asking({ longTermValidation: true }))).toBe(false)
  })
})

describe("what is rejected", () => {
  const changed = { undefinedChanges: true }
  const looks = { visualDifferences: true }

  it("undefined changes make it TOTAL-FAILED, FORMAT_FAILURE, unless the caller says otherwise", () => {
    const report = judged(reportOf({}, changed), asking())
    expect(report).toMatchObject({ indication: "TOTAL-FAILED", subIndication: "FORMAT_FAILURE" })
    expect(report.signatures.map(({ indication }) => indication)).toEqual(["TOTAL-PASSED", "TOTAL-FAILED"])
    const flagged = asking({ rejectUndefinedChanges: false })
    expect(judged(reportOf(changed), flagged)).toEqual(reportOf(changed))
    expect(verdictOn(reportOf(changed), flagged)).toMatchObject({ valid: true, undefinedChanges: true })
  })

  it("visual differences make it INDETERMINATE, SIG_CONSTRAINTS_FAILURE, unless the caller says otherwise", () => {
    expect(judged(reportOf(looks), asking())).toMatchObject({
      indication: "INDETERMINATE",
      subIndication: "SIG_CONSTRAINTS_FAILURE",
    })
    const flagged = asking({ rejectVisualDifferences: false })
    expect(verdictOn(reportOf(looks), flagged)).toMatchObject({ valid: true, visualDifferences: true })
    expect(verdictOn(reportOf(looks), asking())).toMatchObject({ valid: false, validSignatures: 0 })
  })

  it("both: what is worse is said; and what was worse before stays", () => {
    expect(judged(reportOf({ ...changed, ...looks }), asking()).subIndication).toBe("FORMAT_FAILURE")
    const broken = reportOf({ ...changed, indication: "TOTAL-FAILED", subIndication: "HASH_FAILURE" })
    expect(judged(broken, asking())).toEqual(broken)
  })

  it("[B1] is explained by the changes that no rule explains, by those that can be seen, and by filled fields", () => {
    const changes = [
      { path: "/AcroForm/Fields[1]", kind: "signature", undefined: false },
      { path: "/Pages/Kids[0]/Contents", kind: "content", undefined: true },
      { path: "/Pages/Kids[0]", kind: "visual", page: 1, undefined: false, picture: 1 },
      { path: "/AcroForm/Fields[0]/V of price", kind: "form-fill", page: 1, undefined: false },
    ]
    expect(toldChanges({ ...goodSignature, changes })).toEqual(changes.slice(1))
  })
})

describe("whatever is asked for", () => {
  const flags = { undefinedChanges: fc.boolean(), visualDifferences: fc.boolean() }
  const signature = fc.record({
    ...flags,
    indication: fc.constantFrom("TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE" as const),
    quality: fc.constantFrom(...QUALITIES),
    legislation: fc.constantFrom(...LEGISLATIONS),
    longTermValidation: fc.boolean(),
  })
  const asked = fc.record({
    quality: fc.constantFrom(null, ...QUALITIES),
    legislation: fc.constantFrom(null, ...LEGISLATIONS),
    longTermValidation: fc.boolean(),
    rejectVisualDifferences: fc.boolean(),
    rejectUndefinedChanges: fc.boolean(),
  })

  it("nothing is valid that was not passed, and no reading of it makes it so", () => {
    fc.assert(
      fc.property(signature, asked, (given, wanted: AskedValidation) => {
        const report = reportOf(given as Partial<SignatureReport>)
        const { valid } = verdictOn(report, wanted)
        if (valid) expect(report.indication).toBe("TOTAL-PASSED")
        if (given.undefinedChanges && wanted.rejectUndefinedChanges) expect(valid).toBe(false)
        if (given.visualDifferences && wanted.rejectVisualDifferences) expect(valid).toBe(false)
        // Judged once is judged for good.
        const once = judged(report, wanted)
        expect(judged(once, wanted)).toEqual(once)
        expect(verdictOn(once, wanted)).toEqual(verdictOn(report, wanted))
      }),
    )
  })
})
