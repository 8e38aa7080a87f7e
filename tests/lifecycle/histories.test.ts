import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi, VERSIONS } from "../service/api.ts"
import { isLong } from "../service/long.ts"
import { uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import * as history from "./histories.ts"
import * as is from "./histories-model.ts"

const RUNS = isLong ? 500 : 100
/** So many at a time: a run mostly waits, for a mail or for a signature. */
const SIDE_BY_SIDE = 10
const DAY_MS = 86_400_000

type Told = [history.Command, history.Command[], history.Command[]]

/** What a hundred drawn at random need not hold: a turn, a group that signs, each way to end, and somebody who is told of it. */
const told = (): Told[] => {
  const one = { place: null, members: 0 }
  const inTurn = [1, 2].map((place) => ({ place, members: 0 }))
  const { create, decline, initiate, remove, sign, withdraw } = history
  return [
    [create("v3", inTurn, false), [initiate(), sign(0), sign(0)], []],
    [create("v3", [{ place: null, members: 2 }], false), [initiate(), sign(0)], []],
    [create("v3", [one], true), [initiate()], [sign(0)]],
    [create("v3", [one], true), [], [initiate()]],
    [create("v1", [one, one], false), [decline(0)], []],
    [create("v2", [one], false), [withdraw()], []],
    [create("v2", [one], false), [sign(0), remove()], []],
    [create("v2", [one], false), [], []],
  ]
}

/** A request in the middle of its history, and what is yet to happen to it. */
type Ran = { model: is.Model; real: history.Real; afterwards: readonly history.Command[] }

describe("histories over HTTP", () => {
  let service: Service
  let documentIds: readonly [string, string]
  let daysAhead = 0
  const begun = Date.now()
  const day = (days: number) => new Date(begun + (daysAhead + days) * DAY_MS).toISOString().slice(0, 10)
  beforeAll(async () => {
    service = await startService()
    const feature = ["--business", service.business, "--feature", "expires_at", "--on"]
    await service.paraph("admin", "set-feature", ...feature)
    documentIds = [await uploadTo(service.caller, "v2"), await uploadTo(service.caller, "v2")]
    // Documents go with the last request that has them: one that nobody deletes keeps them for all the others.
    const documents = documentIds.map((id) => ({ id }))
    const kept = await service.caller.post("/v3/signature-requests", { title: "Kept", documents })
    expect(kept.status).toBe(200)
  })
  afterAll(() => service?.close())

  it(`[ST-08] of ${RUNS} requests are what parts 3.1 and 3.2 say, in every version, and everybody has the mails of them`, {
    timeout: 900_000,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const ran: Ran[][] = await together((lane) => untilToday(seed + lane, lane === 0 ? told() : []))

    // One move of the clock for all of them; whoever comes later logs in again.
    daysAhead = history.LAST_DAY + 2
    service.moveClock(daysAhead * DAY_MS)
    const api = await createApi(service.url, service.username, service.demoKey)
    await together(async (lane) => {
      for (const { model, real, afterwards } of ran[lane]?.filter(isDated) ?? []) {
        real.api = api
        await history.timePasses(model, real)
        for (const step of afterwards) if (step.check(model)) await step.run(model, real)
        await nothingElseHasCome(model, real)
      }
    })
    const all = ran.flat().map(({ model }) => model)
    expect(all).toHaveLength(RUNS)
    expect(Array.from(new Set(all.map(is.statusOf))).sort()).toEqual([
      "DECLINED",
      "DELETED",
      "DRAFT",
      "EXPIRED",
      "OPEN",
      "SIGNED",
      "WITHDRAWN",
    ])
    const mails = new Set(all.flatMap(({ known }) => known.flatMap((person) => person.mails)))
    expect(Array.from(mails).sort()).toEqual([
      "completed",
      "declined",
      "expired",
      "invitation",
      "withdrawn",
      "your-turn",
    ])
    const inGroups = all.flatMap(({ groups }) => groups.flatMap(({ members }) => members))
    const signed = all.flatMap(({ people }) => people.filter(({ state }) => state === "SIGNED"))
    expect(signed.some(({ email }) => inGroups.includes(email))).toBe(true)
  })

  async function untilToday(seed: number, examples: Told[]): Promise<Ran[]> {
    const ran: Ran[] = []
    await fc.assert(
      fc.asyncProperty(
        first,
        fc.commands([later], { maxCommands: 6 }),
        fc.array(later, { maxLength: 2 }),
        async (begin, rest, afterwards) => {
          const model = is.newModel()
          const api = service.caller
          const real: history.Real = { service, api, documentIds, day, version: "v2", id: "", log: [] }
          await begin.run(model, real)
          await fc.asyncModelRun(() => ({ model, real }), rest)
          await nothingElseHasCome(model, real)
          ran.push({ model, real, afterwards })
        },
      ),
      { numRuns: RUNS / SIDE_BY_SIDE, seed, examples, endOnFailure: true },
    )
    return ran
  }
})

/** Nor to anybody whom the last step did not concern. */
const nothingElseHasCome = (model: is.Model, real: history.Real) =>
  Promise.all(model.known.map((person) => history.wasWrittenTo(person, real)))

const isDated = ({ model }: Ran): boolean => model.lastDay === "ahead"

const together = <T>(lane: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, n) => lane(n)))

const place = fc.option(fc.integer({ min: 1, max: 2 }))
const asked = fc.record({
  place,
  members: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
  ),
})
const first = fc
  .tuple(fc.constantFrom(...VERSIONS), fc.array(asked, { maxLength: 3 }), fc.constantFrom(true, true, false))
  .map(([version, signers, dated]) => history.create(version, signers, dated))

const n = fc.nat(3)
const always = fc.constant(null)
const later = fc.oneof(
  { weight: 7, arbitrary: n.map(history.sign) },
  { weight: 4, arbitrary: always.map(history.initiate) },
  { weight: 1, arbitrary: n.map(history.decline) },
  { weight: 3, arbitrary: asked.map(history.addSigner) },
  { weight: 2, arbitrary: n.map(history.removeSigner) },
  { weight: 1, arbitrary: fc.array(asked, { maxLength: 2 }).map(history.replaceSigners) },
  { weight: 1, arbitrary: n.map(history.changeGroup) },
  { weight: 1, arbitrary: always.map(history.replaceDocument) },
  { weight: 1, arbitrary: fc.constantFrom("Please.", "Please, soon.").map(history.update) },
  { weight: 1, arbitrary: always.map(history.setLastDay) },
  { weight: 1, arbitrary: always.map(history.withdraw) },
  { weight: 1, arbitrary: always.map(history.remove) },
)
