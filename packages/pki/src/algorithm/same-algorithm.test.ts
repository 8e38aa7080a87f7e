import { describe, expect, it } from "vitest"
import { readDer } from "../der/der.ts"
import { explicit, integer, nullValue, oid, sequence } from "../der/der-writer.ts"
import { isSameAlgorithm } from "./same-algorithm.ts"

const RSA_SHA256 = "1.2.840.113549.1.1.11"
const SHA256 = "2.16.840.1.101.3.4.2.1"
const SHA384 = "2.16.840.1.101.3.4.2.2"

const isSame = (one: Uint8Array, other: Uint8Array) => isSameAlgorithm(readDer(one), readDer(other))

describe("algorithm identifiers", () => {
  it("are the same with NULL and without parameters", () => {
    expect(isSame(sequence(oid(RSA_SHA256)), sequence(oid(RSA_SHA256), nullValue()))).toBe(true)
    expect(isSame(sequence(oid(SHA256), nullValue()), sequence(oid(SHA256)))).toBe(true)
    expect(isSame(sequence(oid(SHA256)), sequence(oid(SHA256)))).toBe(true)
  })

  it("are the same if that is the only difference inside the parameters of RSASSA-PSS", () => {
    const pss = (digest: Uint8Array, salt = 32) =>
      sequence(oid("1.2.840.113549.1.1.10"), sequence(explicit(0, digest), explicit(2, integer(salt))))
    expect(isSame(pss(sequence(oid(SHA256))), pss(sequence(oid(SHA256), nullValue())))).toBe(true)
    expect(isSame(pss(sequence(oid(SHA256))), pss(sequence(oid(SHA384))))).toBe(false)
    expect(isSame(pss(sequence(oid(SHA256))), pss(sequence(oid(SHA256)), 20))).toBe(false)
  })

  it("are not the same for another algorithm or other parameters", () => {
    expect(isSame(sequence(oid(SHA256)), sequence(oid(SHA384)))).toBe(false)
    expect(isSame(sequence(oid(SHA256)), sequence(oid(SHA256), integer(1)))).toBe(false)
    expect(isSame(sequence(oid(SHA256), nullValue()), sequence(oid(SHA256), nullValue(), nullValue()))).toBe(
      false,
    )
    expect(isSame(sequence(oid(SHA256)), oid(SHA256))).toBe(false)
  })
})
