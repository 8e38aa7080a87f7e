import type { Caller } from "@paraph/core/access/caller"
import { expect, it } from "vitest"
import { createLastUses } from "./last-uses.ts"

const key = (keyId: string): Caller => ({
  businessId: "b1",
  userId: "u1",
  username: "shop",
  keyId,
  kind: "demo",
})
const member: Caller = { ...key("session"), userId: "m1", via: "session", role: "member" }

/** What is written, by writes that end when they are told to. */
function room() {
  let at = new Date("2026-11-15T12:00:00Z")
  const written: { keys: readonly string[]; members: readonly string[]; end: (error?: Error) => void }[] = []
  const warned: unknown[] = []
  const uses = createLastUses(
    (due) =>
      new Promise((resolve, reject) => {
        written.push({ ...due, end: (error) => (error === undefined ? resolve() : reject(error)) })
      }),
    () => at,
    { warn: (said: unknown) => void warned.push(said) } as Parameters<typeof createLastUses>[2],
  )
  const later = (ms: number) => {
    at = new Date(at.getTime() + ms)
  }
  const shown = () => written.map(({ keys, members }) => [...keys, ...members])
  return { uses, written, warned, later, shown }
}

it("answers the caller at once, and nobody for nobody", () => {
  const { uses, shown } = room()
  const caller = key("k1")
  expect(uses.noted(caller)).toBe(caller)
  expect(uses.noted(null)).toBeNull()
  expect(shown()).toEqual([["k1"]])
})

it("writes each key and each member once a minute", async () => {
  const { uses, written, later, shown } = room()
  for (const caller of [key("k1"), key("k1"), member, member]) uses.noted(caller)
  written[0]?.end()
  await expect.poll(() => written.length).toBe(2)
  written[1]?.end()
  await uses.stop()
  later(59_999)
  uses.noted(key("k1"))
  expect(shown()).toEqual([["k1"], ["m1"]])
  later(1)
  uses.noted(key("k1"))
  expect(shown()).toEqual([["k1"], ["m1"], ["k1"]])
})

it("writes one at a time, however many are used, and the rest together", async () => {
  const { uses, written, shown } = room()
  for (let n = 0; n < 50; n++) uses.noted(key(`k${n}`))
  expect(shown()).toEqual([["k0"]])
  written[0]?.end()
  await expect.poll(() => written.length).toBe(2)
  expect(written[1]?.keys).toHaveLength(49)
})

it("says when it could not write, and goes on", async () => {
  const { uses, written, warned, later } = room()
  uses.noted(key("k1"))
  written[0]?.end(new Error("no database"))
  await uses.stop()
  expect(warned).toHaveLength(1)
  later(60_000)
  uses.noted(key("k1"))
  expect(written).toHaveLength(2)
})
