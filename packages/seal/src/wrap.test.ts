import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { SealBroken } from "./broken.ts"
import { newKey, unwrapKey, wrapKey } from "./wrap.ts"

const KEK = randomBytes(32)

it("unwraps what it wrapped", () => {
  const key = newKey()
  expect(key).toHaveLength(32)
  expect(unwrapKey(KEK, wrapKey(KEK, key, "a"), "a").equals(key)).toBe(true)
})

// Made with Python's `cryptography`: nonce + AESGCM(bytes(range(32, 64))).encrypt(nonce, bytes(range(32)), b"business acme").
it("unwraps what another implementation wrapped", () => {
  const wrapped =
    "000102030405060708090a0b5c535fa44e30edebb4f0c3cd2a7e50330361fb777e04b0063c14c9a1a79cd5879a5f51a1e874db2716cef194220f06ae"
  const kek = Buffer.from({ length: 32 }).map((_, at) => 32 + at)
  expect([...unwrapKey(kek, Buffer.from(wrapped, "hex"), "business acme")]).toEqual([...Array(32).keys()])
})

it("wraps the same key differently each time, and never shows it", () => {
  const key = newKey()
  const [one, other] = [wrapKey(KEK, key, "a"), wrapKey(KEK, key, "a")]
  expect(one.equals(other)).toBe(false)
  expect(one.includes(key)).toBe(false)
})

it("refuses another context, another wrapping key, and any flipped or missing byte", () => {
  const wrapped = wrapKey(KEK, newKey(), "business one")
  expect(() => unwrapKey(KEK, wrapped, "business two")).toThrow(SealBroken)
  expect(() => unwrapKey(randomBytes(32), wrapped, "business one")).toThrow(SealBroken)
  wrapped.forEach((byte, at) => {
    const changed = Buffer.from(wrapped)
    changed.writeUInt8(byte ^ 1, at)
    expect(() => unwrapKey(KEK, changed, "business one"), `byte ${at}`).toThrow(SealBroken)
    expect(() => unwrapKey(KEK, wrapped.subarray(0, at), "business one"), `${at} bytes`).toThrow(SealBroken)
  })
})
