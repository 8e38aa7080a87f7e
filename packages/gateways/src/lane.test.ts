import { expect, it } from "vitest"
import { createLane, type LaneLimits } from "./lane.ts"

const LIMITS: LaneLimits = { slots: 2, maxWaiting: 2, maxWaitMs: 60_000, busy: () => new Error("busy") }

it("lets so many work at a time, and the others in the order in which they came", async () => {
  const lane = createLane(LIMITS)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) =>
    lane(() => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const all = ["a", "b", "c", "d"].map(work)
  expect(begun).toEqual(["a", "b"])
  await expect(work("e")).rejects.toThrow("busy")
  ends.get("b")?.()
  await all[1]
  expect(begun).toEqual(["a", "b", "c"])
  ends.get("c")?.()
  await all[2]
  expect(begun).toEqual(["a", "b", "c", "d"])
  for (const end of ends.values()) end()
  await Promise.all(all)
  expect(await lane(async () => "free again")).toBe("free again")
})

it("passes the place on when work fails", async () => {
  const lane = createLane({ ...LIMITS, slots: 1 })
  const failing = lane(() => Promise.reject(new Error("failed")))
  const next = lane(async () => "next")
  await expect(failing).rejects.toThrow("failed")
  expect(await next).toBe("next")
})

it("lets nobody wait for longer than is allowed", async () => {
  const lane = createLane({ ...LIMITS, slots: 1, maxWaitMs: 20 })
  let end = () => {}
  const long = lane(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  await expect(lane(async () => "too late")).rejects.toThrow("busy")
  end()
  await long
  expect(await lane(async () => "in time")).toBe("in time")
})

it("leaves a place to others, however much one brings", async () => {
  const lane = createLane({ ...LIMITS, slots: 3, each: 2, maxWaiting: 4 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string, whose: string) =>
    lane(() => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }, whose)
  const all = ["a1", "a2", "a3", "a4"].map((name) => work(name, "a"))
  // Nor does one take all places to wait in.
  await expect(work("a5", "a")).rejects.toThrow("busy")
  all.push(work("b1", "b"), work("b2", "b"))
  expect(begun).toEqual(["a1", "a2", "b1"])
  ends.get("b1")?.()
  await all[4]
  // The first in line has what is theirs already.
  expect(begun).toEqual(["a1", "a2", "b1", "b2"])
  ends.get("a1")?.()
  await all[0]
  expect(begun).toEqual(["a1", "a2", "b1", "b2", "a3"])
  ends.get("a2")?.()
  await all[1]
  for (const end of ends.values()) end()
  await Promise.all(all)
  expect(begun).toHaveLength(6)
})
