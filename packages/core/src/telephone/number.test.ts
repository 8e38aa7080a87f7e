import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countryCodeOf, isAllowed, isPrefix, readNumber, shortenedNumber } from "./number.ts"

describe("a telephone number", () => {
  it.each([
    ["+41 79 123 45 67", "+41791234567"],
    ["+41 (0)79 123 45 67", "+41791234567"],
    ["0041 79 123 45 67", "+41791234567"],
    [" +49.151-23456789 ", "+4915123456789"],
    ["+39 06 1234 5678", "+390612345678"],
  ])("is read as people write it: %s", (stated, number) => expect(readNumber(stated)).toBe(number))

  // Without its country it may be anybody's.
  it.each([
    "079 123 45 67",
    "41791234567",
    "+0791234567",
    "+41 79",
    "+1234567890123456",
    "++41791234567",
    "",
  ])("is not guessed: %s", (stated) => expect(readNumber(stated)).toBeNull())

  it.each([
    ["+41791234567", "41", "+41 79 ••• •• 67"],
    ["+12125550123", "1", "+1 21 ••• •• 23"],
    ["+4915123456789", "49", "+49 15 ••• •• 89"],
    ["+423123456", "423", "+423 ••• •• 56"],
    ["+29812345", "298", "+298 ••• •• 45"],
  ] as const)("%s is of +%s and shown as %s", (number, country, shown) => {
    expect(countryCodeOf(number)).toBe(country)
    expect(shortenedNumber(number)).toBe(shown)
  })

  it("hides three digits at least, of every number that is read", () => {
    const digits = fc.stringMatching(/^[1-9]\d{7,14}$/)
    fc.assert(
      fc.property(digits, (all) => {
        const number = readNumber(`+${all}`)
        if (number === null) throw new Error("It was not read.")
        const shown = shortenedNumber(number).replaceAll(/\D/g, "")
        expect(all.length - shown.length).toBeGreaterThanOrEqual(3)
        expect(all.startsWith(countryCodeOf(number))).toBe(true)
      }),
    )
  })
})

describe("a list of prefixes", () => {
  it.each([
    [["+41", "+423"], "+41791234567", true],
    [["+41", "+423"], "+49151234567", false],
    [[], "+41791234567", false],
    [["+44", "!+4470"], "+447012345678", false],
    [["+44", "!+4470"], "+447712345678", true],
    [["!+4470", "+44"], "+447012345678", false],
    [["+44", "!+4470", "+44701"], "+447012345678", true],
    [["+41", "!+41"], "+41791234567", false],
    [["!+41", "+41"], "+41791234567", false],
  ] as const)("%j and %s: %s", (prefixes, number, allowed) =>
    expect(isAllowed(prefixes, number)).toBe(allowed),
  )

  it("is of prefixes alone", () => {
    expect(["+41", "!+4470", "+1"].every(isPrefix)).toBe(true)
    expect(["41", "+", "CH", "+41 79", "+0", "-+41"].some(isPrefix)).toBe(false)
  })
})
