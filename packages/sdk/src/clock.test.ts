import { expect, it } from "vitest"
import { systemClock } from "./clock.ts"

it("a pause that is longer than a timer can be told does not end at once", async () => {
  const leaving = new AbortController()
  const paused = systemClock.pause(2 ** 40, leaving.signal)
  await systemClock.pause(20)
  leaving.abort(new Error("gone"))
  await expect(paused).rejects.toThrow("gone")
})
