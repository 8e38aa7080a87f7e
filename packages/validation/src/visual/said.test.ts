import { expect, it } from "vitest"
import { saysTheSame } from "./said.ts"

it.each([
  ["1000", "1000"],
  ["Ada Lovelace", "Ada  Lovelace\n"],
  ["Straße 1\nBern", "Straße 1 Bern"],
  ["office", "o\ufb03ce"],
  ["1000", "1,000.00"],
  ["1000", "1'000.00"],
  ["1000", "1.000,00"],
  ["1000.5", "1’000.50"],
  ["1000", "1000.00 €"],
  ["", " "],
])("%j is shown as %j", (value, shown) => {
  expect(saysTheSame(value, shown)).toBe(true)
})

it.each([
  ["1000", "9000"],
  ["1000", "10000"],
  ["1000", "1000.01"],
  ["1000", ""],
  ["", "1000"],
  ["1000", "1000 and more"],
  ["Ada", "ada"],
  ["Ada", "Ada Lovelace"],
  ["1.5", "15"],
  ["10", "1.0"],
  ["1e3", "1000"],
  ["-1000", "1000"],
])("%j is not shown as %j", (value, shown) => {
  expect(saysTheSame(value, shown)).toBe(false)
})
