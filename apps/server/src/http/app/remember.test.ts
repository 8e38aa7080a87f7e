import { expect, it } from "vitest"
import { remembering } from "./remember.ts"

it("asks once for a while, for each by itself, and again after a failure", async () => {
  let nowMs = 0
  let asked = 0
  let down = false
  const ask = async (id: string) => {
    asked += 1
    if (down) throw new Error("down")
    return `${id} ${asked}`
  }
  const answer = remembering(ask, 100, () => nowMs)
  expect(await Promise.all([answer("a"), answer("a"), answer("b")])).toEqual(["a 1", "a 1", "b 2"])
  nowMs = 99
  expect(await answer("a")).toBe("a 1")
  nowMs = 100
  down = true
  await expect(answer("a")).rejects.toThrow("down")
  down = false
  expect(await answer("a")).toBe("a 4")
  for (let other = 0; other < 1000; other += 1) await answer(String(other))
  expect(await answer("a")).toBe("a 1005")
})
