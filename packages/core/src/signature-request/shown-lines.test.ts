import { describe, expect, it } from "vitest"
import { LANGUAGES } from "../language.ts"
import { shownLines } from "./shown-lines.ts"

const signed = {
  signerName: "Zoë Müller",
  language: "de",
  signedAt: new Date("2026-11-15T09:05:59Z"),
} as const

describe("what a mark shows", () => {
  it("is the name and the time, which reads the same in every language", () => {
    expect(shownLines({ ...signed, kind: "production" })).toEqual(["Zoë Müller", "2026-11-15 09:05 UTC"])
  })

  it("[B11] has the name on one line, without characters that could deceive", () => {
    const signerName = "Anna Muster\r\n\u202eUBS\u200b AG"
    const [name, ...rest] = shownLines({ ...signed, signerName, kind: "production" })
    expect([name, ...rest]).toEqual(["Anna Muster UBS AG", "2026-11-15 09:05 UTC"])
  })

  it("of a demo key begins by saying that it has no legal effect, in the signer's language", () => {
    for (const language of LANGUAGES) {
      const [first, ...rest] = shownLines({ ...signed, kind: "demo", language })
      expect(first).toMatch(/^TEST – /)
      expect(rest).toEqual(["Zoë Müller", "2026-11-15 09:05 UTC"])
    }
  })
})
