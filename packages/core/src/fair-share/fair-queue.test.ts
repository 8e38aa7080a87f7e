import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createFairQueue, type FairQueueLimits, type StartTimer } from "./fair-queue.ts"
import type { WorkOwner } from "./owner.ts"

const never: StartTimer = () => () => undefined
const LIMITS: FairQueueLimits = {
  slots: 2,
  perOwner: 2,
  demo: 2,
  maxWaiting: 10,
  maxWaitMs: 60_000,
  busy: () => new Error("busy"),
}
const production = (key: string): WorkOwner => ({ key, isDemo: false })
const demo = (key: string): WorkOwner => ({ key, isDemo: true })
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when the test says so. */
function workload(limits: Partial<FairQueueLimits> = {}, startTimer = never) {
  const queue = createFairQueue({ ...LIMITS, ...limits }, startTimer)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (owner: WorkOwner, name: string) =>
    queue(owner, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    ends.delete(name)
    await settled()
  }
  return { queue, begun, ends, run, end }
}

describe("a fair queue", () => {
  it("runs one owner's work in the order in which it came", async () => {
    const { begun, run, end } = workload()
    const all = ["a1", "a2", "a3", "a4"].map((name) => run(production("a"), name))
    await settled()
    expect(begun).toEqual(["a1", "a2"])
    for (const name of ["a2", "a1", "a3", "a4"]) await end(name)
    await Promise.all(all)
    expect(begun).toEqual(["a1", "a2", "a3", "a4"])
  })

  it("[B4] gives the next slot to an owner who waits, however much another one brought before", async () => {
    const { begun, run, end } = workload({ maxWaiting: 100 })
    for (let number = 1; number <= 40; number += 1) void run(production("flood"), `f${number}`)
    void run(production("b"), "b1")
    void run(production("b"), "b2")
    await settled()
    expect(begun).toEqual(["f1", "f2"])
    for (const name of ["f1", "f2", "f3"]) await end(name)
    expect(begun).toEqual(["f1", "f2", "f3", "b1", "f4"])
    await end("b1")
    expect(begun.at(-1)).toBe("b2")
  })

  it("[B4] leaves a slot that one owner never takes, and half of them that demo owners never take", async () => {
    const { begun, run } = workload({ slots: 4, perOwner: 3, demo: 2 })
    for (const name of ["x1", "x2", "x3", "x4"]) void run(demo("x"), name)
    for (const name of ["y1", "y2"]) void run(demo("y"), name)
    await settled()
    expect(begun).toEqual(["x1", "x2"])
    void run(production("a"), "a1")
    await settled()
    expect(begun).toEqual(["x1", "x2", "a1"])
  })

  it("bounds what waits of one owner, of demo and in all", async () => {
    const { queue, run } = workload({ slots: 1, maxWaiting: 4 })
    void run(production("busy"), "first")
    await settled()
    void run(demo("x"), "x1")
    void run(demo("x"), "x2")
    await expect(queue(demo("x"), async () => {})).rejects.toThrow("busy")
    void run(demo("y"), "y1")
    await expect(queue(demo("z"), async () => {})).rejects.toThrow("busy")
    void run(production("a"), "a1")
    await expect(queue(production("b"), async () => {})).rejects.toThrow("busy")
  })

  it("rejects work that waited too long, and only that", async () => {
    const timers: (() => void)[] = []
    const { queue, run, end } = workload({ slots: 1 }, (_, act) => {
      timers.push(act)
      return () => void timers.splice(timers.indexOf(act), 1)
    })
    const long = run(production("a"), "long")
    await settled()
    const late = queue(production("b"), async () => "late")
    expect(timers).toHaveLength(1)
    timers[0]?.()
    await expect(late).rejects.toThrow("busy")
    await end("long")
    await long
    expect(await queue(production("b"), async () => "in time")).toBe("in time")
  })

  it("passes the slot on when work fails, also before its first await", async () => {
    const { queue } = workload({ slots: 1 })
    const failing = queue(production("a"), () => {
      throw new Error("failed")
    })
    const next = queue(production("a"), async () => "next")
    await expect(failing).rejects.toThrow("failed")
    expect(await next).toBe("next")
  })

  it("[B4] runs one work at a time of an owner over its budget, and last", async () => {
    const { begun, run, end } = workload({ isOverBudget: ({ key }) => key === "spent" })
    for (const name of ["s1", "s2", "s3"]) void run(production("spent"), name)
    await settled()
    expect(begun).toEqual(["s1"])
    for (const name of ["a1", "a2", "a3"]) void run(production("a"), name)
    await end("s1")
    expect(begun).toEqual(["s1", "a1", "a2"])
    await end("a1")
    expect(begun).toEqual(["s1", "a1", "a2", "a3"])
    await end("a2")
    expect(begun.at(-1)).toBe("s2")
  })
})

const OWNERS = [production("a"), production("b"), demo("x"), demo("y")]
type Item = { readonly name: string; readonly owner: WorkOwner; readonly overtakenBy: Map<string, number> }
const step = fc.record({ add: fc.boolean(), which: fc.nat(1_000) })
const limits = fc.record({
  slots: fc.integer({ min: 1, max: 5 }),
  perOwner: fc.integer({ min: 1, max: 4 }),
  demo: fc.integer({ min: 1, max: 4 }),
})

it("[B4] never exceeds a limit, loses no wake-up, and lets each other owner overtake waiting work once at most", () =>
  fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (shares, steps) => {
      const { run, ends, begun, end } = workload({ ...shares, maxWaiting: 1_000 })
      const items: Item[] = []
      const running = () => items.filter(({ name }) => ends.has(name))
      const waiting = () => items.filter(({ name }) => !begun.includes(name))
      const isOpenTo = (owner: WorkOwner, held: readonly Item[]) =>
        held.length < shares.slots &&
        held.filter((one) => one.owner === owner).length < shares.perOwner &&
        !(owner.isDemo && held.filter((one) => one.owner.isDemo).length >= shares.demo)

      for (const { add, which } of [...steps, ...steps.map(() => ({ add: false, which: 0 }))]) {
        const ending = add ? undefined : running()[which % Math.max(1, running().length)]
        const before = begun.length
        const held = running().filter((one) => one !== ending)
        const heads = OWNERS.flatMap((owner) => waiting().find((one) => one.owner === owner) ?? [])
        if (add) {
          const owner = OWNERS[which % OWNERS.length] ?? production("a")
          const item = { name: `${owner.key}${items.length}`, owner, overtakenBy: new Map() }
          items.push(item)
          void run(owner, item.name)
        } else if (ending !== undefined) await end(ending.name)
        await settled()

        for (const { owner } of waiting()) expect(isOpenTo(owner, running())).toBe(false)
        expect(running().length).toBeLessThanOrEqual(shares.slots)
        for (const owner of OWNERS)
          expect(running().filter((one) => one.owner === owner).length).toBeLessThanOrEqual(shares.perOwner)
        expect(running().filter((one) => one.owner.isDemo).length).toBeLessThanOrEqual(shares.demo)
        for (const name of begun.slice(before)) {
          const started = items.find((one) => one.name === name)
          for (const head of heads)
            if (started !== undefined && head.owner !== started.owner && isOpenTo(head.owner, held))
              head.overtakenBy.set(started.owner.key, 1 + (head.overtakenBy.get(started.owner.key) ?? 0))
        }
      }
      for (const { overtakenBy } of items)
        for (const count of overtakenBy.values()) expect(count).toBeLessThanOrEqual(1)
      while (running().length > 0) for (const { name } of running()) await end(name)
      expect(waiting()).toEqual([])
    }),
    { numRuns: 150 },
  ))
