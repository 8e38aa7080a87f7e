import { describe, expect, it } from "vitest"
import { judge } from "./judge.ts"
import { hasGivenNames, isSameName } from "./names.ts"
import type { IdentityProvider } from "./ports.ts"

const now = new Date("2026-11-16T09:00:00Z")
const provider: IdentityProvider = {
  name: "demo_ident",
  title: "Demo Ident",
  kind: "demo",
  trustFrameworks: ["eidas", "ch_zertes"],
  assuranceLevels: [],
  verifiedWithinDays: null,
}
const stated = { firstName: "Zoë", lastName: "Müller-Lang", issuingCountry: "CH" }

type Json = Record<string, unknown>
const element = ({ verification = {}, claims = {}, evidence = {} }: Record<string, Json> = {}): Json => ({
  verification: {
    trust_framework: "eidas",
    time: "2026-11-16T08:58:00Z",
    evidence: [
      {
        type: "document",
        document_details: {
          type: "idcard",
          issuer: { country_code: "CH" },
          date_of_expiry: "2030-01-31",
        },
        ...evidence,
      },
    ],
    ...verification,
  },
  claims: {
    given_name: "Zoe Anna",
    family_name: "Mueller Lang",
    birthdate: "1990-02-03",
    ...claims,
  },
})
const verdict = (told: unknown, by: Partial<IdentityProvider> = {}) =>
  judge({ sub: "u1", verified_claims: told }, { ...provider, ...by }, stated, now)

describe("what an identity provider tells", () => {
  it("is accepted where it is verified, and of the person who was meant", () => {
    expect(verdict(element())).toMatchObject({ type: "accept", name: "Zoe Anna Mueller Lang" })
    expect(verdict([element({ verification: { trust_framework: "other" } }), element()])).toMatchObject({
      type: "accept",
    })
  })

  it.each([undefined, null])("is waited for where it is %s", (told) => {
    expect(verdict(told)).toEqual({ type: "waiting" })
  })

  it.each<[string, unknown, Partial<IdentityProvider>?]>([
    ["nothing of an object", "yes"],
    ["an empty list", []],
    ["an empty object", {}],
    ["claims that nobody verified", { claims: element().claims }],
    ["a framework that the operator does not take", element({ verification: { trust_framework: "de_aml" } })],
    ["a framework that is a list", element({ verification: { trust_framework: ["eidas"] } })],
    ["no framework", element({ verification: { trust_framework: undefined } })],
    ["no evidence", element({ verification: { evidence: [] } })],
    ["evidence that is none", element({ verification: { evidence: ["passport"] } })],
    ["a document of the past", element({ evidence: { document_details: { date_of_expiry: "2026-11-15" } } })],
    ["a document without an end", element({ evidence: { document_details: { date_of_expiry: "never" } } })],
    ["a verification of the future", element({ verification: { time: "2026-11-16T09:06:00Z" } })],
    ["a time that is none", element({ verification: { time: "yesterday" } })],
    [
      "a verification that is too old",
      element({ verification: { time: "2026-11-01T00:00:00Z" } }),
      { verifiedWithinDays: 7 },
    ],
    [
      "a verification of nobody knows when",
      element({ verification: { time: undefined } }),
      { verifiedWithinDays: 7 },
    ],
    ["a lower level", element({ verification: { assurance_level: "low" } }), { assuranceLevels: ["high"] }],
    ["no level", element(), { assuranceLevels: ["high"] }],
    ["no first name", element({ claims: { given_name: " " } })],
    ["no last name", element({ claims: { family_name: 7 } })],
    ["no birthday", element({ claims: { birthdate: undefined } })],
    ["a birthday that is none", element({ claims: { birthdate: "1990-02-30" } })],
    ["somebody who is not born yet", element({ claims: { birthdate: "2027-01-01" } })],
    ["a name that plays tricks", element({ claims: { given_name: "Zoë\u0000" } })],
    ["a file without a digest", element({ evidence: { attachments: [{ url: "https://a.example/1" }] } })],
  ])("counts for nothing with %s", (_, told, by) => {
    expect(verdict(told, by)).toMatchObject({ type: "reject", reason: "not-verified" })
  })

  it("[B11] names the person on one line, without what could deceive", () => {
    const claims = { family_name: "Mueller\u202e\u200b Lang" }
    expect(verdict(element({ claims }))).toMatchObject({ name: expect.stringMatching(/ Mueller Lang$/) })
  })

  it("is for the sender to look at where one of the names, or the country, is another; of somebody else it is refused", () => {
    expect(verdict(element({ claims: { given_name: "Sophie" } }))).toMatchObject({
      type: "pend",
      reason: "name-differs",
      name: "Sophie Mueller Lang",
    })
    expect(verdict(element({ claims: { family_name: "Lang" } }))).toMatchObject({ reason: "name-differs" })
    const german = { document_details: { issuer: { country_code: "de" } } }
    expect(verdict(element({ evidence: german }))).toMatchObject({ type: "pend", reason: "country-differs" })
    // Written in a way that cannot be compared, it says nothing.
    const icao = { document_details: { issuer: { country_code: "CHE" } } }
    expect(verdict(element({ evidence: icao }))).toMatchObject({ type: "accept" })
    expect(verdict(element({ claims: { given_name: "Eve", family_name: "Mallory" } }))).toMatchObject({
      type: "reject",
      reason: "other-person",
    })
  })
})

describe("two spellings of a name", () => {
  it.each([
    ["Müller", "Mueller", true],
    ["Müller", "MULLER", true],
    ["O’Neill", "O'Neill", true],
    ["Meier-Huber", "Meier Huber", true],
    ["Łukasiewicz", "Lukasiewicz", true],
    ["Straße", "Strasse", true],
    ["Müller", "Miller", false],
    ["Meier", "Meier-Huber", false],
    ["Иванов", "Иванова", false],
    ["-", "'", false],
    ["", "", false],
  ])("%j and %j are one name: %s", (one, other, isOne) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([isOne, isOne])
  })

  it.each([
    ["Anna Maria", "Maria", true],
    ["Anna Maria", "Anna Maria", true],
    ["Anna", "Anna Maria", false],
    ["Anna Maria", "Maria Anna", false],
    ["Anna-Maria", "anna maria", true],
    ["Anna", "Ann", false],
    ["Anna", "-", false],
  ])("a document with %j has the stated %j: %s", (known, said, has) => {
    expect(hasGivenNames(known, said)).toBe(has)
  })
})
