import { expect, it } from "vitest"
import { newBudget } from "./limits.ts"
import { parseValue } from "./parse.ts"
import { isDict, textOf } from "./value.ts"

const text = (written: string) => {
  const bytes = Buffer.from(written, "latin1")
  const value = parseValue({ bytes, at: 0, end: bytes.length }, newBudget(1_000))
  if (typeof value !== "object" || value === null || isDict(value) || value.type !== "string")
    throw new Error("no string")
  return textOf(value)
}

it.each([
  ["in PDFDocEncoding, which is not Latin-1", "(\\240uro \\200 \\222 M\\374ller \\30)", "€uro • ™ Müller ˘"],
  ["in UTF-16 with its mark", "<feff20ac>", "€"],
  ["in UTF-8 with its mark", "<efbbbfe282ac>", "€"],
  ["with what the encoding leaves open", "(a\\237b)", "a\ufffdb"],
])("a text string is read %s", (_, written, expected) => {
  expect(text(written)).toBe(expected)
})
