import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { REAL_COMPANIES, REAL_NAMES } from "../testing/real-names.ts"
import { isPlainName, mustNotStateQuality, readName, readOptionalName } from "./read-name.ts"

describe("readName", () => {
  it("knows at least 120 real names", () => {
    expect(new Set(REAL_NAMES).size).toBe(REAL_NAMES.length)
    expect(REAL_NAMES.length).toBeGreaterThanOrEqual(120)
  })

  it.each(REAL_NAMES)("accepts %s", (name) => {
    expect(readName("name", name)).toBe(name.normalize("NFC"))
    expect(isPlainName(name)).toBe(true)
  })

  it.each(REAL_COMPANIES)("accepts the company name %s", (name) => {
    expect(readName("name", name, "company")).toBe(name.normalize("NFC"))
  })

  it("[B11] names the field, what was found, and what to do", () => {
    const refused = (name: string) => () => readName("first_name", name)
    expect(refused("Anna\nUBS")).toThrow(/^first_name contains a line break \(U\+000A\).*remove/)
    expect(refused("Anna \u202eretsuM")).toThrow(/^first_name contains a bidirectional control \(U\+202E\)/)
    expect(refused("Anna (QES)")).toThrow(/^first_name contains “QES”, which states the quality.*Remove it/)
    expect(refused(" \u00a0 ")).toThrow(/^first_name is empty/)
    expect(refused("Anna\nUBS")).toThrow(Refusal)
  })

  it("keeps what is absent absent", () => {
    expect(readOptionalName("name", null)).toBeNull()
    expect(readOptionalName("name", undefined)).toBeNull()
    expect(readOptionalName("name", " Anna ")).toBe("Anna")
  })

  it("[B11] finds a phrase that is spread over two fields", () => {
    expect(() => mustNotStateQuality("signer", "Qualified electronic Signature")).toThrow(/^signer contains/)
    expect(isPlainName("Anna\nMuster")).toBe(false)
    expect(isPlainName("Anna QES")).toBe(false)
  })
})
