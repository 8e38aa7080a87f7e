import { expect, it } from "vitest"
import { createSealWatch } from "./seal-watch.ts"

it("tells all who wait for the same one when it is over, and nobody else", async () => {
  const states = new Map([
    ["a", "waiting"],
    ["b", "waiting"],
  ])
  const errors: unknown[] = []
  const isOver = createSealWatch(
    async () => new Map(states),
    (error) => errors.push(error),
    2_000,
  )
  const ended: string[] = []
  const wait = (id: string) => isOver(id).then((over) => void ended.push(`${id} ${over}`))
  const [all, other] = [Promise.all([wait("a"), wait("a"), wait("a")]), wait("b")]
  states.set("a", "done")
  await all
  expect(ended).toEqual(["a true", "a true", "a true"])
  // Somebody who comes later is told as well.
  expect(await isOver("a")).toBe(true)
  states.delete("b")
  await other
  expect([ended.at(-1), errors]).toEqual(["b true", []])
})

it("asks nobody to wait for longer than was said", async () => {
  const isOver = createSealWatch(
    async () => new Map([["a", "waiting"]]),
    () => undefined,
    300,
  )
  expect(await isOver("a")).toBe(false)
})
