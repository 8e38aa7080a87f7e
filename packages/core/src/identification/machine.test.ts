import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import { SAMPLE_TIME } from "../testing/sample.ts"
import { type IdentificationEvent, identificationStep } from "./machine.ts"
import { type Identification, identificationStatus, newIdentification } from "./model.ts"

const RUNS = { numRuns: 10_000, seed: Math.floor(Math.random() * 2 ** 31) }
const fresh = newIdentification("e1", "demo_ident", false)
const later = (ms: number) => new Date(SAMPLE_TIME.getTime() + ms)

/** Through these events, one minute apart. */
const through = (events: readonly IdentificationEvent[], from: Identification = fresh): Identification =>
  events.reduce((known, event, index) => identificationStep(known, event, later(index * 60_000)), from)

const begin = { type: "begin" } as const
const back = { type: "return", attempt: 1, browserHash: null } as const
const accept = { type: "accept", attempt: 1, name: "Ada Lovelace" } as const
const pend = { type: "pend", attempt: 1, reason: "name-differs", name: "Ada King", askAt: null } as const
const reject = { type: "reject", attempt: 1, reason: "other-person" } as const

describe("an identification", () => {
  it.each<[string, readonly IdentificationEvent[], string]>([
    ["nobody has begun", [], "CREATED"],
    ["the person went", [begin], "STARTED"],
    ["the person is back", [begin, back], "STARTED"],
    ["the provider vouches", [begin, back, accept], "ACCEPTED"],
    ["it vouches for nobody who came back", [begin, accept], "STARTED"],
    ["it says no", [begin, reject], "REJECTED"],
    ["a name differs", [begin, back, pend], "PENDING_REVIEW"],
    ["the sender knows the person", [begin, back, pend, { type: "review", isThePerson: true }], "ACCEPTED"],
    ["the sender does not", [begin, back, pend, { type: "review", isThePerson: false }], "REJECTED"],
    ["an accepted one stays so", [begin, back, accept, reject, pend], "ACCEPTED"],
    ["a rejected one is begun again", [begin, reject, begin], "STARTED"],
    ["an answer to an earlier attempt is none", [begin, begin, back, accept], "STARTED"],
    ["what the sender has to say, the provider does not", [begin, back, pend, accept], "PENDING_REVIEW"],
  ])("where %s", (_, events, status) => {
    expect(identificationStatus(through(events), later(3_600_000))).toBe(status)
  })

  it("expires on the way, while it is looked at, and when nobody signs with it; and is begun again then", () => {
    const cases: readonly [Identification, number][] = [
      [through([begin]), LIMITS.identificationWayMs],
      [through([begin, back]), LIMITS.identificationWayMs],
      [through([begin, back, pend]), LIMITS.identificationReviewMs],
      [through([begin, back, accept]), LIMITS.identificationValidMs],
    ]
    for (const [known, ms] of cases) {
      expect(identificationStatus(known, later(ms - 1))).toBe(known.state)
      const over = later(ms + 3_600_000)
      expect(identificationStatus(known, over)).toBe("EXPIRED")
      expect(identificationStep(known, begin, over)).toMatchObject({ state: "STARTED", attempt: 2 })
    }
  })

  it("is not begun twice while it is looked at or after it was accepted, nor for ever", () => {
    for (const events of [
      [begin, back],
      [begin, back, pend],
      [begin, back, accept],
    ])
      expect(() => identificationStep(through(events), begin, later(600_000))).toThrow(Refusal)
    const often = through(Array.from({ length: LIMITS.identificationAttempts }, () => begin))
    expect(() => identificationStep(often, begin, later(3_600_000))).toThrow("too often")
  })

  it("holds, whatever happens in whatever order: only who came back is accepted, and it is never taken back", () => {
    const attempt = fc.integer({ min: 1, max: 4 })
    const event = fc.oneof(
      fc.constant<IdentificationEvent>(begin),
      attempt.map((n): IdentificationEvent => ({ ...back, attempt: n })),
      attempt.map((n): IdentificationEvent => ({ ...accept, attempt: n })),
      attempt.map((n): IdentificationEvent => ({ ...pend, attempt: n })),
      attempt.map(
        (n): IdentificationEvent => ({ ...pend, attempt: n, reason: "provider-reviews", name: null }),
      ),
      attempt.map((n): IdentificationEvent => ({ ...reject, attempt: n })),
      fc.boolean().map((isThePerson): IdentificationEvent => ({ type: "review", isThePerson })),
    )
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.integer({ min: 0, max: 40 * 86_400_000 }))), (history) => {
        let known = fresh
        let ms = 0
        for (const [next, pause] of history) {
          ms += pause % 3 === 0 ? pause : pause % 60_000
          const was = identificationStatus(known, later(ms))
          try {
            const after = identificationStep(Object.freeze(known), next, later(ms))
            const is = identificationStatus(after, later(ms))
            if (was === "ACCEPTED") expect(after).toBe(known)
            if (is === "ACCEPTED" && was !== "ACCEPTED") {
              expect(after.returnedAt).not.toBeNull()
              expect(after.name).not.toBeNull()
              expect(next.type === "review" || ("attempt" in next && next.attempt === known.attempt)).toBe(
                true,
              )
            }
            if (was === "EXPIRED" && next.type !== "begin") expect(after).toBe(known)
            expect(after.attempt).toBeLessThanOrEqual(LIMITS.identificationAttempts)
            known = after
            reached.add(is)
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal)
            expect(["begin", "review"]).toContain(next.type)
          }
        }
      }),
      RUNS,
    )
    expect([...reached].sort()).toEqual(
      ["ACCEPTED", "CREATED", "EXPIRED", "PENDING_REVIEW", "REJECTED", "STARTED"].sort(),
    )
  })
})
