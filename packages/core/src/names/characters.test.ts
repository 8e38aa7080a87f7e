import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { REAL_NAMES } from "../testing/real-names.ts"
import { displayName, forbiddenCharacter, normalizedName } from "./characters.ts"

describe("forbiddenCharacter", () => {
  it.each([
    ["a line feed", "Anna Muster\nUBS AG", "line break", "U+000A"],
    ["a carriage return", "Anna\rMuster", "line break", "U+000D"],
    ["a next line", "Anna\u0085Muster", "line break", "U+0085"],
    ["a line separator", "Anna\u2028Muster", "line break", "U+2028"],
    ["a paragraph separator", "Anna\u2029Muster", "line break", "U+2029"],
    ["a tab", "Anna\tMuster", "control character", "U+0009"],
    ["an escape", "Anna\u001b[2J", "control character", "U+001B"],
    ["a right-to-left override", "Anna \u202eretsuM", "bidirectional control", "U+202E"],
    ["an isolate", "Anna \u2066Muster", "bidirectional control", "U+2066"],
    ["an Arabic letter mark", "Anna\u061c", "bidirectional control", "U+061C"],
    ["a tag character", "Anna\u{e0051}", "tag character", "U+E0051"],
    ["a variation selector", "Anna\ufe0f", "variation selector", "U+FE0F"],
    ["an ideographic variation selector", "葛\u{e0100}", "variation selector", "U+E0100"],
    ["a zero-width space", "An\u200bna", "invisible character", "U+200B"],
    ["a byte order mark", "Anna\ufeff", "invisible character", "U+FEFF"],
    ["a soft hyphen", "An\u00adna", "invisible character", "U+00AD"],
    ["a Hangul filler, which is a letter", "Anna\u3164", "invisible character", "U+3164"],
    ["a combining grapheme joiner", "Anna\u034f", "invisible character", "U+034F"],
    ["a blank Braille pattern", "Anna\u2800", "invisible character", "U+2800"],
    ["a joiner between Latin letters", "An\u200dna", "invisible character", "U+200D"],
    ["a non-joiner between Latin letters", "An\u200cna", "invisible character", "U+200C"],
    ["two non-joiners between Arabic letters", "علی\u200c\u200cرضا", "invisible character", "U+200C"],
    ["a private-use character", "Anna\ue000", "private-use character", "U+E000"],
    ["a lone surrogate", "Anna\ud800", "lone surrogate", "U+D800"],
    ["an unassigned character", "Anna\u0378", "unassigned character", "U+0378"],
    ["a check mark", "Anna ✔", "symbol", "U+2714"],
    ["a flag", "Anna 🇨🇭", "symbol", "U+1F1E8"],
    ["letters in black squares", "🆀🅴🆂", "symbol", "U+1F180"],
    ["an enclosing circle", "A\u20dd", "enclosing mark", "U+20DD"],
    ["a mark at the beginning", "\u0301Anna", "combining mark without a letter", "U+0301"],
    ["a mark after a space", "Anna \u0338Muster", "combining mark without a letter", "U+0338"],
    [
      "a stack of marks",
      "Z\u0335\u0336\u0337\u0338\u0336a",
      "sequence of more than 4 combining marks",
      "U+0336",
    ],
  ])("finds %s", (_, text, what, codePoint) => {
    expect(forbiddenCharacter(text)).toEqual({ what, codePoint })
  })

  it.each(REAL_NAMES)("finds nothing in %s", (name) => {
    expect(forbiddenCharacter(normalizedName(name))).toBeNull()
  })

  it("finds a forbidden character in real names wherever it is inserted", () => {
    const bad = fc.constantFrom("\n", "\u202e", "\u200b", "\ufeff", "\u2028", "\u{e0041}", "\u0000")
    const where = fc.record({ name: fc.constantFrom(...REAL_NAMES), bad, at: fc.nat({ max: 40 }) })
    fc.assert(
      fc.property(where, ({ name, bad, at }) => {
        const letters = [...name]
        // In the middle: a line break at either end is trimmed.
        const i = 1 + (at % Math.max(1, letters.length - 1))
        expect(
          forbiddenCharacter([...letters.slice(0, i), bad, "x", ...letters.slice(i)].join("")),
        ).not.toBeNull()
      }),
    )
  })
})

describe("normalizedName", () => {
  it("composes, trims and writes runs of spaces as one", () => {
    expect(normalizedName("  Zu\u0308rich \u00a0\u3000 Anna\n")).toBe("Zürich Anna")
  })

  it("keeps real names as they are", () => {
    for (const name of REAL_NAMES) expect(normalizedName(name)).toBe(name.normalize("NFC"))
  })
})

describe("displayName", () => {
  /** Text that is likely to go wrong: forbidden characters, marks and joiners between letters of many scripts. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\n",
          "\r\n",
          "\u202e",
          "\u2066",
          "\u200b",
          "\u200c",
          "\u200d",
          "\ufe0f",
          "\u{e0001}",
        ),
        fc.constantFrom("\u0301", "\u0338", "\u094d", "\u20dd", "\u3164", " ", "\u3000", "\t", "\ud800", "✔"),
        fc.constantFrom(..."aZéक्र्شعбЯ王"),
        fc.string({ unit: "binary", maxLength: 3 }),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join(""))

  it("never shows a forbidden character, and always one line", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = displayName(text)
        expect(forbiddenCharacter(shown)).toBeNull()
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|^\s|\s$|\s\s/u)
      }),
      { numRuns: 2000 },
    )
  })

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(displayName(displayName(text))).toBe(displayName(text))
      }),
      { numRuns: 2000 },
    )
  })

  it("leaves real names alone", () => {
    for (const name of REAL_NAMES) expect(displayName(name)).toBe(name.normalize("NFC"))
  })

  it("[B11] writes a forged second line on the same line", () => {
    expect(displayName("Anna Muster\r\n\u202eUBS\u200b AG\u202c")).toBe("Anna Muster UBS AG")
  })

  it("takes time in proportion to its text", () => {
    const long = [
      "a\u0301\u0302\u0303\u0304\u0305\u0306\u200c",
      "\u0301",
      " \u0301",
      "\u200c\u094d",
      "\ufe0f\u0301 ",
    ]
    const started = process.cpuUsage()
    for (const piece of long) displayName(piece.repeat(5000))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  })
})
