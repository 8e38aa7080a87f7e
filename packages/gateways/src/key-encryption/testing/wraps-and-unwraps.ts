// For the tests: what every provider of key encryption must do, whatever holds its key.

import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import type { KeyEncryption } from "../key-encryption.ts"

export function wrapsAndUnwraps(provider: () => KeyEncryption): void {
  it("unwraps what it wrapped, keys of every usual length, and never wraps twice alike", async () => {
    for (const length of [16, 32, 64]) {
      const key = randomBytes(length)
      const one = await provider().wrap(key, "business a")
      const other = await provider().wrap(key, "business a")
      expect(Buffer.from(one).equals(other)).toBe(false)
      for (const wrapped of [one, other]) {
        expect(Buffer.from(wrapped).includes(key)).toBe(false)
        expect(Buffer.from(await provider().unwrap(wrapped, "business a")).equals(key)).toBe(true)
      }
    }
  })

  it("does not unwrap in another's place", async () => {
    const wrapped = await provider().wrap(randomBytes(32), "business a")
    for (const context of ["business b", "business ", "business a ", ""])
      await expect(provider().unwrap(wrapped, context)).rejects.toMatchObject(CORRUPT)
  })

  it("holds a context to its bytes, also where they are not ASCII", async () => {
    const key = randomBytes(32)
    const wrapped = await provider().wrap(key, "Geschäft ✓")
    expect(Buffer.from(await provider().unwrap(wrapped, "Geschäft ✓")).equals(key)).toBe(true)
    await expect(provider().unwrap(wrapped, "Geschaft ✓")).rejects.toMatchObject(CORRUPT)
  })

  it("notices every flipped bit of a byte, every cut, and what is no wrapped key at all", async () => {
    const wrapped = Buffer.from(await provider().wrap(randomBytes(32), "business a"))
    const damaged = [
      ...Array.from(wrapped, (_, at) => Uint8Array.from(wrapped, (byte, n) => (n === at ? byte ^ 1 : byte))),
      ...[0, 1, 12, 28, wrapped.length - 1].map((end) => wrapped.subarray(0, end)),
      Buffer.concat([wrapped, Buffer.from("A")]),
      randomBytes(60),
    ]
    for (const each of damaged)
      await expect(provider().unwrap(each, "business a")).rejects.toMatchObject(CORRUPT)
  })

  it("proves that it is well", async () => {
    await provider().health()
  })
}

export const CORRUPT = { name: "KeyEncryptionFailed", code: "corrupt" }
