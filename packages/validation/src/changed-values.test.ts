import { describe, expect, it } from "vitest"
import { withChangedValues } from "./changed-values.ts"
import type { Change, FillStatus, SignatureReport } from "./report.ts"
import { goodSignature } from "./testing/reports.ts"
import { wordsOf } from "./words/of-language.ts"
import { sayVerdict } from "./words/say.ts"
import { LANGUAGES } from "./words/words.ts"

const filled = (fill: FillStatus, field = "price"): Change => ({
  path: `/AcroForm/Fields[0]/V of ${field}`,
  kind: "form-fill",
  page: 1,
  undefined: false,
  field,
  fill,
})
const signature = (...changes: Change[]): SignatureReport => ({ ...goodSignature, reasons: [], changes })

describe("[B1] a value that changed after a signature", () => {
  it.each([
    ["replaced", "value-replaced"],
    ["unsigned", "value-unsigned"],
  ] as const)("and is %s takes the pass away, or is noted, as the policy says", (fill, code) => {
    const reason = { code, values: { field: "price" } }
    expect(withChangedValues(signature(filled(fill)), "fail")).toMatchObject({
      indication: "INDETERMINATE",
      subIndication: "SIG_CONSTRAINTS_FAILURE",
      reasons: [{ ...reason, weight: "fail" }],
    })
    expect(withChangedValues(signature(filled(fill)), "note")).toMatchObject({
      indication: "TOTAL-PASSED",
      reasons: [{ ...reason, weight: "note" }],
    })
    expect(withChangedValues(signature(filled(fill)), "ignore").reasons).toEqual([])
  })

  it("does not make a worse verdict better", () => {
    const bad = { ...signature(filled("replaced")), indication: "TOTAL-FAILED" as const }
    expect(withChangedValues(bad, "fail").indication).toBe("TOTAL-FAILED")
  })

  it("and that a later signature covers is noted, with the first names", () => {
    const changes = ["a", "b", "c", "d"].map((name) => filled("later", name))
    expect(withChangedValues(signature(...changes), "fail")).toMatchObject({
      indication: "TOTAL-PASSED",
      reasons: [{ code: "filled-later", weight: "note", values: { field: "a, b, c, …" } }],
    })
  })

  it("is never called unaltered, in any language", () => {
    for (const language of LANGUAGES) {
      const { indications, validButFilled } = wordsOf(language)
      expect(sayVerdict(signature(), language)).toBe(indications["TOTAL-PASSED"].sentence)
      expect(sayVerdict(signature(filled("later")), language)).toBe(validButFilled)
      expect(validButFilled).not.toMatch(/alter|verändert|unverändert|modifié|inchangé|modificat|invariat/i)
    }
  })
})
