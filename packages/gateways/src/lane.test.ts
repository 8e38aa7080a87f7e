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
