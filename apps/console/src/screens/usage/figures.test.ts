import { expect, it } from "vitest"
import type { Counts } from "../../api/usage.ts"
import { csvOf } from "./figures.ts"

const counts: Counts = {
  requests: 3,
  documents: 4,
  declined: 0,
  seals: 1,
  mails: 7,
  signatures: { SES: 2, AES: 0, AES_MINIMAL: 0, QES: 1 },
}

it("a spreadsheet has months and figures alone, and no field that begins a formula", () => {
  const [head = "", ...lines] = csvOf(
    ["2026-10", "2026-11"].map((when) => ({ when, counts })),
    "month",
  )
    .trimEnd()
    .split("\r\n")
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d{2}(,\d+)+$/)
  for (const field of head.split(",")) expect(field).toMatch(/^[a-z]\w*$/i)
})
