import { LANGUAGES } from "@paraph/core/language"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inGsmLetters, segmentsOf, septetsOf } from "./gsm.ts"
import { smsCode } from "./sms-code.ts"

const PURPOSES = ["mailbox", "release"] as const
const of = (sender: string) =>
  ({ language: "en", purpose: "mailbox", sender, demo: false, code: "482913" }) as const

/** What addresses are made of, those of other scripts too. */
const ADDRESSES = fc.constantFrom(
  "evil",
  "com",
  "x",
  "é",
  "https",
  ".",
  ":",
  "/",
  "\\",
  "@",
  "\u3002",
  "\uFF0E",
  "\u2024",
  "\uFE52",
  "\uFF0F",
  "\uFF1A",
  "\uFF20",
  "€",
  " ",
)

describe("the text message with a code", () => {
  it("says it in each language, in one message, with the code first and no link", () => {
    const said = LANGUAGES.flatMap((language) =>
      PURPOSES.map((purpose) =>
        smsCode({ ...of("Bäckerei Zum Löwen & Söhne Thalwil AG"), language, purpose }),
      ),
    )
    expect(new Set(said).size).toBe(8)
    for (const text of said) {
      expect(text).toMatch(/^482913 .*Bäckerei Zum Löwen & Söhne/)
      expect(segmentsOf(septetsOf(text) ?? Number.NaN)).toBe(1)
      expect(text).not.toMatch(/https?:|www\.|\w\.\w/)
    }
  })

  it("is one message in the letters of GSM, whatever the sender is called, and holds nothing that looks like an address", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.string({ unit: ADDRESSES, maxLength: 80 })),
        fc.constantFrom(...LANGUAGES),
        fc.constantFrom(...PURPOSES),
        (sender, language, purpose) => {
          const text = smsCode({ ...of(sender), language, purpose, demo: true })
          expect(segmentsOf(septetsOf(text) ?? Number.NaN)).toBe(1)
          expect(text).toMatch(/^482913 [^\n\r]*\(TEST\)$/)
          expect(text).not.toMatch(/\w[.:@/\\]\w/)
        },
      ),
    )
  })

  it.each([
    ["Booking.com AG", "Booking com AG"],
    ["https://evil.example/x?y", "https evil example x?y"],
    ["Łódź Œuvres S.à r.l.", "Lodz OEuvres S à r l"],
    ["Zürich Français «Genève»", 'Zürich Francais "Genève"'],
    ["Ромашка", "the sender"],
    ["株式会社", "the sender"],
    ["", "the sender"],
    ["evil\u2024example\uFF0Fx", "evil example x"],
    ["A".repeat(50), "A".repeat(30)],
    ["A{".repeat(25), "A{".repeat(10)],
  ])("%s is called %s", (sender, called) =>
    expect(smsCode(of(sender))).toContain(`signing code for ${called}.`),
  )
})

describe("letters of GSM", () => {
  it("are counted as networks count them", () => {
    expect([septetsOf("abcä"), septetsOf("€[]"), septetsOf("ç"), septetsOf("👍")]).toEqual([4, 6, null, null])
    expect([160, 161, 306, 307].map(segmentsOf)).toEqual([1, 2, 2, 3])
  })

  it("are all that is left of any words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (words) => {
        expect(septetsOf(inGsmLetters(words))).not.toBeNull()
      }),
    )
  })
})
