import { expect, it } from "vitest"
import { inWords } from "./operators.ts"

it("[ASVS 6.4.4] warns where one operator alone can reset the factors of a person, or where no second one can confirm", () => {
  expect(inWords(3, "1")).toMatch(/^warning: one operator alone/)
  expect(inWords(1, "2")).toMatch(/^warning: 1 of the 2 operators/)
  expect(inWords(2, "2")).toBe("2, of whom two reset the factors of a person")
})
