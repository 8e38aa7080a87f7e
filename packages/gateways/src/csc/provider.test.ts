import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createOutbound } from "../outbound/outbound.ts"
import { CscFailed, type CscFailure } from "./failed.ts"
import { type CscProvider, type CscSigning, createCscProvider } from "./provider.ts"

// A provider that says whatever a test has it say. The whole way, with a real one, is in trust-sandbox/src/csc.

type Said = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }

let said: Record<string, Said>
let received: { readonly path: string; readonly authorization: string; readonly body: string }[]
let home: string
let provider: CscProvider
const server = createServer(async (request, response) => {
  const body = String(Buffer.concat(await request.toArray()))
  const path = request.url ?? ""
  received.push({ path, authorization: request.headers.authorization ?? "", body })
  const { status = 200, headers, body: answer } = said[path] ?? { status: 404, body: {} }
  const text = Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer))
  response
    .writeHead(status, { "content-type": "application/json", "content-length": text.length, ...headers })
    .end(text)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = createCscProvider(
    {
      ...{ name: "odd", baseUrl: `${home}/csc/v2/`, clientId: "paraph", clientSecret: "secret" },
      ...{ legislation: "EIDAS", kind: "demo", anchors: [] },
    },
    {
      outbound: createOutbound({ allowedHosts: { qes: [new URL(home).host] } }),
      now: () => new Date("2026-11-15T12:00:00Z"),
    },
  )
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
const INFO = { specs: "2.0.0.2", name: "Odd", authType: ["oauth2code"], methods: ["info"] }
beforeEach(() => {
  received = []
  said = { "/csc/v2/info": { body: { ...INFO, oauth2: home } } }
})

const way = { redirectUri: "https://sign.example/back", state: "s", codeVerifier: "v".repeat(43) }
const page = () => provider.authorizationUrl({ scope: "service", ...way })
const finish = (query = "?code=c&state=s") => provider.exchange(way, query)
const signing: CscSigning = {
  ...{ accessToken: "at", credentialId: "c", certificate: new Uint8Array() },
  algorithm: { name: "ecdsa-sha256", signAlgo: "1.2.840.10045.4.3.2" },
  toBeSigned: [Buffer.from("one")],
}
const failing = async (work: Promise<unknown>): Promise<CscFailure | "none"> =>
  work.then(
    () => "none",
    (error: unknown) => {
      if (error instanceof CscFailed) return error.code
      throw error
    },
  )

describe("where people are sent to", () => {
  it.each([
    ["nowhere", undefined],
    ["no address", "login"],
    ["a script", "javascript:alert(1)"],
    ["a page without TLS elsewhere", "http://login.example.org"],
    ["a page without TLS at another port", "http://127.0.0.1:1"],
  ])("is never %s", async (_, oauth2) => {
    for (const info of [{ oauth2 }, { oauth2Issuer: oauth2 }]) {
      said["/csc/v2/info"] = { body: { ...INFO, ...info } }
      expect(await failing(page())).toBe("invalid-answer")
    }
  })

  it("is what the operator's own place says of itself, or a page over TLS", async () => {
    expect(await page()).toContain(`${home}/oauth2/authorize?`)
    said["/csc/v2/info"] = {
      body: { ...INFO, oauth2: "https://login.example.org/tenant/", oauth2Issuer: null },
    }
    const url = new URL(await page())
    expect(url.origin + url.pathname).toBe("https://login.example.org/tenant/oauth2/authorize")
  })

  it("is nothing of a server that calls itself by another name", async () => {
    said["/csc/v2/info"] = { body: { ...INFO, oauth2Issuer: home } }
    const found = { authorization_endpoint: `${home}/a`, token_endpoint: `${home}/t` }
    said["/.well-known/oauth-authorization-server"] = { body: { issuer: "https://evil.example", ...found } }
    expect(await failing(page())).toBe("invalid-answer")
    said["/.well-known/oauth-authorization-server"] = { body: { issuer: home, ...found } }
    expect(await page()).toContain(`${home}/a?`)
    said["/.well-known/oauth-authorization-server"] = { body: { issuer: home } }
    expect(await failing(page())).toBe("invalid-answer")
  })

  it("is found in the document of OpenID Connect where there is no other, with the way of showing the secret", async () => {
    said["/csc/v2/info"] = { body: { ...INFO, oauth2Issuer: home } }
    const found = { authorization_endpoint: `${home}/a`, token_endpoint: `${home}/t` }
    const methods = { token_endpoint_auth_methods_supported: ["client_secret_post"] }
    said["/.well-known/openid-configuration"] = { body: { issuer: home, ...found, ...methods } }
    said["/t"] = { body: { access_token: "at", token_type: "Bearer" } }
    expect(await page()).toContain(`${home}/a?`)
    expect(await failing(finish("?code=c&state=s&iss=https%3A%2F%2Fevil.example"))).toBe("invalid-answer")
    expect(await finish()).toMatchObject({ expiresAt: new Date("2026-11-15T13:00:00Z") })
    const sent = received.filter(({ path }) => path === "/t")
    expect(sent.map(({ authorization }) => authorization)).toEqual([""])
    expect(new URLSearchParams(sent[0]?.body).get("client_secret")).toBe("secret")
  })

  it("has a challenge by S256, though the provider takes none", async () => {
    said["/csc/v2/info"] = { body: { ...INFO, oauth2Issuer: home } }
    const found = { authorization_endpoint: `${home}/a`, token_endpoint: `${home}/t` }
    for (const code_challenge_methods_supported of [["plain"], [], undefined]) {
      said["/.well-known/oauth-authorization-server"] = {
        body: { issuer: home, ...found, code_challenge_methods_supported },
      }
      const { searchParams } = new URL(await page())
      expect(searchParams.get("code_challenge_method")).toBe("S256")
      expect(searchParams.get("code_challenge")).not.toBe(way.codeVerifier)
    }
  })

  it("names the provider in each answer where it says that it does (RFC 9207)", async () => {
    said["/csc/v2/info"] = { body: { ...INFO, oauth2Issuer: home } }
    const found = { authorization_endpoint: `${home}/a`, token_endpoint: `${home}/t` }
    said["/.well-known/oauth-authorization-server"] = {
      body: { issuer: home, ...found, authorization_response_iss_parameter_supported: true },
    }
    said["/t"] = { body: { access_token: "at", token_type: "Bearer" } }
    expect(await failing(finish())).toBe("invalid-answer")
    expect(received.filter(({ path }) => path === "/t")).toEqual([])
    expect(await failing(finish(`?code=c&state=s&iss=${encodeURIComponent(home)}`))).toBe("none")
  })

  it("does not open the network behind us", async () => {
    said["/csc/v2/info"] = { body: { ...INFO, oauth2: "https://169.254.169.254" } }
    expect(await failing(finish())).toBe("for-good")
  })
})

describe("a code", () => {
  it("is given with our secret and the verifier, and the token counts from now", async () => {
    said["/oauth2/token"] = { body: { access_token: "at", token_type: "Bearer", expires_in: 300 } }
    expect(await finish()).toEqual({
      accessToken: "at",
      expiresAt: new Date("2026-11-15T12:05:00Z"),
      credentialId: undefined,
    })
    const sent = received.find(({ path }) => path === "/oauth2/token")
    expect(sent?.authorization).toBe(`Basic ${Buffer.from("paraph:secret").toString("base64")}`)
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
      ...{ grant_type: "authorization_code", code: "c", redirect_uri: way.redirectUri },
      code_verifier: way.codeVerifier,
    })
  })

  it.each<[string, CscFailure, Said]>([
    ["over", "expired", { status: 400, body: { error: "invalid_grant" } }],
    ["of a client that nobody knows", "for-good", { status: 401, body: { error: "invalid_client" } }],
    ["for later", "unreachable", { status: 400, body: { error: "temporarily_unavailable" } }],
    ["answered without a token", "invalid-answer", { body: { token_type: "Bearer" } }],
    [
      "answered with a token of another kind",
      "invalid-answer",
      { body: { access_token: "a", token_type: "mac" } },
    ],
    [
      "answered with a very long token",
      "invalid-answer",
      { body: { access_token: "a".repeat(40_000), token_type: "Bearer" } },
    ],
    [
      "answered with another address",
      "invalid-answer",
      { status: 302, headers: { location: "/" }, body: {} },
    ],
  ])("that is %s: %s", async (_, code, answer) => {
    said["/oauth2/token"] = answer
    expect(await failing(finish())).toBe(code)
  })

  it.each<[string, CscFailure]>([
    ["?error=access_denied&state=s", "refused"],
    ["?error=server_error&state=s", "unreachable"],
    ["?error=invalid_scope&state=s", "for-good"],
    ["?code=c&state=other", "invalid-answer"],
    ["", "invalid-answer"],
  ])("is not used where the browser comes back with %s: %s", async (query, code) => {
    expect(await failing(finish(query))).toBe(code)
    expect(received.map(({ path }) => path)).toEqual(["/csc/v2/info"])
  })
})

describe("what a method says in place of an answer", () => {
  const invalid = (error_description: string) => ({ error: "invalid_request", error_description })
  it.each<[CscFailure, number, unknown]>([
    ["expired", 401, {}],
    ["expired", 400, { error: "invalid_token" }],
    ["expired", 400, invalid("SAD expired")],
    ["expired", 400, invalid("Invalid parameter SAD")],
    ["refused", 403, { error: "access_denied" }],
    ["wrong-factor", 400, { error: "invalid_otp" }],
    ["wrong-factor", 400, { error: "invalid_authentication_data" }],
    ["credential-unusable", 400, invalid("Signing certificate is expired")],
    ["credential-unusable", 400, invalid("Credential locked")],
    ["credential-unusable", 400, invalid("The credential identified by credentialID is disabled")],
    ["for-good", 400, invalid("Invalid parameter signAlgo")],
    ["for-good", 400, invalid("Hash is not authorized by the SAD")],
    ["for-good", 404, Buffer.from("<html>")],
    ["for-good", 501, {}],
    ["unreachable", 408, {}],
    ["unreachable", 503, Buffer.from("<html>")],
    ["rate-limited", 429, {}],
    ["invalid-answer", 200, []],
    ["invalid-answer", 200, { signatures: "AAAA" }],
    ["invalid-answer", 200, { signatures: ["AA-_"] }],
    ["invalid-answer", 200, { signatures: [null] }],
    ["invalid-answer", 200, { signatures: ["AAAA", "AAAA"] }],
    ["invalid-answer", 200, Buffer.from('{"signatures":["\xff"]}', "latin1")],
    ["invalid-answer", 307, {}],
  ])("%s: %i %j", async (code, status, body) => {
    said["/csc/v2/signatures/signHash"] = { status, body }
    expect(await failing(provider.signHash(signing))).toBe(code)
  })

  it("leaves a list as it is where one of its credentials cannot be read", async () => {
    const odd = { key: { status: "enabled", algo: [] }, cert: { certificates: ["AAAA"] }, multisign: 1 }
    const described = [
      { credentialID: "implicit", ...odd, auth: { mode: "implicit" } },
      { credentialID: "no-certificate", ...odd, auth: { mode: "oauth2code" } },
      { credentialID: "not-listed", ...odd, auth: { mode: "oauth2code" } },
    ]
    const credentialIDs = ["implicit", "no-certificate", "empty"]
    said["/csc/v2/credentials/list"] = { body: { credentialIDs, credentialInfos: described } }
    said["/csc/v2/credentials/info"] = { body: {} }
    expect(await provider.credentials("at")).toEqual({
      usable: [],
      unusable: credentialIDs.map((id) => ({ id, reason: "unreadable" })),
    })
    said["/csc/v2/credentials/list"] = { body: { credentialIDs: ["twice", "twice"] } }
    expect(await failing(provider.credentials("at"))).toBe("invalid-answer")
    said["/csc/v2/credentials/list"] = { body: {} }
    expect(await failing(provider.credentials("at"))).toBe("invalid-answer")
  })
})
