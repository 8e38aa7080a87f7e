// A provider of identification by OpenID Connect for Identity Assurance, for tests, development and the sandbox, and for nothing
// else: whoever says a name has it, and has a passport of it. It behaves like a real one otherwise, and, when told so, like a false one.

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Provider } from "oidc-provider"
import { openidMemory } from "../openid-memory.ts"
import { type Openid, openidProvider } from "../openid-provider.ts"
import { capture } from "./capture.ts"
import type { IdentityMisbehaviour } from "./misbehaviour.ts"
import { identifyPage } from "./pages.ts"
import { PASSPORT_PICTURE } from "./passport.ts"
import { claimsOf, forged, type Json } from "./tokens.ts"

export type { IdentityMisbehaviour }

export type IdentityClient = {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

export type IdentitySandboxOptions = {
  readonly clients: readonly IdentityClient[]
  readonly now: () => Date
  /** Zero, the default, takes one that is free. */
  readonly port?: number
}

/** Somebody who was here, as they said on the page. */
export type Shown = {
  readonly givenName: string
  readonly familyName: string
  readonly country: string
  /** What is decided about them; `pending`: nothing yet. */
  readonly decision: "accept" | "pending"
}

export type IdentitySandbox = {
  readonly issuer: string
  /** How often each thing was paid for: a person who came to be identified. */
  readonly identifications: () => number
  /** Ends the review of everybody who waits for it. */
  readonly decide: (decision: "accept" | "refuse") => void
  /** Says how it answers from now on; `{}` makes it behave again. */
  readonly misbehave: (how: IdentityMisbehaviour) => void
  readonly close: () => Promise<void>
}

export const SANDBOX_FRAMEWORK = "sandbox"
export const SANDBOX_ACR = "urn:sandbox:identified"

export async function startIdentityProvider(options: IdentitySandboxOptions): Promise<IdentitySandbox> {
  const server = createServer()
  server.listen(options.port ?? 0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const desk: Desk = { people: new Map(), how: {}, refused: new Set(), count: 0, now: options.now }
  const opened = openedFor(issuer, options, desk)
  server.on("request", async (request, response) => {
    try {
      await answer(await opened(), desk, request, response)
    } catch {
      if (!response.headersSent) response.writeHead(500).end()
    }
  })
  return {
    issuer,
    identifications: () => desk.count,
    decide: (decision) => {
      for (const [login, shown] of desk.people) {
        if (shown.decision !== "pending") continue
        if (decision === "refuse") desk.refused.add(login)
        desk.people.set(login, { ...shown, decision: "accept" })
      }
    },
    misbehave: (how) => {
      desk.how = how
    },
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type Desk = {
  /** By the name that the provider gives them. */
  readonly people: Map<string, Shown>
  readonly refused: Set<string>
  readonly now: () => Date
  how: IdentityMisbehaviour
  count: number
}

type Opened = Openid & { readonly key: KeyObject }

function openedFor(issuer: string, options: IdentitySandboxOptions, desk: Desk): () => Promise<Opened> {
  let made: KeyObject | null = null
  const key = () => {
    made ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
    return made
  }
  const opened = openidProvider(issuer, () => configuration(options, desk, key()))
  return async () => ({ ...(await opened()), key: key() })
}

async function answer(
  { provider, rest, key }: Opened,
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://sandbox")
  if (pathname.startsWith("/interaction/")) return interact(provider, desk, request, response)
  const { answers, idToken, userInfo } = desk.how
  const asksOfPeople = pathname === "/me"
  if (answers === "down" && asksOfPeople) {
    response.writeHead(503, { "content-length": 0 }).end()
    return
  }
  if (pathname === "/token" && idToken !== undefined)
    return capture(rest, request, response, (body) => {
      const told = JSON.parse(body) as Json
      const token = typeof told.id_token === "string" ? told.id_token : ""
      return { body: JSON.stringify({ ...told, id_token: forged(token, idToken, key) }) }
    })
  if (asksOfPeople && userInfo === "not-signed")
    return capture(rest, request, response, (body) => ({
      body: JSON.stringify(claimsOf(body)),
      type: "application/json; charset=utf-8",
    }))
  if (asksOfPeople && userInfo !== undefined)
    return capture(rest, request, response, (body) => ({ body: forged(body, userInfo, key) }))
  return rest(request, response)
}

async function interact(
  provider: Provider,
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, session } = await provider.interactionDetails(request, response)
  const finish = (result: object) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  if (prompt.name !== "login") return finish({ consent: {} })
  if (request.method !== "POST") {
    const page = identifyPage()
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
      .end(page)
    return
  }
  const form = new URLSearchParams(String(Buffer.concat(await request.toArray())))
  const decision = form.get("answer")
  if (decision !== "accept" && decision !== "pending")
    return provider.interactionFinished(
      request,
      response,
      { error: "access_denied", error_description: "The person was not identified." },
      { mergeWithLastSubmission: false },
    )
  const said = (name: string) => (form.get(name) ?? "").slice(0, 200)
  const login = session?.accountId ?? randomBytes(12).toString("hex")
  desk.people.set(login, {
    givenName: said("given_name"),
    familyName: said("family_name"),
    country: said("country") || "CH",
    decision,
  })
  desk.count += 1
  return finish({ login: { accountId: login, acr: SANDBOX_ACR } })
}

function configuration({ clients }: IdentitySandboxOptions, desk: Desk, key: KeyObject): object {
  const jwk = { ...createPrivateKey(key.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" }) }
  return {
    adapter: openidMemory(),
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      userinfo_signed_response_alg: "RS256",
    })),
    jwks: { keys: [{ ...jwk, kid: "sandbox", alg: "RS256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      claimsParameter: { enabled: true },
    },
    scopes: ["openid", "offline_access"],
    acrValues: [SANDBOX_ACR],
    claims: { openid: ["sub"], acr: null, verified_claims: null },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 3600,
      Interaction: 3600,
      Session: 3600,
      Grant: 86_400,
      RefreshToken: 86_400,
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    renderError: async (context: { body: string; type: string }) => {
      context.type = "text/plain"
      context.body = "This does not work."
    },
    issueRefreshToken: async (_: unknown, __: unknown, code: { scopes: Set<string> }) =>
      code.scopes.has("offline_access"),
    findAccount: (_: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, acr: SANDBOX_ACR, ...verified(desk, login) }),
    }),
    loadExistingGrant: async ({ oidc }: { oidc: Context }) => {
      const { provider, client, session, params } = oidc
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope(params.scope ?? "openid")
      grant.addOIDCClaims(["verified_claims", "acr"])
      await grant.save()
      return grant
    },
  }
}

type Context = {
  readonly provider: Provider
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
  readonly params: { readonly scope?: string }
}

/** Nothing while somebody still looks at it. */
function verified({ people, how, refused, now }: Desk, login: string): Json {
  const shown = people.get(login)
  if (shown === undefined || shown.decision === "pending") return {}
  if (refused.has(login)) return { verified_claims: [] }
  const right = rightClaims(shown, now())
  return { verified_claims: how.claims === undefined ? right : how.claims(right) }
}

const rightClaims = ({ givenName, familyName, country }: Shown, now: Date): Json => ({
  verification: {
    trust_framework: SANDBOX_FRAMEWORK,
    assurance_level: "none",
    time: now.toISOString(),
    evidence: [
      {
        type: "document",
        document_details: {
          type: "passport",
          document_number: "X0000000",
          date_of_issuance: "2020-01-01",
          date_of_expiry: "2099-12-31",
          issuer: { name: "Nobody", country_code: country },
        },
        attachments: [{ desc: "A passport of nobody", content_type: "image/png", content: PASSPORT_PICTURE }],
      },
    ],
  },
  claims: {
    given_name: givenName,
    family_name: familyName,
    birthdate: "1985-12-10",
    nationalities: [country],
  },
})
