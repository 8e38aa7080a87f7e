// Digests, ciphers, streams and texts of the page, held against Node's own.

import * as node from "node:crypto"
import { deflateSync, inflateSync as nodeInflate } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Buffer as PageBuffer } from "./buffer.ts"
import * as page from "./crypto.ts"
import { changed } from "./testing/changed.ts"
import { inflateSync } from "./zlib.ts"

const DIGESTS = [
  ...["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
  ...["sha3-224", "sha3-256", "sha3-384", "sha3-512"],
]
const octets = (maxLength = 300) => fc.uint8Array({ maxLength })

describe("digests", () => {
  it.each(DIGESTS)("%s is Node's, in pieces, copied on the way, and spelt", (name) => {
    fc.assert(
      fc.property(octets(), octets(), (one, two) => {
        const [ours, theirs] = [page.createHash(name).update(one), node.createHash(name).update(one)]
        expect(ours.copy().digest("hex")).toBe(theirs.copy().digest("hex"))
        expect(Buffer.from(ours.update(two).digest())).toEqual(theirs.update(two).digest())
      }),
      { numRuns: 50 },
    )
    expect(page.createHash(name).update("QUJD", "base64").digest("base64")).toBe(
      node.createHash(name).update("QUJD", "base64").digest("base64"),
    )
  })

  it("does not know what Node does not", () => {
    expect(() => page.createHash("sha257")).toThrow()
    expect(() => page.createHash("toString")).toThrow()
  })
})

describe("AES", () => {
  it.each(["aes-128-cbc", "aes-256-cbc"])(
    "%s decrypts as Node does, and refuses what Node refuses",
    (name) => {
      const key = node.randomBytes(name.includes("128") ? 16 : 32)
      fc.assert(
        fc.property(octets(), fc.nat(), fc.boolean(), (plain, place, isBroken) => {
          const iv = node.randomBytes(16)
          const cipher = node.createCipheriv(name, key, iv)
          const data = Buffer.concat([cipher.update(plain), cipher.final()])
          if (isBroken) data[place % data.length] = (data[place % data.length] ?? 0) ^ 1
          expect(decrypted(page, name, key, iv, data)).toEqual(decrypted(node, name, key, iv, data))
        }),
        { numRuns: 200 },
      )
    },
  )

  it("without padding, in both directions", () => {
    const [key, iv, data] = [node.randomBytes(16), node.randomBytes(16), node.randomBytes(640)]
    const by = (one: typeof node | typeof page) =>
      Buffer.from(one.createCipheriv("aes-128-cbc", key, iv).setAutoPadding(false).update(data))
    expect(by(page)).toEqual(by(node))
    const long = node.randomBytes(32)
    const ecb = (one: typeof node | typeof page) =>
      Buffer.from(
        one.createDecipheriv("aes-256-ecb", long, null).setAutoPadding(false).update(data.subarray(0, 16)),
      )
    expect(ecb(page)).toEqual(ecb(node))
  })
})

function decrypted(
  one: typeof node | typeof page,
  name: string,
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
): string {
  try {
    const decipher = one.createDecipheriv(name, key, iv)
    return Buffer.concat([decipher.update(data), decipher.final()]).toString("hex")
  } catch {
    return "refused"
  }
}

describe("inflating", () => {
  it("is Node's, for streams that are whole, broken, cut short or followed by something", () => {
    const change = fc.record({ kind: fc.constantFrom("none", "flip", "cut", "more"), at: fc.nat() })
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { maxLength: 5000 }),
        change,
        fc.integer({ min: 1, max: 6000 }),
        (plain, { kind, at }, max) => {
          const whole = deflateSync(Buffer.from(plain))
          const data = changed(whole, kind, at)
          const [ours, theirs] = [inflated(inflateSync, data, max), inflated(nodeInflate, data, max)]
          // Of what is both too large and damaged, either is said.
          const refusals = ["refused", "ERR_BUFFER_TOO_LARGE"]
          if (kind === "none" || !refusals.includes(theirs)) expect(ours).toBe(theirs)
          else expect(refusals).toContain(ours)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it("stops where too much comes out, long before it is all there", () => {
    const bomb = deflateSync(Buffer.alloc(200_000_000), { level: 9 })
    const before = process.cpuUsage()
    expect(inflated(inflateSync, bomb, 100_000)).toBe("ERR_BUFFER_TOO_LARGE")
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})
function inflated(
  inflate: (data: Uint8Array, options: { maxOutputLength: number }) => Uint8Array,
  data: Uint8Array,
  maxOutputLength: number,
): string {
  try {
    return Buffer.from(inflate(data, { maxOutputLength })).toString("hex")
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"
      ? error.code
      : "refused"
  }
}

describe("Buffer", () => {
  it("reads and writes texts as Node's does", () => {
    fc.assert(
      fc.property(octets(), fc.string({ unit: "binary" }), (bytes, text) => {
        for (const encoding of ["hex", "base64", "latin1", "utf8", "utf16le"] as const) {
          expect(PageBuffer.from(bytes).toString(encoding)).toBe(Buffer.from(bytes).toString(encoding))
          expect([...PageBuffer.from(text, encoding)]).toEqual([...Buffer.from(text, encoding)])
        }
        expect(PageBuffer.from(bytes).equals(Uint8Array.from(bytes))).toBe(true)
      }),
    )
  })
})
