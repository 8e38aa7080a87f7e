// Some of what `npm run conformance:flips` does a hundred thousand times.

import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, expect, it } from "vitest"
import { passedDocuments } from "./flips/documents.ts"
import { judgeFlips } from "./flips/session.ts"

const FLIPS = 2000
let sandbox: TrustSandbox
beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
})
afterAll(() => sandbox.close())

it("[R23] whoever signed an octet is not believed when it is another one", async () => {
  const documents = await passedDocuments(sandbox, process.env.PARAPH_CORPORA)
  const results = await judgeFlips(documents, { flips: FLIPS, seed: 8 })
  for (const { document, faults } of results) expect(faults, document).toEqual([])
  // Most are told to be what they are; a file that is only ever refused would show nothing.
  const failed = results.map(({ counts, inRanges }) => (counts["TOTAL-FAILED HASH_FAILURE"] ?? 0) / inRanges)
  expect(Math.min(...failed)).toBeGreaterThan(0.1)
}, 300_000)
