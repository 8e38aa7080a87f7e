import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { Room } from "./room.ts"
import { createServing } from "./serving.ts"

const newRoom = () => ({ process: {}, kill: vi.fn(), isStaying: () => true }) as unknown as Room

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("[R18] gives a process to nobody but the business whose documents it has read", () => {
  const serving = createServing()
  const room = newRoom()
  serving.keep("writes a", room)
  expect(serving.take("writes b")).toBeUndefined()
  expect(serving.take("looks a")).toBeUndefined()
  expect(serving.take("writes a")).toBe(room)
  expect(serving.take("writes a")).toBeUndefined()
  vi.advanceTimersByTime(60_000)
  expect(room.kill).not.toHaveBeenCalled()
})

it("ends whoever waits for long, and the oldest of many", () => {
  const serving = createServing()
  const rooms = Array.from({ length: 5 }, () => newRoom())
  for (const [n, room] of rooms.entries()) serving.keep(`writes ${n}`, room)
  expect(rooms.map(({ kill }) => vi.mocked(kill).mock.calls.length)).toEqual([1, 0, 0, 0, 0])
  vi.advanceTimersByTime(10_000)
  expect(rooms.map(({ kill }) => vi.mocked(kill).mock.calls.length)).toEqual([1, 1, 1, 1, 1])
  expect(serving.take("writes 4")).toBeUndefined()
})

it("ends one that has served fifty times", () => {
  const serving = createServing()
  const room = newRoom()
  for (let n = 0; n < 49; n += 1) {
    serving.keep("writes a", room)
    expect(serving.take("writes a")).toBe(room)
  }
  serving.keep("writes a", room)
  expect(room.kill).toHaveBeenCalledOnce()
  expect(serving.take("writes a")).toBeUndefined()
})
