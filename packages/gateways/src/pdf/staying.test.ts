import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { Room } from "./room.ts"
import { createStaying } from "./staying.ts"

const file = (path: string, key: number) => ({
  path,
  key: new Uint8Array(32).fill(key),
  context: "",
  sizeBytes: 1,
})
const newRoom = () => ({ kill: vi.fn() }) as unknown as Room

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("gives each who signs the same document a process that has read it", () => {
  const staying = createStaying()
  const rooms = [newRoom(), newRoom()]
  for (const room of rooms) staying.keep(file("/spool/a", 1), room)
  expect(staying.take(file("/spool/b", 1))).toBeUndefined()
  const taken = [staying.take(file("/spool/a", 1)), staying.take(file("/spool/a", 1))]
  expect(new Set(taken)).toEqual(new Set(rooms))
  expect(staying.take(file("/spool/a", 1))).toBeUndefined()
  vi.advanceTimersByTime(60_000)
  for (const room of rooms) expect(room.kill).not.toHaveBeenCalled()
})

it("ends those of a document in whose place another lies", () => {
  const staying = createStaying()
  const [before, after] = [newRoom(), newRoom()]
  staying.keep(file("/spool/a", 1), before)
  staying.keep(file("/spool/a", 2), after)
  expect(before.kill).toHaveBeenCalledOnce()
  expect(staying.take(file("/spool/a", 1))).toBeUndefined()
  expect(after.kill).toHaveBeenCalledOnce()
})

it("ends each that nobody asks again, and no other", () => {
  const staying = createStaying()
  const [early, late] = [newRoom(), newRoom()]
  staying.keep(file("/spool/a", 1), early)
  vi.advanceTimersByTime(6_000)
  staying.keep(file("/spool/a", 1), late)
  vi.advanceTimersByTime(6_000)
  expect(early.kill).toHaveBeenCalledOnce()
  expect(staying.take(file("/spool/a", 1))).toBe(late)
})
