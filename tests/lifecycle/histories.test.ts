import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import * as history from "./histories.ts"

const RUNS = 500
/** So many at a time: a run mostly waits, for a mail or for a signature. */
const SIDE_BY_SIDE = 5

describe("histories over HTTP", () => {
  let service: Service
  let documentId: string
  beforeAll(async () => {
    service = await startService()
    const body = {
      title: "Contract",
      content: contractPdf().toString("base64"),
      content_type: "application/pdf",
    }
    documentId = (await service.caller.post("/v2/documents", body)).body.id
  })
  afterAll(() => service?.close())

  it(`[ST-08] of ${RUNS} requests are what parts 3.1 and 3.2 say, in every version`, {
    timeout: 900_000,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const ends = new Map<string, number>()
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, (_, lane) =>
        fc.assert(
          fc.asyncProperty(first, fc.commands([later], { maxCommands: 6 }), async (begin, rest) => {
            const model: history.Model = { status: "NONE", people: [] }
            const real: history.Real = { service, documentId, version: "v2", id: "", log: [] }
            await begin.run(model, real)
            await fc.asyncModelRun(() => ({ model, real }), rest)
            const end = history.statusOf(model)
            ends.set(end, (ends.get(end) ?? 0) + 1)
          }),
          { numRuns: RUNS / SIDE_BY_SIDE, seed: seed + lane, endOnFailure: true },
        ),
      ),
    )
    expect([...ends.values()].reduce((sum, count) => sum + count)).toBe(RUNS)
    expect([...ends.keys()].sort()).toEqual(["DECLINED", "DELETED", "DRAFT", "OPEN", "SIGNED", "WITHDRAWN"])
  })
})

const place = fc.option(fc.integer({ min: 1, max: 2 }))
const first = fc
  .tuple(fc.constantFrom(...VERSIONS), fc.array(place, { maxLength: 3 }))
  .map(([version, places]) => history.create(version, places))

const later = fc.oneof(
  { weight: 6, arbitrary: fc.nat(3).map(history.sign) },
  { weight: 3, arbitrary: fc.constant(null).map(history.initiate) },
  { weight: 1, arbitrary: fc.nat(3).map(history.decline) },
  { weight: 2, arbitrary: place.map(history.addSigner) },
  { weight: 2, arbitrary: fc.nat(3).map(history.removeSigner) },
  { weight: 1, arbitrary: fc.constant(null).map(history.update) },
  { weight: 1, arbitrary: fc.constant(null).map(history.withdraw) },
  { weight: 1, arbitrary: fc.constant(null).map(history.remove) },
)
