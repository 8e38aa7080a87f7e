import { createIdentityProviders, type IdentityProviderSettings } from "@paraph/gateways/identification"
import { IdentificationFailed } from "@paraph/gateways/identification-failed"
import { createOutbound } from "@paraph/gateways/outbound"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import type { IdentityMisbehaviour } from "./misbehaviour.ts"
import { type IdentityPerson, visitIdentityProvider } from "./person.ts"
import { type IdentitySandbox, SANDBOX_ACR, SANDBOX_FRAMEWORK, startIdentityProvider } from "./provider.ts"

const REDIRECT = "https://sign.example/identify/callback/demo/demo_ident"
const ADA: IdentityPerson = { givenName: "Ada", familyName: "Lovelace" }
const gateway = createIdentityProviders(createOutbound({ allowedHosts: { identification: ["127.0.0.1"] } }))
let sandbox: IdentitySandbox
let settings: IdentityProviderSettings

beforeAll(async () => {
  const client = { clientId: "paraph", clientSecret: "a secret of the client, and of ours" }
  sandbox = await startIdentityProvider({
    now: () => new Date(),
    clients: [{ ...client, redirectUris: [REDIRECT] }],
  })
  settings = {
    ...client,
    name: "demo_ident",
    title: "Demo Ident",
    kind: "demo",
    issuer: sandbox.issuer,
    userInfoAlgorithm: "RS256",
    scopes: ["openid"],
    acrValues: [SANDBOX_ACR],
    trustFrameworks: [SANDBOX_FRAMEWORK],
    assuranceLevels: [],
    evidenceTypes: ["document"],
    verifiedWithinDays: null,
  }
})
afterAll(() => sandbox?.close())
afterEach(() => sandbox.misbehave({}))

const way = () => ({
  redirectUri: REDIRECT,
  state: crypto.randomUUID(),
  nonce: crypto.randomUUID(),
  verifier: "v".repeat(43),
})

/** There and back; answers what the person brings. */
async function visit(person: IdentityPerson = ADA, by = settings) {
  const going = way()
  const back = await visitIdentityProvider(await gateway.begin(by, { ...going, language: "de" }), person)
  return { going, back, finish: (query = back.search) => gateway.finish(by, going, query) }
}
const code = (error: unknown) => (error instanceof IdentificationFailed ? error.code : error)

it("asks for verified claims, and gets what the provider signed of the person, and its keys", async () => {
  const url = new URL(await gateway.begin(settings, { ...way(), language: "de" }))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    scope: "openid",
    code_challenge_method: "S256",
    ui_locales: "de",
    prompt: "login",
    acr_values: SANDBOX_ACR,
  })
  expect(JSON.parse(url.searchParams.get("claims") ?? "")).toMatchObject({
    userinfo: {
      verified_claims: {
        verification: { trust_framework: { values: [SANDBOX_FRAMEWORK] }, evidence: [{ attachments: null }] },
        claims: { given_name: { essential: true }, birthdate: { essential: true } },
      },
    },
  })
  const { finish } = await visit()
  const told = await gateway.ask(settings, await finish())
  expect(told.claims.verified_claims).toMatchObject({
    verification: { trust_framework: SANDBOX_FRAMEWORK },
    claims: { given_name: "Ada", family_name: "Lovelace" },
  })
  expect(told.userInfo.split(".")).toHaveLength(3)
  expect(JSON.parse(told.keys).keys[0].d).toBeUndefined()
  // As often as it takes: it costs nothing more.
  const before = sandbox.identifications()
  expect((await gateway.ask(settings, told.tokens)).claims.sub).toBe(told.claims.sub)
  expect(sandbox.identifications()).toBe(before)
})

it("tells nothing while it reviews, and the rest once that is over; by a new token, where the first has ended", async () => {
  const by = { ...settings, scopes: ["openid", "offline_access"] }
  const tokens = await (await visit({ ...ADA, answer: "pending" }, by)).finish()
  const waiting = await gateway.ask(by, { ...tokens, accessToken: "x".repeat(43) })
  expect(waiting.claims.verified_claims).toBeUndefined()
  expect(waiting.tokens.accessToken).not.toBe(tokens.accessToken)
  sandbox.decide("accept")
  expect((await gateway.ask(by, waiting.tokens)).claims.verified_claims).toBeDefined()
  const without = await (await visit()).finish()
  expect(without.refreshToken).toBeNull()
  expect(await gateway.ask(by, { ...without, accessToken: "x".repeat(43) }).catch(code)).toBe(
    "invalid-answer",
  )
})

it.each<[string, IdentityMisbehaviour]>([
  ["another nonce", { idToken: "nonce" }],
  ["no nonce", { idToken: "no-nonce" }],
  ["another audience", { idToken: "audience" }],
  ["an audience of several", { idToken: "several-audiences" }],
  ["another issuer", { idToken: "issuer" }],
  ["a key that is not its own", { idToken: "key" }],
  ["no signature", { idToken: "alg-none" }],
  ["a time of long ago", { idToken: "past" }],
  ["somebody who was not identified but says so", { idToken: "acr" }],
])("[XQ-01 v2, XQ-01 v3] does not believe an ID token with %s", async (_, how) => {
  sandbox.misbehave(how)
  const { finish } = await visit()
  expect(await finish().catch(code)).toBe("invalid-answer")
})

it.each<[string, IdentityMisbehaviour]>([
  ["another audience", { userInfo: "audience" }],
  ["no audience", { userInfo: "no-audience" }],
  ["another issuer", { userInfo: "issuer" }],
  ["no issuer", { userInfo: "no-issuer" }],
  ["a key that is not its own", { userInfo: "key" }],
  ["an algorithm that is none", { userInfo: "alg-none" }],
  ["a time of long ago", { userInfo: "past" }],
  ["another person", { userInfo: "subject" }],
  ["no signature at all", { userInfo: "not-signed" }],
])("[XQ-01 v2, XQ-01 v3] does not believe what is told with %s", async (_, how) => {
  const tokens = await (await visit()).finish()
  sandbox.misbehave(how)
  expect(await gateway.ask(settings, tokens).catch(code)).toBe("invalid-answer")
})

it("knows a no from an answer that does not count, and both from no answer", async () => {
  const refused = await visit({ ...ADA, answer: "refuse" })
  expect(refused.back.searchParams.get("error")).toBe("access_denied")
  expect(await refused.finish().catch(code)).toBe("refused")
  const { going, finish } = await visit()
  expect(await finish(`?code=forged&state=${going.state}`).catch(code)).toBe("invalid-answer")
  expect(await finish(`?code=x&state=other`).catch(code)).toBe("invalid-answer")
  const tokens = await (await visit()).finish()
  sandbox.misbehave({ answers: "down" })
  expect(await gateway.ask(settings, tokens).catch(code)).toBe("unreachable")
  const nobody = { ...settings, issuer: "http://127.0.0.1:1" }
  expect(await gateway.begin(nobody, { ...way(), language: "en" }).catch(code)).toBe("unreachable")
  expect(await gateway.ask(settings, { ...tokens, accessToken: "x" }).catch(code)).toBe("unreachable")
})

it("takes files as the evidence has them, and those that are elsewhere by their digest alone", async () => {
  const png = Buffer.from("a picture").toString("base64")
  expect(Buffer.from(await gateway.fetchEvidence({ type: "embedded", base64: png }, 100)).toString()).toBe(
    "a picture",
  )
  const keys = `${sandbox.issuer}/jwks`
  const external = (alg: string, value: string, url = keys) =>
    gateway
      .fetchEvidence({ type: "external", url, accessToken: null, digest: { alg, value } }, 10_000)
      .catch(code)
  const bytes = Buffer.from(await (await fetch(keys)).arrayBuffer())
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("base64")
  expect(await external("sha-256", digest)).toBeInstanceOf(Uint8Array)
  expect(await external("sha-256", Buffer.alloc(32).toString("base64"))).toBe("invalid-answer")
  expect(await external("md5", digest)).toBe("invalid-answer")
  expect(await external("sha-256", digest, "https://169.254.169.254/latest")).toBe("invalid-answer")
  for (const wrong of ["%%%", "", "AAAA".repeat(100)])
    expect(await gateway.fetchEvidence({ type: "embedded", base64: wrong }, 100).catch(code)).toBe(
      "invalid-answer",
    )
})
