// Keys that live for one signature, many of them at a time, as workers make and destroy them.

import { afterAll, beforeAll, expect, it } from "vitest"
import { type Keys, startKeys } from "./keys.ts"
import { makeSofthsmToken } from "./testing/softhsm-token.ts"

const token = makeSofthsmToken()
const workers = [startKeys(token.settings), startKeys(token.settings)]
const data = Buffer.from("what is to be signed")
const AT_ONCE = 6
const EACH = 4

beforeAll(async () => {
  await workers[0]?.generate("issuer", "P-256")
})
afterAll(async () => {
  await Promise.all(workers.map((keys) => keys.close()))
  token.remove()
})

it("are made, used and destroyed side by side, by two processes, and none of them fails", async () => {
  const before = await Promise.all(workers.map(processOf))
  await Promise.all(workers.flatMap((keys, w) => lanes((n) => live(keys, `signer-${w}-${n}`))))
  // Whichever failed would have ended its process.
  expect(await Promise.all(workers.map(processOf))).toEqual(before)
}, 120_000)

async function live(keys: Keys, label: string): Promise<void> {
  expect(await keys.publicKey(label)).toBeNull()
  await keys.generate(label, "P-256")
  await keys.sign("issuer", data)
  await keys.sign(label, data)
  await keys.destroy(label)
}

async function processOf(keys: Keys): Promise<number | null> {
  await keys.health()
  return keys.processId()
}

const lanes = (work: (name: string) => Promise<void>): readonly Promise<void>[] =>
  Array.from({ length: AT_ONCE }, async (_, lane) => {
    for (let n = 0; n < EACH; n += 1) await work(`${lane}-${n}`)
  })
