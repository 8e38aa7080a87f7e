import { constants, createPublicKey, verify } from "node:crypto"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startKeys } from "./keys.ts"
import type { KeyAlgorithm } from "./protocol.ts"
import { makeSofthsmToken } from "./testing/softhsm-token.ts"

const token = makeSofthsmToken()
const keys = startKeys(token.settings)
const data = Buffer.from("what is to be signed")
const KINDS: Record<KeyAlgorithm, readonly [SignatureAlgorithm, ...SignatureAlgorithm[]]> = {
  "P-256": ["ecdsa-sha256"],
  "P-384": ["ecdsa-sha384"],
  Ed25519: ["ed25519"],
  "RSA-2048": ["rsa-sha256", "rsa-pss-sha256"],
  "RSA-3072": ["rsa-sha256", "rsa-pss-sha256"],
  "RSA-4096": ["rsa-sha256", "rsa-pss-sha256"],
}
const kinds = Object.keys(KINDS) as KeyAlgorithm[]

beforeAll(async () => {
  await keys.generate("seal", "P-256")
})
afterAll(async () => {
  await keys.close()
  token.remove()
})

describe.each(kinds)("a key of kind %s", (kind) => {
  it("signs by each of its algorithms what OpenSSL verifies, and by the first if none is named", async () => {
    const spki = await keys.generate(kind, kind)
    expect(await keys.publicKey(kind)).toEqual(spki)
    for (const algorithm of [undefined, ...KINDS[kind]]) {
      const value = await keys.sign(kind, data, algorithm)
      for (const one of KINDS[kind])
        expect(verifies(spki, value, data, one)).toBe(one === (algorithm ?? KINDS[kind][0]))
      expect(verifies(spki, value, Buffer.from("something else"), algorithm ?? KINDS[kind][0])).toBe(false)
    }
    await keys.health(kind)
  }, 60_000)

  it("refuses an algorithm of another kind, and goes on in the same process", async () => {
    const pid = keys.processId()
    const others = ["rsa-sha256", "rsa-pss-sha256", "ecdsa-sha256", "ecdsa-sha384", "ed25519"] as const
    for (const other of others.filter((name) => !KINDS[kind].includes(name)))
      await expect(keys.sign(kind, data, other)).rejects.toMatchObject({ code: "wrong-algorithm" })
    await keys.sign(kind, data)
    expect(keys.processId()).toBe(pid)
  })

  it("has the size that was asked for", async () => {
    const spki = await keys.publicKey(kind)
    const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey(der(spki ?? new Uint8Array()))
    if (kind === "Ed25519") return expect(asymmetricKeyType).toBe("ed25519")
    const size = Number(kind.split("-")[1])
    expect(asymmetricKeyDetails).toMatchObject(
      kind.startsWith("RSA")
        ? { modulusLength: size, publicExponent: 65537n }
        : { namedCurve: size === 256 ? "prime256v1" : "secp384r1" },
    )
  })
})

describe("keys in a token", () => {
  it("sign short texts with Ed25519, and neither long ones nor hashes", async () => {
    await expect(keys.sign("Ed25519", Buffer.alloc(4097))).rejects.toMatchObject({ code: "wrong-algorithm" })
    await expect(keys.signDigest("Ed25519", Buffer.alloc(32), "ed25519")).rejects.toMatchObject({
      code: "wrong-algorithm",
    })
    const spki = (await keys.publicKey("Ed25519")) ?? new Uint8Array()
    const longest = Buffer.alloc(4096, 7)
    expect(verifies(spki, await keys.sign("Ed25519", longest), longest)).toBe(true)
  })

  it.each(["P-256", "P-384"] as const)("writes each value of %s as the shortest DER", async (kind) => {
    const spki = (await keys.publicKey(kind)) ?? new Uint8Array()
    const lengths = new Set<number>()
    for (let n = 0; n < 300; n += 1) {
      const value = await keys.sign(kind, data)
      lengths.add(value.length)
      expect(verifies(spki, value)).toBe(true)
    }
    expect(lengths.size).toBeGreaterThan(1)
  })

  it("refuses a label that is taken, also by two at once", async () => {
    await expect(keys.generate("seal", "P-256")).rejects.toMatchObject({ code: "label-taken" })
    const twice = await Promise.allSettled([
      keys.generate("twin", "P-256"),
      keys.generate("twin", "RSA-3072"),
    ])
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  })

  it("has no answer for a key that is not there", async () => {
    expect(await keys.publicKey("nobody")).toBeNull()
    await expect(keys.sign("nobody", data)).rejects.toMatchObject({ code: "no-such-key" })
    await expect(keys.health("nobody")).rejects.toMatchObject({ code: "no-such-key" })
    await keys.health("seal")
  })

  it("looks with fresh eyes after a key that was not there, and what is under way comes to its end", async () => {
    await keys.sign("seal", data)
    const before = keys.processId()
    const [missing, ...others] = await Promise.allSettled(
      ["nobody", "seal", "seal", "seal", "seal", "seal"].map((label) => keys.sign(label, data)),
    )
    expect(missing?.status).toBe("rejected")
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"))
    await keys.sign("seal", data)
    expect([before, keys.processId()]).toEqual([expect.any(Number), expect.any(Number)])
    expect(keys.processId()).not.toBe(before)
  })

  it("destroys a key for good, also when asked again, and leaves the others alone", async () => {
    const other = startKeys(token.settings)
    await keys.generate("signer-1", "P-256")
    await keys.generate("signer-2", "P-256")
    // The other process has both at hand when they go.
    for (const label of ["signer-1", "signer-2", "seal"]) await other.sign(label, data)
    await keys.destroy("signer-1")
    await keys.destroy("signer-1")
    expect(await keys.publicKey("signer-1")).toBeNull()
    await expect(keys.sign("signer-1", data)).rejects.toMatchObject({ code: "no-such-key" })
    await expect(other.sign("signer-1", data)).rejects.toBeInstanceOf(Error)
    await other.destroy("signer-2")
    for (const label of ["signer-1", "signer-2"]) expect(await other.publicKey(label)).toBeNull()
    await other.health("seal")
    await other.close()
    expect(await keys.generate("signer-1", "P-256")).toEqual(await keys.publicKey("signer-1"))
  })

  it("makes 200 signatures at once, all valid", async () => {
    const spki = (await keys.publicKey("seal")) ?? new Uint8Array()
    const inputs = Array.from({ length: 200 }, (_, n) => Buffer.from(`input ${n}`))
    const values = await Promise.all(inputs.map((input) => keys.sign("seal", input)))
    expect(inputs.every((input, n) => verifies(spki, values[n] ?? input, input))).toBe(true)
  })
})

function verifies(
  spki: Uint8Array,
  value: Uint8Array,
  input: Uint8Array = data,
  algorithm?: SignatureAlgorithm,
): boolean {
  const key = createPublicKey(der(spki))
  const ofCurve = key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256"
  const hash = key.asymmetricKeyType === "ed25519" ? null : ofCurve
  if (algorithm !== "rsa-pss-sha256") return verify(hash, input, key, value)
  // A salt of exactly 32 octets: without the number OpenSSL would take any.
  return verify(hash, input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, value)
}

function der(spki: Uint8Array) {
  return { key: Buffer.from(spki), format: "der", type: "spki" } as const
}
