import { expect, it, vi } from "vitest"
import { remembered } from "./remembered.ts"

const bytes = (...values: number[]) => Uint8Array.from(values)

it("makes the same of the same bytes once, wherever they lie", () => {
  const make = vi.fn((one: Uint8Array) => ({ one }))
  const ask = remembered(make)
  const many = bytes(9, 1, 2, 9)
  const first = ask(many.subarray(1, 3))
  expect(ask(bytes(1, 2))).toBe(first)
  many.fill(0)
  expect(first.one).toEqual(bytes(1, 2))
  expect(ask(many.subarray(1, 3)).one).toEqual(bytes(0, 0))
  expect(make).toHaveBeenCalledTimes(2)
})

it("tells apart where one part ends and the next begins", () => {
  const ask = remembered((one: Uint8Array, other: Uint8Array) => `${one}|${other}`)
  const newline = 10
  expect(ask(bytes(1), bytes(2, 3))).toBe("1|2,3")
  expect(ask(bytes(1, 2), bytes(3))).toBe("1,2|3")
  expect(ask(bytes(newline), bytes())).toBe("10|")
  expect(ask(bytes(), bytes(newline))).toBe("|10")
})

it("takes what it asks for, and leaves what else it is given, as by map", () => {
  const lengthOf = remembered((one: Uint8Array) => one.length)
  expect([bytes(1, 2), bytes(3)].map(lengthOf as (one: Uint8Array) => number)).toEqual([2, 1])
})

it("keeps neither what was thrown, nor what is long, nor more than some", () => {
  const make = vi.fn((one: Uint8Array) => {
    if (one[0] === 255) throw new Error("Not this.")
    return one.length
  })
  const ask = remembered(make)
  for (let n = 0; n < 2; n += 1) expect(() => ask(bytes(255))).toThrow("Not this.")
  for (let n = 0; n < 2; n += 1) expect(ask(new Uint8Array(10_000))).toBe(10_000)
  expect(make).toHaveBeenCalledTimes(4)
  for (let n = 0; n <= 256; n += 1) ask(bytes(1, n >> 8, n & 255))
  make.mockClear()
  ask(bytes(1, 1, 0))
  expect(make).not.toHaveBeenCalled()
  ask(bytes(1, 0, 0))
  expect(make).toHaveBeenCalledOnce()
})
