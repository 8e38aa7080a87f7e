// Signatures verified by the page, held against Node's own answer: right ones, broken ones, and those that somebody made up.

import * as node from "node:crypto"
import { integer, sequence } from "@paraph/pki/der-writer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as page from "./crypto.ts"
import { unknownCurves } from "./public-key.ts"
import { changed } from "./testing/changed.ts"

const SIGNING = [
  ...["sha1", "sha224", "sha256", "sha384", "sha512"],
  ...["sha3-224", "sha3-256", "sha3-384", "sha3-512"],
]

type Pair = ReturnType<typeof node.generateKeyPairSync>
type Verifying = {
  readonly padding?: number
  readonly saltLength?: number
  readonly dsaEncoding?: "der" | "ieee-p1363"
}

const MESSAGE = Buffer.from("What is signed.")

/** Both engines say the same, of the right value and of hundreds of wrong ones. */
function sameAnswers(pair: Pair, digest: string | null, options: Verifying = {}, numRuns = 60): void {
  const { privateKey, publicKey } = pair as { privateKey: node.KeyObject; publicKey: node.KeyObject }
  const value = node.sign(digest, MESSAGE, { key: privateKey, ...options })
  const spki = publicKey.export({ type: "spki", format: "der" })
  const [ours, theirs] = [page.createPublicKey({ key: spki }), publicKey]
  expect(ours.asymmetricKeyType).toBe(theirs.asymmetricKeyType)
  expect(page.verify(digest, MESSAGE, { key: ours, ...options }, value)).toBe(true)
  const change = fc.record({ kind: fc.constantFrom("flip", "cut", "more", "zero", "message"), at: fc.nat() })
  fc.assert(
    fc.property(change, ({ kind, at }) => {
      const wrong =
        kind === "message" ? value : kind === "zero" ? Buffer.alloc(value.length) : changed(value, kind, at)
      const message = kind === "message" ? Buffer.from("Something else.") : MESSAGE
      const [said, right] = [
        answer(() => page.verify(digest, message, { key: ours, ...options }, wrong)),
        answer(() => node.verify(digest, message, { key: theirs, ...options }, wrong)),
      ]
      expect(said, `${kind} ${at}`).toBe(right)
    }),
    { numRuns },
  )
}

function answer(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}

const PSS = node.constants.RSA_PKCS1_PSS_PADDING
const PKCS1 = node.constants.RSA_PKCS1_PADDING

describe("RSA", () => {
  // 2047 and 2049 bits: the octets of the message are fewer than, or as many as, those of the modulus.
  const pairs = [1024, 2047, 2048, 2049, 3072].map(
    (modulusLength) => [modulusLength, node.generateKeyPairSync("rsa", { modulusLength })] as const,
  )

  it.each(pairs)("of %i bits, PKCS#1 v1.5 with every digest", (_, pair) => {
    for (const digest of SIGNING) sameAnswers(pair, digest, { padding: PKCS1 }, 20)
  })

  it.each(pairs)("of %i bits, PSS with every digest and salts of any length", (_, pair) => {
    for (const digest of SIGNING)
      for (const saltLength of [0, 20, 32]) sameAnswers(pair, digest, { padding: PSS, saltLength }, 12)
  })

  it("PSS is not verified with a salt of another length", () => {
    const [, pair] = pairs[2] ?? []
    const { privateKey, publicKey } = pair as unknown as {
      privateKey: node.KeyObject
      publicKey: node.KeyObject
    }
    const key = page.createPublicKey({ key: publicKey.export({ type: "spki", format: "der" }) })
    const value = node.sign("sha256", MESSAGE, { key: privateKey, padding: PSS, saltLength: 32 })
    for (const saltLength of [0, 31, 33, 64])
      expect(page.verify("sha256", MESSAGE, { key, padding: PSS, saltLength }, value)).toBe(false)
  })

  it("with exponents of other sizes", () => {
    for (const publicExponent of [3, 17, 0x1_0001])
      sameAnswers(node.generateKeyPairSync("rsa", { modulusLength: 1024, publicExponent }), "sha256", {
        padding: PKCS1,
      })
  })

  it("keys for PSS alone are held to their parameters", () => {
    const options = {
      modulusLength: 2048,
      hashAlgorithm: "sha256",
      mgf1HashAlgorithm: "sha256",
      // The types say a text; Node takes a number.
      saltLength: 32 as unknown as string,
    }
    const pair = node.generateKeyPairSync("rsa-pss", options)
    sameAnswers(pair as unknown as Pair, "sha256", { padding: PSS, saltLength: 32 })
    const key = page.createPublicKey({ key: pair.publicKey.export({ type: "spki", format: "der" }) })
    expect(page.verify("sha512", MESSAGE, { key, padding: PSS, saltLength: 32 }, Buffer.alloc(256))).toBe(
      false,
    )
    sameAnswers(node.generateKeyPairSync("rsa-pss", { modulusLength: 2048 }) as unknown as Pair, "sha384", {
      padding: PSS,
      saltLength: 48,
    })
  })

  it("values made up by who knows only the public key are refused, as with Node", () => {
    // An exponent of 3 invites them: a cube root of a message whose padding is cut short, or with rubbish behind it.
    const { publicKey } = node.generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 })
    const key = page.createPublicKey({ key: publicKey.export({ type: "spki", format: "der" }) })
    const info = Buffer.concat([
      Buffer.from("3031300d060960864801650304020105000420", "hex"),
      node.createHash("sha256").update(MESSAGE).digest(),
    ])
    const beginning = Buffer.concat([Buffer.from("0001ffffffffffffffff00", "hex"), info])
    const wanted = BigInt(
      `0x${Buffer.concat([beginning, Buffer.alloc(256 - beginning.length, 0xff)]).toString("hex")}`,
    )
    const forged = Buffer.from(cubeRoot(wanted).toString(16).padStart(512, "0"), "hex")
    const cubed = (cubeRoot(wanted) ** 3n).toString(16).padStart(512, "0")
    // It would fool whoever looks at the beginning only.
    expect(cubed.startsWith(beginning.toString("hex"))).toBe(true)
    expect(page.verify("sha256", MESSAGE, { key, padding: PKCS1 }, forged)).toBe(false)
    expect(node.verify("sha256", MESSAGE, { key: publicKey, padding: PKCS1 }, forged)).toBe(false)
  })
})

/** What the holder of the key signed, padding and all, as the octets of the message. */
const raw = (key: node.KeyObject, message: Uint8Array): Buffer =>
  node.privateEncrypt({ key, padding: node.constants.RSA_NO_PADDING }, message)

describe("messages that are padded otherwise than they must be", () => {
  const { privateKey, publicKey } = node.generateKeyPairSync("rsa", { modulusLength: 2048 })
  const key = page.createPublicKey({ key: publicKey.export({ type: "spki", format: "der" }) })
  const digest = node.createHash("sha256").update(MESSAGE).digest()
  const info = (hex: string) => Buffer.concat([Buffer.from(hex, "hex"), digest])
  const right = info("3031300d060960864801650304020105000420")
  const padded = (inner: Buffer, type = 1, fill = 0xff, end = 0) =>
    Buffer.concat([Buffer.of(0, type), Buffer.alloc(253 - inner.length, fill), Buffer.of(end), inner])

  it("PKCS#1 v1.5: refused where Node refuses them, and only there", () => {
    const short = Buffer.concat([
      padded(Buffer.concat([Buffer.alloc(100), right])).subarray(0, 102),
      Buffer.of(0),
    ])
    const cases: readonly (readonly [string, Buffer, boolean])[] = [
      ["as it must be", padded(right), true],
      ["another type of block", padded(right, 2), false],
      ["type 0", padded(right, 0, 0), false],
      ["a padding of something else", padded(right, 1, 0xfe), false],
      ["no end of the padding", padded(right, 1, 0xff, 1), false],
      ["rubbish behind the digest", padded(Buffer.concat([right, Buffer.alloc(20)])), false],
      [
        "rubbish between",
        Buffer.concat([short, Buffer.alloc(256 - short.length - right.length, 7), right]),
        false,
      ],
      [
        "no NULL in the identifier",
        padded(info("302f300b0609608648016503040201 0420".replace(" ", ""))),
        false,
      ],
      ["the identifier of another digest", padded(info("3031300d060960864801650304020205000420")), false],
      ["lengths in a longer form", padded(info("308131300d060960864801650304020105000420")), false],
      ["the digest alone", padded(digest), false],
    ]
    for (const [what, message, expected] of cases) {
      const value = raw(privateKey, message)
      const said = page.verify("sha256", MESSAGE, { key, padding: PKCS1 }, value)
      expect(said, what).toBe(expected)
      expect(said, what).toBe(
        answer(() => node.verify("sha256", MESSAGE, { key: publicKey, padding: PKCS1 }, value)),
      )
    }
  })

  it("PSS: refused where Node refuses them, whichever octet of the message was another", () => {
    const value = node.sign("sha256", MESSAGE, { key: privateKey, padding: PSS, saltLength: 32 })
    const message = node.publicDecrypt({ key: publicKey, padding: node.constants.RSA_NO_PADDING }, value)
    for (let at = 0; at < message.length; at += 1)
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(message)
        changed[at] = (changed[at] ?? 0) ^ bit
        // Larger than the modulus it would be another message.
        if (at === 0 && bit === 0x80 && (changed[0] ?? 0) > 0x80) continue
        const options = { padding: PSS, saltLength: 32 }
        const wrong = answerOf(() => raw(privateKey, changed))
        if (wrong === undefined) continue
        expect(page.verify("sha256", MESSAGE, { key, ...options }, wrong), `${at} ${bit}`).toBe(
          answer(() => node.verify("sha256", MESSAGE, { key: publicKey, ...options }, wrong)),
        )
      }
  })

  it("the same value and the modulus more is not the same value", () => {
    const { n = "" } = publicKey.export({ format: "jwk" })
    const modulus = BigInt(`0x${Buffer.from(n, "base64url").toString("hex")}`)
    for (let i = 0; i < 20; i++) {
      const message = Buffer.from(`What is signed ${i}.`)
      const value = BigInt(`0x${node.sign("sha256", message, privateKey).toString("hex")}`)
      const hex = (value + modulus).toString(16)
      if (hex.length > 512) continue
      expect(
        page.verify("sha256", message, { key, padding: PKCS1 }, Buffer.from(hex.padStart(512, "0"), "hex")),
      ).toBe(false)
    }
  })
})

function answerOf<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function cubeRoot(number: bigint): bigint {
  let [low, high] = [0n, 1n << 700n]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** 3n <= number) low = middle
    else high = middle - 1n
  }
  return low
}

describe("curves", () => {
  const NAMED = [
    ...["prime192v1", "secp224r1", "P-256", "P-384", "P-521", "secp256k1"],
    ...["brainpoolP256r1", "brainpoolP320r1", "brainpoolP384r1", "brainpoolP512r1"],
  ]
  it.each(NAMED)(
    "ECDSA on %s, with digests shorter and longer than the curve, in both spellings",
    (namedCurve) => {
      const pair = node.generateKeyPairSync("ec", { namedCurve })
      for (const digest of ["sha1", "sha256", "sha512", "sha3-256"])
        for (const dsaEncoding of ["der", "ieee-p1363"] as const)
          sameAnswers(pair, digest, { dsaEncoding }, 15)
    },
  )

  it("takes a value whose s is the larger of the two, as Node does", () => {
    const { privateKey, publicKey } = node.generateKeyPairSync("ec", { namedCurve: "P-256" })
    const key = page.createPublicKey({ key: publicKey.export({ type: "spki", format: "der" }) })
    for (let i = 0; i < 20; i++)
      expect(page.verify("sha256", MESSAGE, { key }, node.sign("sha256", MESSAGE, privateKey))).toBe(true)
  })

  it("takes each value in the spelling that was asked for, and numbers within the order alone", () => {
    const { privateKey, publicKey } = node.generateKeyPairSync("ec", { namedCurve: "P-256" })
    const key = page.createPublicKey({ key: publicKey.export({ type: "spki", format: "der" }) })
    const plain = node.sign("sha256", MESSAGE, { key: privateKey, dsaEncoding: "ieee-p1363" })
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const [r, t] = [plain.subarray(0, 32), plain.subarray(32)].map((part) =>
      BigInt(`0x${part.toString("hex")}`),
    )
    if (r === undefined || t === undefined) throw new Error("There are two numbers.")
    const der = (one: bigint, two: bigint) => sequence(integer(one), integer(two))
    const cases: readonly (readonly [string, Uint8Array, boolean])[] = [
      ["as it is", der(r, t), true],
      ["the other s", der(r, order - t), true],
      ["plain where DER is asked for", plain, false],
      ["more by the order", der(r + order, t), false],
      ["s more by the order", der(r, t + order), false],
      ["nought", der(0n, t), false],
      ["below nought", der(r - order, t), false],
      ["something behind it", Buffer.concat([der(r, t), Buffer.of(0)]), false],
      ["three numbers", sequence(integer(r), integer(t), integer(1)), false],
    ]
    for (const [what, value, expected] of cases) {
      expect(page.verify("sha256", MESSAGE, { key }, value), what).toBe(expected)
      expect(
        answer(() => node.verify("sha256", MESSAGE, publicKey, value)),
        what,
      ).toBe(expected)
    }
    const asPlain = { dsaEncoding: "ieee-p1363" } as const
    expect(page.verify("sha256", MESSAGE, { key, ...asPlain }, der(r, t))).toBe(false)
  })

  it("Ed25519", () => sameAnswers(node.generateKeyPairSync("ed25519"), null, {}, 200))

  it("DSA", () => {
    for (const [modulusLength, divisorLength] of [
      [1024, 160],
      [2048, 256],
    ] as const)
      for (const digest of ["sha1", "sha256", "sha512"])
        sameAnswers(node.generateKeyPairSync("dsa", { modulusLength, divisorLength }), digest, {}, 15)
  }, 120_000)

  it("refuses a point that is on no curve, and notes a curve that it does not know", () => {
    const { publicKey } = node.generateKeyPairSync("ec", { namedCurve: "P-256" })
    const spki = Buffer.from(publicKey.export({ type: "spki", format: "der" }))
    spki[spki.length - 1] = (spki[spki.length - 1] ?? 0) ^ 1
    expect(() => page.createPublicKey({ key: spki })).toThrow()
    expect([...unknownCurves]).toEqual([])
    const other = node.generateKeyPairSync("ec", { namedCurve: "sect283r1" }).publicKey
    expect(() => page.createPublicKey({ key: other.export({ type: "spki", format: "der" }) })).toThrow()
    expect([...unknownCurves]).toEqual(["1.3.132.0.17"])
  })
})
