// Property: no time-stamp proves a byte that it does not hash. The cases are documents with genuine time-stamp tokens over any
// byte ranges, in one to three revisions; the oracle marks each hashed byte by itself.

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import { createContext } from "../context.ts"
import { gatherMaterial } from "../material/gather.ts"
import type { Stamp } from "../material/material.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import { judgeStamps } from "../process/timestamp.ts"
import { casesOf } from "../testing/cases.ts"
import { type Range, restamp } from "../testing/restamp.ts"
import { type SigningWorld, signingWorld } from "../testing/signing-world.ts"

const at = (minutes: number) => new Date(Date.UTC(2026, 4, 5, 12, minutes))
const NOW = at(50)

let world: SigningWorld
/** With one, two and three document time-stamps; the last one is the one that is changed. */
let files: readonly Uint8Array[]
beforeAll(async () => {
  const year = { notBefore: new Date("2026-01-01"), notAfter: new Date("2028-12-31") }
  world = await signingWorld({ signer: year, authorities: [year] })
  const signed = world.sign(at(0))
  const timed = await world.raise(signed, "B-T", at(1))
  const archived = await world.raise(timed, "B-LTA", at(10))
  files = [timed, archived, await world.raise(archived, "B-LTA", at(20))]
})

/** A range from the right one: moved, shortened or cut at either side of the contents. */
const changes: fc.Arbitrary<(right: Range) => Range> = fc
  .record({
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    isFromStart: fc.boolean(),
    before: fc.constantFrom(0, 0, 0, 1, 40),
    after: fc.constantFrom(0, 0, 0, 1, 40),
    end: fc.constantFrom(0, 0, 0, 1, 7, 300),
  })
  .map(({ start, isFromStart, before, after, end }) => ([, length, start2, length2]) => {
    const from = isFromStart ? 0 : Math.floor(start * length)
    const first = Math.max(0, length - from - before)
    return [from, first, start2 + after, Math.max(0, length2 - after - end)]
  })

type Interval = { readonly start: number; readonly end: number }

/** Whether the document time-stamps of that time hash each byte of the interval. */
function isHashed(length: number, stamps: readonly Stamp[], time: Date, { start, end }: Interval): boolean {
  return stamps.some(({ pdf, token }) => {
    const range = pdf?.byteRange
    if (range === undefined || token?.genTime.getTime() !== time.getTime()) return false
    const marked = new Uint8Array(length)
    marked.fill(1, range[0], range[0] + range[1])
    marked.fill(1, range[2], range[2] + range[3])
    return marked.subarray(start, end).every((one) => one === 1)
  })
}

it("no time-stamp proves a byte that it does not hash", { timeout: 3_600_000 }, async () => {
  let proved = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(2), changes, fc.integer({ min: 2, max: 40 }), async (which, change, minute) => {
      const base = files[which]
      if (base === undefined) return
      const file = await restamp(base, world, at(minute), change)
      const { material, evidence } = gatherMaterial(openPdf(bytesSource(file)))
      const trust = { anchors: [{ certificate: world.root.certificate }], services: [] }
      const context = createContext(DEFAULT_POLICY, NOW, trust, evidence)
      const stamps = judgeStamps(context, { ...material, evidence })
      refused += stamps.filter(({ outcome }) => outcome.indication !== "PASSED").length
      const locations = new Map<object, readonly Interval[]>(context.locations)
      for (const one of [...material.signatures, ...material.timestamps])
        if (one.pdf?.hole !== undefined) locations.set(one, [one.pdf.hole])
      for (const [thing, time] of context.proofs.times) {
        const places = locations.get(thing) ?? []
        const isProved = places.some((place) => isHashed(file.length, material.timestamps, time, place))
        expect(isProved).toBe(true)
        proved += 1
      }
    }),
    casesOf("no time-stamp proves", 2_000),
  )
  expect(Math.min(proved, refused)).toBeGreaterThan(0)
})
