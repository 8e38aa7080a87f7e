import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { pauseAfter, whatFollows } from "./schedule.ts"

const AT = new Date("2026-11-02T09:00:00Z")
const later = (ms: number) => new Date(AT.getTime() + ms)
const owed = { attempts: 0, giveUpAt: later(LIMITS.callbackRetryMs) }
const pauses = { firstPauseMs: 5000, random: 0 }
const failed = { delivered: false, message: "answered 500" }

describe("what follows an attempt", () => {
  it("is the end, when it was delivered, also after 72 hours", () => {
    const delivered = { delivered: true, message: "answered 204" }
    for (const at of [AT, later(LIMITS.callbackRetryMs * 2)])
      expect(whatFollows(owed, delivered, at, pauses).next).toEqual({ state: "COMPLETED" })
  })

  it("is another attempt after a pause that grows from 5 seconds to an hour", () => {
    const seconds = [0, 1, 2, 5, 9, 10, 60].map((attempts) => {
      const { next } = whatFollows({ ...owed, attempts }, failed, AT, pauses)
      return next.state === "OPEN" ? (next.dueAt.getTime() - AT.getTime()) / 1000 : null
    })
    expect(seconds).toEqual([5, 10, 20, 160, 2560, 3600, 3600])
  })

  it("is put off as long as the receiver asks, for six hours at the most, and never made shorter", () => {
    const pauseFor = (retryAfterSeconds: number) => {
      const { next } = whatFollows(owed, { ...failed, retryAfterSeconds }, AT, pauses)
      return next.state === "OPEN" ? (next.dueAt.getTime() - AT.getTime()) / 1000 : null
    }
    expect([0, 1, 120, 21_600, 999_999_999].map(pauseFor)).toEqual([5, 5, 120, 21_600, 21_600])
  })

  it("is a last attempt when the 72 hours end, and then no more", () => {
    const near = later(LIMITS.callbackRetryMs - 1000)
    const asked = { ...failed, retryAfterSeconds: 3600 }
    expect(whatFollows({ ...owed, attempts: 50 }, asked, near, pauses).next).toEqual({
      state: "OPEN",
      dueAt: owed.giveUpAt,
    })
    for (const late of [0, 1, 1_000_000])
      expect(
        whatFollows({ ...owed, attempts: 50 }, failed, later(LIMITS.callbackRetryMs + late), pauses).next,
      ).toEqual({ state: "RESIGNED" })
  })

  it("is no end after 72 hours in which it was hardly tried: the clock was wrong, or nobody was there to try", () => {
    const late = later(LIMITS.callbackRetryMs * 2)
    const stateAfter = (attempts: number) => whatFollows({ ...owed, attempts }, failed, late, pauses).next
    expect(stateAfter(0)).toEqual({ state: "OPEN", dueAt: new Date(late.getTime() + 5_000) })
    expect(stateAfter(LIMITS.leastAttempts - 2).state).toBe("OPEN")
    expect(stateAfter(LIMITS.leastAttempts - 1).state).toBe("RESIGNED")
  })

  it("comes to an end whatever the receiver answers and asks for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (asks, random) => {
          let [at, attempts, state] = [AT, 0, "OPEN"]
          while (state === "OPEN" && attempts < 200) {
            const retryAfterSeconds = asks[attempts % asks.length] ?? 0
            const attempted = whatFollows({ ...owed, attempts }, { ...failed, retryAfterSeconds }, at, {
              ...pauses,
              random,
            })
            state = attempted.next.state
            if (attempted.next.state === "OPEN") {
              expect(attempted.next.dueAt.getTime()).toBeGreaterThan(at.getTime())
              at = attempted.next.dueAt
            }
            attempts += 1
          }
          expect(state).toBe("RESIGNED")
          expect(at).toEqual(owed.giveUpAt)
        },
      ),
    )
  })
})

describe("a pause", () => {
  it("is up to a quarter shorter by chance, so that what failed together comes back apart", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, random) => {
          const [longest, pause] = [pauseAfter(failures, 5000, 0), pauseAfter(failures, 5000, random)]
          expect(longest).toBeLessThanOrEqual(3_600_000)
          expect(pause).toBeLessThanOrEqual(longest)
          expect(pause).toBeGreaterThanOrEqual(longest * 0.75)
        },
      ),
    )
  })
})
