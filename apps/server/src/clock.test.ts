import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { createClock } from "./clock.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-clock-"))
const file = join(folder, "offset")
afterAll(() => rmSync(folder, { recursive: true }))

const SIX_MONTHS_MS = 183 * 86_400_000
const isAhead = (now: Date, ms: number) => Math.abs(now.getTime() - Date.now() - ms) < 60_000

it("tells the real time where nobody moves it", () => {
  expect(isAhead(createClock("")(), 0)).toBe(true)
  expect(isAhead(createClock(join(folder, "nobody-wrote-it"))(), 0)).toBe(true)
})

it("is ahead by what the file says, from the next look on", () => {
  const [now, inAnotherProcess] = [createClock(file), createClock(file)]
  for (const ms of [SIX_MONTHS_MS, 0, -3_600_000]) {
    writeFileSync(file, `${ms}\n`)
    expect(isAhead(now(), ms)).toBe(true)
    expect(isAhead(inAnotherProcess(), ms)).toBe(true)
  }
})

it("stands at the time that the file says behind an @", () => {
  writeFileSync(file, "@2026-01-05T09:00:00Z\n")
  expect(createClock(file)()).toEqual(new Date("2026-01-05T09:00:00Z"))
})

it("says so when the file holds something else", () => {
  for (const text of ["tomorrow", "@noon", "2026-01-05T09:00:00Z"]) {
    writeFileSync(file, text)
    expect(() => createClock(file)()).toThrow("CLOCK_FILE")
  }
})
