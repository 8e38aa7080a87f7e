// What an OpenID provider answers: its description, and the tokens by which it says who somebody is. Whoever stands behind the answer,
// nobody becomes somebody else than the signed token says.

import { createPrivateKey, createPublicKey, sign } from "node:crypto"
import { createOpenId } from "@paraph/gateways/openid"
import { OpenIdFailed } from "@paraph/gateways/openid-failed"
import type { Outbound } from "../../../packages/gateways/src/outbound/outbound.ts"
import { must, type Target } from "../target.ts"
import { inText, json, Nothing, texts } from "../texts.ts"

const ISSUER = "https://id.example"
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 6)]),
  format: "der",
  type: "pkcs8",
})
const JWKS = json({
  keys: [{ ...createPublicKey(KEY).export({ format: "jwk" }), kid: "1", alg: "EdDSA", use: "sig" }],
})
const DESCRIPTION = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["EdDSA"],
  token_endpoint_auth_methods_supported: ["client_secret_post"],
}
const US = { issuer: ISSUER, clientId: "us", clientSecret: "s" }
const WAY = { redirectUri: "https://sign.example/back", state: "st", nonce: "no", verifier: "v".repeat(43) }

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
function jwt(claims: object): string {
  const signed = `${part({ alg: "EdDSA", kid: "1" })}.${part(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), KEY).toString("base64url")}`
}

// Far from today on both sides: no clock decides.
const CLAIMS = {
  iss: ISSUER,
  aud: "us",
  sub: "ada",
  nonce: "no",
  iat: 1_700_000_000,
  exp: 4_102_444_800,
  email: "ada@example.org",
  email_verified: true,
  name: "Ada",
}
const TOKENS = { access_token: "at", token_type: "Bearer", expires_in: 60, id_token: jwt(CLAIMS) }

/** Each address has its answer; what is fuzzed is one of them. */
function serving(answers: Readonly<Record<string, Uint8Array>>): Outbound {
  return {
    request: async (_, url) => {
      const body = answers[new URL(url).pathname]
      const headers = { "content-type": "application/json" }
      return body === undefined
        ? { status: 404, headers, body: new Uint8Array() }
        : { status: 200, headers, body }
    },
    open: async () => {
      throw new RangeError("Nobody asks for a stream here.")
    },
  }
}

const WELL_KNOWN = "/.well-known/openid-configuration"

export const openIdDescriptions: Target = {
  name: "openid-description",
  kind: "json",
  words: [
    ...Object.keys(DESCRIPTION),
    "none",
    "HS256",
    "RS256",
    "http://id.example/x",
    "https://other.example/",
    "javascript:alert(1)",
    ISSUER,
  ],
  seeds: () => [
    json(DESCRIPTION),
    json({ ...DESCRIPTION, issuer: "https://other.example" }),
    json({ issuer: ISSUER }),
    json({ ...DESCRIPTION, authorization_endpoint: "http://id.example/authorize" }),
    json({ ...DESCRIPTION, id_token_signing_alg_values_supported: ["none"] }),
  ],
  refusals: [OpenIdFailed],
  run: async (input) => {
    const openId = createOpenId(serving({ [WELL_KNOWN]: input }))
    const found = await openId.find(ISSUER)
    must(URL.parse(found)?.origin === ISSUER, "a provider calls itself by its own name")
    const address = new URL(await openId.begin(US, { ...WAY, emailHint: "ada@example.org" }))
    must(address.protocol === "https:", "people go there by https")
    const asked = Object.fromEntries(address.searchParams)
    must(
      asked.state === "st" && asked.nonce === "no" && asked.redirect_uri === WAY.redirectUri,
      "with what we have asked",
    )
    must(
      asked.code_challenge_method === "S256" && !address.href.includes(WAY.verifier),
      "and without what is ours alone",
    )
    return `${address.host === "id.example"}`
  },
}

export const openIdTokens: Target = {
  name: "openid-token",
  kind: "json",
  words: [
    ...Object.keys(TOKENS),
    "DPoP",
    part({ alg: "none" }),
    part({ ...CLAIMS, sub: "eve" }),
    ".",
    jwt({ ...CLAIMS, nonce: "other" }),
    jwt({ ...CLAIMS, aud: "them" }),
  ],
  seeds: () => [
    json(TOKENS),
    json({ ...TOKENS, id_token: jwt({ ...CLAIMS, email: undefined }) }),
    json({ ...TOKENS, id_token: `${part({ alg: "none" })}.${part(CLAIMS)}.` }),
    json({ ...TOKENS, id_token: undefined }),
    json({ error: "invalid_grant" }),
    ...texts("<html>"),
  ],
  refusals: [OpenIdFailed, Nothing],
  run: async (input) => {
    const told = json({ sub: "ada", email: "ada@example.org", email_verified: true, name: "Ada" })
    const answers = { [WELL_KNOWN]: json(DESCRIPTION), "/jwks": JWKS, "/token": input, "/userinfo": told }
    const identity = await createOpenId(serving(answers)).finish(
      US,
      WAY,
      `code=c&state=st&iss=${encodeURIComponent(ISSUER)}`,
    )
    must(identity.subject === "ada", "nobody is somebody else than was signed")
    must(
      identity.email === null || identity.email === "ada@example.org",
      "with an address that was signed, or told of the same person",
    )
    must(identity.name === null || identity.name === "Ada", "and a name that was")
    must(inText(input).includes("."), "by a token")
    return `${identity.isEmailVerified} ${identity.email === null}`
  },
}
