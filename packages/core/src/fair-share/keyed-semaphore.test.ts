import { expect, it } from "vitest"
import { createKeyedSemaphore } from "./keyed-semaphore.ts"

it("runs so much of one key at once in its order, and no other key waits for it", async () => {
  const semaphore = createKeyedSemaphore(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    semaphore(key, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const all = ["a1", "a2", "a3", "a4", "b1"].map((name) => run(name.slice(0, 1), name))
  await settled()
  expect(begun).toEqual(["a1", "a2", "b1"])
  ends.get("a2")?.()
  await settled()
  expect(begun).toEqual(["a1", "a2", "b1", "a3"])
  for (const name of ["a1", "a3", "b1"]) ends.get(name)?.()
  await settled()
  ends.get("a4")?.()
  await Promise.all(all)
  expect(begun.at(-1)).toBe("a4")
})

it("frees the slot of work that fails", async () => {
  const semaphore = createKeyedSemaphore(1)
  const failing = semaphore("a", async () => {
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  expect(await semaphore("a", async () => "yes")).toBe("yes")
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
