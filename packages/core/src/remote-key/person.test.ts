import { describe, expect, it } from "vitest"
import type { EstablishedName } from "../release/model.ts"
import { certifiedName, isOfPerson } from "./person.ts"

const PROOF = { by: "certificate", source: "demo_trust", at: "2026-11-18T09:00:00.000Z" } as const
const asked = (
  name: string,
  givenName: string | null = null,
  surname: string | null = null,
): EstablishedName => ({
  ...{ name, givenName, surname },
  by: "account",
  proof: null,
})
const certified = (commonName: string, givenName: string | null = null, surname: string | null = null) => ({
  ...{ commonName, givenName, surname },
})

describe("the certificate of a provider", () => {
  it.each([
    ["Ada Lovelace", certified("Ada Lovelace")],
    ["Ada Lovelace", certified("LOVELACE ADA", "Ada Augusta", "Lovelace")],
    ["Ada Lovelace", certified("Ada Augusta Lovelace")],
    ["Jürg Müller-Weiß", certified("x", "Juerg", "Mueller Weiss")],
    ["Łukasz Dvořák", certified("x", "Lukasz", "Dvorak")],
    ["Ada Augusta Lovelace", certified("Ada Lovelace")],
    ["Sukarno", certified("SUKARNO")],
  ])("is of %s", (name, names) => {
    expect(isOfPerson(names, asked(name))).toBe(true)
  })

  it.each([
    ["Ada Lovelace", certified("Mallory Meyer")],
    ["Ada Lovelace", certified("Ada Byron")],
    ["Ada Lovelace", certified("Bob Lovelace")],
    ["Ada", certified("Ada Lovelace")],
    ["Ada Lovelace", certified("Lovelace")],
    ["Ada Byron Lovelace", certified("Ada Bella Lovelace")],
    ["Lovelace", certified("x", "Ada", "Lovelace-King")],
  ])("is not of %s", (name, names) => {
    expect(isOfPerson(names, asked(name))).toBe(false)
  })

  it("is compared part by part where both sides have the parts", () => {
    const names = certified("x", "Maria Anna", "van der Berg")
    expect(isOfPerson(names, asked("Anna van der Berg", "Anna", "van der Berg"))).toBe(true)
    expect(isOfPerson(names, asked("Anna Berg", "Anna", "Berg"))).toBe(false)
  })

  it("is believed where nobody has said a name, and says it", () => {
    expect(isOfPerson(certified("Ada Lovelace"), null)).toBe(true)
    expect(certifiedName(certified("x", "Ada", "Lovelace"), PROOF)).toEqual({
      ...{ name: "Ada Lovelace", givenName: "Ada", surname: "Lovelace" },
      by: "certificate",
      proof: PROOF,
    })
    expect(certifiedName(certified("Ada L."), PROOF).name).toBe("Ada L.")
    expect(certifiedName(certified("Ada\n\u202eL."), PROOF).name).toBe("Ada L.")
  })
})
