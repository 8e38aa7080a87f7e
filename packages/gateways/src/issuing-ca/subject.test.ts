import { describe, expect, it } from "vitest"
import { type Subject, subjectName } from "./subject.ts"

const ADA: Subject = {
  commonName: "Ada Lovelace",
  givenName: "Ada",
  surname: "Lovelace",
  organization: null,
  country: "GB",
  serialNumber: "7f3a",
}
const ACME: Subject = {
  commonName: "Acme",
  givenName: null,
  surname: null,
  organization: "Acme Søborg ApS",
  country: "DK",
  serialNumber: "NTRDK-12345678",
}
const NAMES = Array.from({ length: 12 }, (_, n) => `Název${n}`).join(" ")

describe("the name in a certificate", () => {
  it("is a person's by EN 319 412-2, in whichever letters", () => {
    expect(subjectName(ADA)).toEqual({
      country: "GB",
      givenName: "Ada",
      surname: "Lovelace",
      serialNumber: "7f3a",
      commonName: "Ada Lovelace",
    })
    const decomposed = "c\u0327 u\u0308 ß ł r\u030c s\u0327 t\u0326"
    expect(subjectName({ ...ADA, surname: decomposed }).surname).toBe("ç ü ß ł ř ş ț")
  })

  it("is a company's by EN 319 412-3, with its number as an organizationIdentifier", () => {
    expect(subjectName(ACME)).toEqual({
      country: "DK",
      organization: "Acme Søborg ApS",
      organizationIdentifier: "NTRDK-12345678",
      commonName: "Acme",
    })
    expect(subjectName({ ...ADA, organization: "Acme" })).toMatchObject({
      organization: "Acme",
      surname: "Lovelace",
    })
  })

  it("is cut at a word where it is too long and stands in full beside", () => {
    const { commonName, surname } = subjectName({ ...ADA, commonName: NAMES, surname: NAMES })
    expect(commonName).toBe(`${NAMES.slice(0, NAMES.lastIndexOf(" ", 62))}…`)
    expect([...commonName].length).toBeLessThanOrEqual(64)
    expect(surname).toBe(NAMES)
    expect(subjectName({ ...ADA, commonName: "x".repeat(70) }).commonName).toBe(`${"x".repeat(63)}…`)
  })

  it.each<[string, Subject]>([
    ["a long name that stands nowhere in full", { ...ADA, commonName: NAMES, surname: null }],
    [
      "a company's that is too long, since half of it may be another company",
      { ...ACME, organization: NAMES },
    ],
    ["no name", { ...ADA, commonName: " \t" }],
    ["one that turns the direction of what follows", { ...ADA, surname: "Ada\u202eecalevoL" }],
    ["one with an invisible character in it", { ...ADA, surname: "Love\u200blace" }],
    ["one with a variation selector in it", { ...ADA, surname: "Lovelace\ufe0f" }],
    ["one with a control in it", { ...ADA, givenName: "A\u0000da" }],
    ["half a surrogate pair", { ...ADA, givenName: "A\ud800" }],
    ["a country that is none", { ...ADA, country: "UK1" }],
    ["a number that X.520 cannot have", { ...ADA, serialNumber: "№ 1" }],
  ])("is refused: %s", (_, subject) => {
    expect(() => subjectName(subject)).toThrow(expect.objectContaining({ code: "subject" }))
  })
})
