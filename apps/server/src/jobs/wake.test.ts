import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createLogger } from "../telemetry/logs.ts"
import { startWaking } from "./wake.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }))
afterEach(() => void vi.useRealTimers())

/** A worker whose keys of either kind are there or not; `woken` says at which second it woke those who wait. */
function worker() {
  let second = 0
  const state = { isThere: true, isOtherThere: true, looks: 0, woken: [] as number[] }
  const waking = startWaking({
    probes: {
      keys: [
        async () => {
          state.looks += 1
          if (!state.isThere) throw new Error("away")
        },
        async () => {
          if (!state.isOtherThere) throw new Error("away")
        },
      ],
      timestamp: [async () => undefined],
      revocation: [async () => undefined],
      provider: [async () => undefined],
    },
    wakeSigning: async () => state.woken.push(second),
    log: createLogger("fatal", "test"),
  })
  const pass = async (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      second += 1
      await vi.advanceTimersByTimeAsync(1000)
    }
  }
  return { state, waking, pass }
}

describe("a worker", () => {
  it("looks once when it starts, and not again while nothing is missing", async () => {
    const { state, waking, pass } = worker()
    await pass(600)
    expect(state).toMatchObject({ looks: 1, woken: [2] })
    await waking.stop()
  })

  it("looks every other second for what is away, and wakes all who wait when it is back", async () => {
    const { state, waking, pass } = worker()
    await pass(10)
    state.isThere = false
    waking.note("keys")
    await pass(600)
    expect(state.woken).toEqual([2])
    expect(state.looks).toBeGreaterThan(200)
    state.isThere = true
    await pass(4)
    expect(state.woken).toHaveLength(2)
    await waking.stop()
  })

  it("wakes when one of several is back, though another is still away", async () => {
    const { state, waking, pass } = worker()
    await pass(10)
    state.isOtherThere = false
    waking.note("keys")
    // Signatures fail on, and what is there is no reason to try them again.
    for (let n = 0; n < 60; n += 1) {
      waking.note("keys")
      await pass(1)
    }
    expect(state.woken).toEqual([2])
    state.isThere = false
    await pass(10)
    state.isThere = true
    await pass(4)
    expect(state.woken).toHaveLength(2)
    state.isOtherThere = true
    await pass(4)
    expect(state.woken).toHaveLength(3)
    await waking.stop()
  })

  it("is as quick after the fifth outage as after the first", async () => {
    const { state, waking, pass } = worker()
    for (let outage = 1; outage <= 5; outage += 1) {
      state.isThere = false
      waking.note("keys")
      await pass(20)
      state.isThere = true
      await pass(4)
      expect(state.woken).toHaveLength(outage)
    }
    await waking.stop()
  })

  it("wakes ever more seldom where nothing is missing and signatures fail all the same", async () => {
    const { state, waking, pass } = worker()
    for (let n = 0; n < 3600; n += 1) {
      waking.note("keys")
      await pass(1)
    }
    const pauses = state.woken.map((at, n) => at - (state.woken[n - 1] ?? 0))
    expect(pauses.slice(0, 5)).toEqual(pauses.slice(0, 5).toSorted((a, b) => a - b))
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(300)
    expect(state.woken.length).toBeLessThan(25)
    await waking.stop()
  })
})
