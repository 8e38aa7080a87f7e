import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { createOutbound } from "../outbound/outbound.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { OpenIdFailed } from "./failed.ts"
import { createOpenId, isOfBusiness, type OpenId } from "./provider.ts"

type Json = Record<string, unknown>

const ours = generateKeyPairSync("rsa", { modulusLength: 2048 })
const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 })
const SECRET = "the secret of the client"

let peer: Awaited<ReturnType<typeof startHttpsPeer>>
let openId: OpenId
let issuer: string
/** What the provider says, each of which a test may have it say otherwise. */
let metadata: Json
let idToken: string
let userInfo: Json
let received: { path: string; authorization: string; body: string }[]

beforeAll(async () => {
  peer = await startHttpsPeer(async (request, response) => {
    const body = String(Buffer.concat(await request.toArray()))
    const path = request.url ?? ""
    received.push({ path, authorization: request.headers.authorization ?? "", body })
    const said: Record<string, Json> = {
      "/.well-known/openid-configuration": metadata,
      "/keys": {
        keys: [{ ...ours.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }],
      },
      "/token": { access_token: "at", token_type: "Bearer", id_token: idToken },
      "/userinfo": userInfo,
    }
    response
      .writeHead(said[path] === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(said[path] ?? {}))
  })
  issuer = `https://localhost:${peer.port}`
  openId = createOpenId(
    createOutbound({ caFile: peer.caFile, allowedHosts: { identity: [`localhost:${peer.port}`] } }),
  )
})
afterAll(() => peer?.close())

beforeEach(() => {
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ["RS256"],
  }
  idToken = token({})
  userInfo = { sub: "u1" }
  received = []
})

const now = () => Math.floor(Date.now() / 1000)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const claims = (more: Json): Json => ({
  iss: issuer,
  sub: "u1",
  aud: "paraph",
  nonce: "n",
  iat: now(),
  exp: now() + 300,
  email: "ada@acme.example",
  email_verified: true,
  name: "Ada",
  ...more,
})
type SignedBy = {
  readonly alg?: string
  readonly key?: KeyObject
  /** The key of an HMAC. */
  readonly secret?: string
  /** More members of the header. */
  readonly header?: object
}
function token(more: Json, { alg = "RS256", key, secret = SECRET, header }: SignedBy = {}): string {
  const text = `${part({ alg, kid: "one", typ: "JWT", ...header })}.${part(claims(more))}`
  const value = () => {
    if (alg === "none") return Buffer.alloc(0)
    if (alg === "HS256") return createHmac("sha256", secret).update(text).digest()
    return sign("sha256", Buffer.from(text), key ?? ours.privateKey)
  }
  return `${text}.${value().toString("base64url")}`
}

const us = () => ({ issuer, clientId: "paraph", clientSecret: SECRET })
const way = () => ({
  redirectUri: "https://sign.example/account/sso/callback/b",
  state: "s",
  nonce: "n",
  verifier: "v".repeat(43),
})
const finish = (query = "?code=c&state=s") => openId.finish(us(), way(), query)

it("asks by code, with a challenge, and takes what the ID token says", async () => {
  const url = new URL(await openId.begin(us(), { ...way(), emailHint: "ada@acme.example" }))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: "paraph",
    scope: "openid email profile",
    redirect_uri: "https://sign.example/account/sso/callback/b",
    state: "s",
    nonce: "n",
    code_challenge_method: "S256",
    login_hint: "ada@acme.example",
  })
  expect(url.href).not.toContain("v".repeat(43))
  expect(await finish()).toEqual({
    subject: "u1",
    email: "ada@acme.example",
    isEmailVerified: true,
    name: "Ada",
    hasSecondFactor: false,
  })
  const sent = received.find(({ path }) => path === "/token")
  expect(new URLSearchParams(sent?.body).get("code_verifier")).toBe("v".repeat(43))
  // RFC 6749, 2.3.1: each part is encoded before they are joined.
  const given = `paraph:${new URLSearchParams({ s: SECRET }).toString().slice(2)}`
  expect(sent?.authorization).toBe(`Basic ${Buffer.from(given).toString("base64")}`)
})

it("asks the provider for the address where the token does not have it, and of nobody else", async () => {
  idToken = token({ email: undefined, email_verified: undefined })
  userInfo = { sub: "u1", email: "ada@acme.example", email_verified: true }
  expect(await finish()).toMatchObject({ email: "ada@acme.example", isEmailVerified: true })
  userInfo = { ...userInfo, sub: "u2" }
  await expect(finish()).rejects.toThrow(OpenIdFailed)
})

it.each<[string, boolean, Json]>([
  ["says so", true, { email_verified: true }],
  ["says so in its own way", true, { email_verified: undefined, xms_edov: true }],
  ["says so in its own way, as a figure", true, { email_verified: undefined, xms_edov: "1" }],
  ["says no, whatever else it says", false, { email_verified: false, xms_edov: true }],
  ["says something else", false, { email_verified: "true" }],
  ["says no in its own way", false, { email_verified: undefined, xms_edov: false }],
  ["says nothing", false, { email_verified: undefined }],
])("a provider that %s vouches for the address: %s", async (_, isEmailVerified, more) => {
  idToken = token(more)
  userInfo = { sub: "u1", email: "ada@acme.example" }
  expect(await finish()).toMatchObject({ email: "ada@acme.example", isEmailVerified })
})

it("takes of Google's accounts those that a business gave", () => {
  const iss = "https://accounts.google.com"
  expect([{ iss }, { iss, hd: "" }, { iss, hd: "acme.example" }, { iss: issuer }].map(isOfBusiness)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it.each<[string, Json, Parameters<typeof token>[1]]>([
  ["no signature", {}, { alg: "none" }],
  ["a signature by the client's own secret", {}, { alg: "HS256" }],
  ["a signature of another key", {}, { key: foreign.privateKey }],
  ["a token for another audience", { aud: "somebody-else" }, {}],
  ["one for several, and given to another", { aud: ["paraph", "other"], azp: "other" }, {}],
  ["a token of another issuer", { iss: "https://login.evil.example" }, {}],
  ["the answer to another question", { nonce: "other" }, {}],
  ["no answer to ours", { nonce: undefined }, {}],
  ["a token of long ago", { iat: now() - 7200, exp: now() - 3600 }, {}],
  ["a token without a name", { sub: undefined }, {}],
])("refuses %s", async (_, more, by) => {
  idToken = token(more, by)
  await expect(finish()).rejects.toThrow(OpenIdFailed)
})

const pem = () => String(ours.publicKey.export({ format: "pem", type: "spki" }))
const keyOfToken = () => ({ jwk: foreign.publicKey.export({ format: "jwk" }) })

it.each<[string, Json, () => SignedBy]>([
  ["an HMAC by the provider's public key", {}, () => ({ alg: "HS256", secret: pem() })],
  ["the key in its own header", {}, () => ({ key: foreign.privateKey, header: keyOfToken() })],
  [
    "a key at an address in its own header",
    {},
    () => ({ key: foreign.privateKey, header: { jku: "https://login.evil.example/keys", kid: "two" } }),
  ],
  ["a header that makes an extension critical", {}, () => ({ header: { crit: ["b64"], b64: false } })],
  ["a time that is yet to come", { nbf: now() + 3600, iat: now() + 3600, exp: now() + 7200 }, () => ({})],
  ["no time at all", { iat: undefined }, () => ({})],
  ["no end", { exp: undefined }, () => ({})],
  ["the nonce of an earlier login", { nonce: ["n"] }, () => ({})],
  ["no audience", { aud: [] }, () => ({})],
])("refuses an ID token with %s", async (_, more, by) => {
  idToken = token(more, by())
  await expect(finish()).rejects.toThrow(OpenIdFailed)
})

it("refuses an answer without the issuer where the provider names itself in each (RFC 9207)", async () => {
  metadata.authorization_response_iss_parameter_supported = true
  await expect(finish()).rejects.toThrow(OpenIdFailed)
  const iss = encodeURIComponent(issuer)
  await expect(finish(`?code=c&state=s&iss=${iss}&iss=${iss}`)).rejects.toThrow(OpenIdFailed)
  expect(received.filter(({ path }) => path === "/token")).toEqual([])
  expect(await finish(`?code=c&state=s&iss=${iss}`)).toMatchObject({ subject: "u1" })
})

it.each([[["plain"]], [[]], [undefined]])(
  "sends the challenge by S256 and the verifier, though the provider takes %j",
  async (methods) => {
    metadata.code_challenge_methods_supported = methods
    const { searchParams } = new URL(await openId.begin(us(), { ...way(), emailHint: "" }))
    expect(searchParams.get("code_challenge_method")).toBe("S256")
    expect(searchParams.get("code_challenge")).not.toBe(way().verifier)
    await finish()
    const sent = received.find(({ path }) => path === "/token")
    expect(new URLSearchParams(sent?.body).get("code_verifier")).toBe(way().verifier)
  },
)

it("takes no address from unsigned claims in place of those of the ID token", async () => {
  userInfo = { sub: "u1", email: "ceo@acme.example", email_verified: true }
  expect(await finish()).toMatchObject({ email: "ada@acme.example" })
  // Where the token has none, what is told there is of the same person, and is vouched for there.
  idToken = token({ email: undefined, email_verified: undefined })
  userInfo = { sub: "u2", email: "ceo@acme.example", email_verified: true }
  await expect(finish()).rejects.toThrow(OpenIdFailed)
  userInfo = { email: "ceo@acme.example", email_verified: true }
  await expect(finish()).rejects.toThrow(OpenIdFailed)
})

it("takes no weak algorithm, though the provider says that it signs by it", async () => {
  metadata.id_token_signing_alg_values_supported = ["none", "HS256", "RS256"]
  for (const alg of ["none", "HS256"]) {
    idToken = token({}, { alg })
    await expect(finish()).rejects.toThrow(OpenIdFailed)
  }
  metadata.id_token_signing_alg_values_supported = ["none", "HS256"]
  await expect(openId.find(issuer)).rejects.toThrow("no algorithm that we take")
})

it.each([
  ["another state", "?code=c&state=other"],
  ["two states", "?code=c&state=s&state=s"],
  ["no code", "?state=s"],
  ["the name of another provider", "?code=c&state=s&iss=https%3A%2F%2Fevil.example"],
  ["a refusal", "?error=access_denied&state=s"],
])("refuses an answer with %s before any code is used", async (_, query) => {
  await expect(finish(query)).rejects.toThrow(OpenIdFailed)
  expect(received.map(({ path }) => path)).toEqual(["/.well-known/openid-configuration"])
})

it.each<[string, Json]>([
  ["calls itself by another name", { issuer: "https://login.evil.example" }],
  ["has no keys", { jwks_uri: undefined }],
  ["has no page to log in at", { authorization_endpoint: undefined }],
])("knows no provider that %s", async (_, more) => {
  metadata = { ...metadata, ...more }
  await expect(openId.find(issuer)).rejects.toThrow(OpenIdFailed)
})

it("sends nobody to a page that is none, and asks nothing inside the network", async () => {
  for (const page of ["javascript:alert(1)", `http://localhost:${peer.port}/authorize`]) {
    metadata.authorization_endpoint = page
    await expect(openId.begin(us(), { ...way(), emailHint: "" })).rejects.toThrow(OpenIdFailed)
  }
  metadata.token_endpoint = "https://127.0.0.1/token"
  await expect(finish()).rejects.toThrow("not one of the public internet")
  await expect(openId.find("https://169.254.169.254/")).rejects.toThrow("not one of the public internet")
})
