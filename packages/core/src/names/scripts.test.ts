import { describe, expect, it } from "vitest"
import { REAL_COMPANIES, REAL_NAMES } from "../testing/real-names.ts"
import { nameWarning } from "./scripts.ts"

describe("nameWarning", () => {
  it.each([
    ["a Cyrillic capital in a Latin word", "\u0410nna Muster"],
    ["a Cyrillic small letter in a Latin word", "Ann\u0430 Muster"],
    ["a Greek letter in a Latin word", "Ann\u03b1"],
    ["a Latin letter in a Cyrillic word", "Ив\u0061нов"],
    ["Cyrillic and Greek", "\u0410\u0391"],
    ["Han and Cyrillic", "王Я"],
    ["Arabic and Hebrew", "אב\u0634"],
    ["Hangul and Kana", "김か"],
    ["a Cherokee letter in a Latin word", "Ann\u13aa"],
    ["a whole Cyrillic word that looks Latin beside a Latin one", "\u0421\u0430\u0440\u0430 Muster"],
  ])("warns of %s", (_, name) => {
    expect(nameWarning(name)).toBe("mixed-scripts")
  })

  it.each(REAL_NAMES)("does not warn of %s", (name) => {
    expect(nameWarning(name)).toBeNull()
  })

  it.each(REAL_COMPANIES)("does not warn of the company name %s", (name) => {
    expect(nameWarning(name)).toBeNull()
  })

  it("answers at once for long words of two scripts", () => {
    const started = process.cpuUsage()
    for (const piece of ["1", "a", "\u0301", "王", "-"])
      expect(nameWarning(`\u0410${piece.repeat(1000)}nna`)).toBe("mixed-scripts")
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  })

  it.each(["Анна Muster", "Νίκος Papas", "Иван Müller", "ꦱꦸꦠ"])("does not warn of “%s”", (name) => {
    expect(nameWarning(name)).toBeNull()
  })
})
