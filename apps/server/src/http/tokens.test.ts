import { createPublicKey, generateKeyPairSync } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { type JWTPayload, SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { createTokens } from "./tokens.ts"

const START = Date.parse("2026-11-02T09:00:00.000Z")
const URL = "https://sign.example"
const LIFETIME_SECONDS = 1200
const { privateKey } = generateKeyPairSync("ed25519")
const ann: Caller = { businessId: "b1", userId: "u1", username: "ann", keyId: "k1", kind: "demo" }
/** A member who logged in as a person: a login stands where a key would. */
const bob: Caller = { ...ann, userId: "u2", username: "bob@example.org", keyId: "s1", via: "session" }

describe("a token", () => {
  it("is good until its time has passed, and not a second longer", async () => {
    const { tokens, at } = newTokens()
    const token = await tokens.issue(ann, LIFETIME_SECONDS)
    expect(await tokens.verify(`Bearer ${token}`)).toEqual(ann)
    at(LIFETIME_SECONDS - 1)
    expect(await tokens.verify(`Bearer ${token}`)).toEqual(ann)
    at(LIFETIME_SECONDS)
    await expect(tokens.verify(`Bearer ${token}`)).rejects.toMatchObject({ code: "token-expired" })
  })

  it("[R03] that is known is no help to one that differs from it by a bit", async () => {
    const { tokens } = newTokens()
    const token = await tokens.issue(ann, LIFETIME_SECONDS)
    expect(await tokens.verify(`Bearer ${token}`)).toEqual(ann)
    const at = token.lastIndexOf(".") + 5
    const other = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`
    for (let n = 0; n < 2; n += 1)
      await expect(tokens.verify(`Bearer ${other}`)).rejects.toMatchObject({ code: "token-invalid" })
    expect(await tokens.verify(`Bearer ${token}`)).toEqual(ann)
  })

  it("says who issued it, for whom and until when, and nothing about the person", async () => {
    const { tokens } = newTokens()
    const [header, payload] = (await tokens.issue(ann, LIFETIME_SECONDS)).split(".").map(decode)
    expect(header).toEqual({ alg: "EdDSA", typ: "at+jwt", kid: expect.stringMatching(/^[\w-]{43}$/) })
    expect(payload).toEqual({
      iss: URL,
      aud: URL,
      sub: "u1",
      key: "k1",
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: START / 1000,
      exp: START / 1000 + LIFETIME_SECONDS,
    })
  })

  it("is another one at each login", async () => {
    const { tokens } = newTokens()
    expect(await tokens.issue(ann, LIFETIME_SECONDS)).not.toBe(await tokens.issue(ann, LIFETIME_SECONDS))
  })

  it("[R03] stops working within 5 seconds when its key is revoked", async () => {
    const { tokens, at, revoke } = newTokens()
    const authorization = `Bearer ${await tokens.issue(ann, LIFETIME_SECONDS)}`
    await tokens.verify(authorization)
    revoke()
    at(5)
    await expect(tokens.verify(authorization)).rejects.toMatchObject({ code: "token-invalid" })
  })

  it("stops working within 5 seconds when the login that it came from ends", async () => {
    const { tokens, at, revoke } = newTokens()
    const authorization = `Bearer ${await tokens.issue(bob, LIFETIME_SECONDS)}`
    expect(await tokens.verify(authorization)).toEqual(bob)
    const production = { ...bob, kind: "production" } as const
    expect(await tokens.verify(`Bearer ${await tokens.issue(production, LIFETIME_SECONDS)}`)).toEqual(
      production,
    )
    revoke()
    at(5)
    await expect(tokens.verify(authorization)).rejects.toMatchObject({ code: "token-invalid" })
  })

  it("asks for its key once in a second", async () => {
    const { tokens, at, questions } = newTokens()
    const authorization = `Bearer ${await tokens.issue(ann, LIFETIME_SECONDS)}`
    for (const second of [0, 0.5, 0.999]) {
      at(second)
      await tokens.verify(authorization)
    }
    expect(questions()).toBe(1)
    at(5)
    await tokens.verify(authorization)
    expect(questions()).toBe(2)
  })
})

describe("what is not a token of ours is refused:", () => {
  it.each([
    ["nothing", () => undefined],
    ["an empty header", () => ""],
    ["the token without Bearer", (token: string) => token],
    ["Basic", (token: string) => `Basic ${token}`],
    ["two tokens", (token: string) => `Bearer ${token} ${token}`],
    ["a token with a space behind", (token: string) => `Bearer ${token} `],
    ["a token without its signature", (token: string) => `Bearer ${token.split(".").slice(0, 2).join(".")}.`],
    [
      "a changed signature",
      (token: string) => `Bearer ${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`,
    ],
    ["a changed payload", (token: string) => `Bearer ${withPayload(token, { exp: 9_999_999_999 })}`],
    [
      "alg none",
      (token: string) => `Bearer ${encode({ alg: "none", typ: "at+jwt" })}.${token.split(".")[1]}.AA`,
    ],
  ])("%s", async (_, authorization) => {
    const { tokens } = newTokens()
    const token = await tokens.issue(ann, LIFETIME_SECONDS)
    await expect(tokens.verify(authorization(token))).rejects.toMatchObject({ code: "token-invalid" })
  })

  it.each([
    ["another issuer", { iss: "https://evil.example" }, {}],
    ["another audience", { aud: "https://evil.example" }, {}],
    ["another type", {}, { typ: "JWT" }],
    ["no type", {}, { typ: undefined }],
    ["a time that has not come", { nbf: START / 1000 + 60 }, {}],
    ["no key", { key: undefined }, {}],
    ["a key that is a number", { key: 1 }, {}],
    ["an unknown key", { key: "k9" }, {}],
  ])("%s, though signed with our own key", async (_, claims, header) => {
    const token = await forged(claims, header).sign(privateKey)
    await expect(newTokens().tokens.verify(`Bearer ${token}`)).rejects.toMatchObject({
      code: "token-invalid",
    })
  })

  it("a signature by another key of the same kind", async () => {
    const token = await forged({}, {}).sign(generateKeyPairSync("ed25519").privateKey)
    await expect(newTokens().tokens.verify(`Bearer ${token}`)).rejects.toMatchObject({
      code: "token-invalid",
    })
  })

  it("an HMAC made with our public key", async () => {
    const pem = createPublicKey(privateKey).export({ type: "spki", format: "pem" })
    const token = await forged({}, { alg: "HS256" }).sign(Buffer.from(pem))
    await expect(newTokens().tokens.verify(`Bearer ${token}`)).rejects.toMatchObject({
      code: "token-invalid",
    })
  })

  it("none of these forgeries fails for another reason: the same one with nothing changed is taken", async () => {
    const token = await forged({}, {}).sign(privateKey)
    expect(await newTokens().tokens.verify(`bearer ${token}`)).toEqual(ann)
  })
})

function newTokens() {
  let now = START
  let known: Caller | null = ann
  let questions = 0
  const tokens = createTokens({
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicUrl: URL,
    findCaller: async (keyId) => {
      questions += 1
      return keyId === ann.keyId ? known : null
    },
    findMember: async ({ sessionId, businessId, kind }) => {
      questions += 1
      const isBob = sessionId === bob.keyId && businessId === bob.businessId
      return isBob && known !== null ? { ...bob, kind } : null
    },
    now: () => new Date(now),
  })
  return {
    tokens,
    questions: () => questions,
    revoke: () => {
      known = null
    },
    at: (seconds: number) => {
      now = START + seconds * 1000
    },
  }
}

function forged(claims: JWTPayload, header: { alg?: string; typ?: string | undefined }): SignJWT {
  const seconds = START / 1000
  const payload = { iss: URL, aud: URL, sub: "u1", key: "k1", iat: seconds, exp: seconds + 60, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header } as {
    alg: string
  })
}

const decode = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString())
  } catch {
    return null
  }
}
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url")

function withPayload(token: string, change: object): string {
  const [header, payload = "", signature] = token.split(".")
  return [header, encode({ ...(decode(payload) as object), ...change }), signature].join(".")
}
