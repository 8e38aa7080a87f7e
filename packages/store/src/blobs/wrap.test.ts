import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { businessContext, newKey, unwrapKey, wrapKey } from "./wrap.ts"

const KEK = randomBytes(32)

it("unwraps what it wrapped", () => {
  const key = newKey()
  expect(key).toHaveLength(32)
  expect(unwrapKey(KEK, wrapKey(KEK, key, "a"), "a").equals(key)).toBe(true)
})

it("wraps the same key differently each time, and never shows it", () => {
  const key = newKey()
  const [one, other] = [wrapKey(KEK, key, "a"), wrapKey(KEK, key, "a")]
  expect(one.equals(other)).toBe(false)
  expect(one.includes(key)).toBe(false)
})

it("refuses another context, another wrapping key, and any flipped or missing byte", () => {
  const wrapped = wrapKey(KEK, newKey(), businessContext("one"))
  expect(() => unwrapKey(KEK, wrapped, businessContext("two"))).toThrow()
  expect(() => unwrapKey(randomBytes(32), wrapped, businessContext("one"))).toThrow()
  wrapped.forEach((byte, at) => {
    const changed = Buffer.from(wrapped)
    changed.writeUInt8(byte ^ 1, at)
    expect(() => unwrapKey(KEK, changed, businessContext("one")), `byte ${at}`).toThrow()
    expect(() => unwrapKey(KEK, wrapped.subarray(0, at), businessContext("one")), `${at} bytes`).toThrow()
  })
})
