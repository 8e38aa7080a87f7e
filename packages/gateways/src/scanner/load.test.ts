import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { expect, inject, it } from "vitest"
import { heldBytes } from "../testing/held-bytes.ts"
import { TENANT } from "../testing/tenant.ts"
import { createScanner } from "./scanner.ts"
import { PLANTED, startOwnClamd } from "./testing/own-clamd.ts"
import { document } from "./testing/sources.ts"

const SCANS = 20

it("scans twenty documents at once, each with its own verdict, and holds a piece of each", async () => {
  const address = parseEnv(readFileSync(join(inject("stackDir"), "env"), "utf8")).SCANNER_URL ?? ""
  const { scan } = createScanner({ address, bulk: SCANS, minTotalMs: 110_000 })
  const before = heldBytes()
  let [peak, pieces] = [before, 0]
  // Of one byte, which clamd scans fast: 400 MB in all.
  const plain = async function* (planted: string) {
    for (let count = 0; count < 20; count += 1) {
      const piece = Buffer.alloc(1_000_000, 1)
      if (count === 19) piece.write(planted, 999_000)
      pieces += 1
      if (pieces % SCANS === 0) peak = Math.max(peak, heldBytes())
      yield piece
    }
  }
  const verdicts = await Promise.all(
    Array.from({ length: SCANS }, (_, index) =>
      scan(TENANT, plain(index % 4 === 0 ? PLANTED : ""), 20_000_000),
    ),
  )
  expect(verdicts.map(({ clean }) => clean)).toEqual(Array.from({ length: SCANS }, (_, i) => i % 4 !== 0))
  expect(peak - before).toBeLessThan(2 * SCANS * 1_000_000)
})

it("takes no more from its sources than a scanner that hangs takes from it", async () => {
  const clamd = await startOwnClamd()
  try {
    clamd.process.kill("SIGSTOP")
    const { scan } = createScanner({ address: clamd.address, bulk: SCANS, idleMs: 1_000 })
    let taken = 0
    const counted = async function* () {
      for await (const piece of document(112_500_000)) {
        taken += piece.length
        yield piece
      }
    }
    const scans = Array.from({ length: SCANS }, () => scan(TENANT, counted(), 112_500_000))
    const outcomes = await Promise.allSettled(scans)
    expect(outcomes.map((one) => one.status === "rejected" && one.reason.code)).toEqual(
      Array.from({ length: SCANS }, () => "timeout"),
    )
    expect(taken).toBeLessThanOrEqual(SCANS * 4_000_000)
  } finally {
    await clamd.close()
  }
})
