// The authorization server of the provider: a real one, `oidc-provider`. What the person releases is tied to the grant
// that their press of the button makes, and by it to the one access token.

import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Provider } from "oidc-provider"
import { openidMemory } from "../openid-memory.ts"
import { openidProvider } from "../openid-provider.ts"
import { credentialId } from "./credentials.ts"
import type { CscMisbehaviour } from "./misbehaviour.ts"
import { accessPage, loginPage, releasePage } from "./pages.ts"
import type { Releases } from "./releases.ts"

export type CscClientRegistration = {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

export type Bearer = {
  readonly login: string
  readonly scope: "service" | "credential"
  readonly grantId: string
}

export type Authorization = {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Whom a token speaks for; null where it is none, or one of the past. */
  readonly bearer: (token: string) => Promise<Bearer | null>
}

export type AuthorizationSettings = {
  readonly url: string
  readonly clients: readonly CscClientRegistration[]
  readonly releases: Releases
  readonly nameOf: (login: string) => string
  readonly seconds: number
  readonly multisign: number
  readonly misbehaviour: () => CscMisbehaviour
}

export function createAuthorization(settings: AuthorizationSettings): Authorization {
  const opened = openidProvider(settings.url, () => configuration(settings))
  return {
    handle: async (request, response) => {
      const { provider, rest } = await opened()
      // RFC 8414, 3.1: the same document under another name.
      if (request.url === "/.well-known/oauth-authorization-server")
        request.url = "/.well-known/openid-configuration"
      return request.url?.startsWith("/interaction/") === true
        ? interact(provider, settings, request, response)
        : rest(request, response)
    },
    bearer: async (value) => {
      const { provider } = await opened()
      const token = await provider.AccessToken.find(value)
      if (token === undefined) return null
      const scope = token.scope === "credential" ? "credential" : "service"
      return { login: token.accountId, scope, grantId: token.grantId }
    },
  }
}

async function interact(
  provider: Provider,
  settings: AuthorizationSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  const isLogin = prompt.name === "login"
  const login = session?.accountId ?? ""
  if (request.method !== "POST") {
    show(response, isLogin ? loginPage(params.login_hint ?? "") : askedPage(settings, params, login))
    return
  }
  const form = new URLSearchParams(String(Buffer.concat(await request.toArray())))
  const how = settings.misbehaviour()
  const isRefused = form.get("answer") !== "yes" || (isLogin ? how.login : how.release) === "refuse"
  const finish = (result: object) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: !isRefused })
  if (isRefused) return finish({ error: "access_denied", error_description: "The person has refused." })
  if (isLogin) return finish({ login: { accountId: (form.get("login") ?? "").slice(0, 200) || "nobody" } })
  if (params.scope === "credential" && !isReleasable(settings, params, login))
    return finish({ error: "invalid_request", error_description: "Nothing that this person can release." })
  return finish({ consent: { grantId: await grant(provider, settings.releases, params, login) } })
}

/** CSC API 2.0, 9: so many signatures as were said, of a credential of one's own. */
function isReleasable({ multisign }: AuthorizationSettings, params: Params, login: string): boolean {
  const { length } = hashesOf(params)
  const isCounted = length > 0 && length <= multisign && params.numSignatures === String(length)
  return isCounted && params.credentialID === credentialId(login)
}

type Params = Readonly<Record<string, string>>

function askedPage({ nameOf }: AuthorizationSettings, params: Params, login: string): string {
  const [client = "", name] = [params.client_id, nameOf(login)]
  if (params.scope !== "credential") return accessPage(client, name)
  return releasePage({ client, name, hashes: hashesOf(params), description: params.description ?? "" })
}

/** CSC API 2.0, 8.4.2: base64url with commas between them; kept as base64, which is how they come to be signed. */
const hashesOf = ({ hashes = "" }: Params): readonly string[] =>
  hashes
    .split(",")
    .filter((hash) => hash !== "")
    .map((hash) => Buffer.from(hash, "base64url").toString("base64"))

async function grant(provider: Provider, releases: Releases, params: Params, login: string): Promise<string> {
  const made = new provider.Grant({ accountId: login, clientId: params.client_id ?? "" })
  made.addOIDCScope(params.scope ?? "")
  const grantId = await made.save()
  if (params.scope === "credential")
    releases.add({ login, credentialId: credentialId(login), hashes: hashesOf(params) }, grantId)
  return grantId
}

function show(response: ServerResponse, html: string): void {
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .end(html)
}

const EXTRA = [
  "credentialID",
  "signatureQualifier",
  "numSignatures",
  "hashes",
  "hashAlgorithmOID",
  "description",
]

function configuration({ clients, seconds }: AuthorizationSettings): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    adapter: openidMemory(),
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      id_token_signed_response_alg: "ES256",
    })),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: "sandbox" }] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    features: { devInteractions: { enabled: false } },
    scopes: ["openid", "service", "credential"],
    extraParams: [...EXTRA, "clientData", "lang", "account_token"],
    routes: {
      authorization: "/oauth2/authorize",
      token: "/oauth2/token",
      revocation: "/oauth2/revoke",
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: (_: unknown, { scope }: { scope?: string }) => (scope === "credential" ? seconds : 3600),
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 3600,
      Session: 86_400,
    },
    findAccount: (_: unknown, login: string) => ({ accountId: login, claims: () => ({ sub: login }) }),
    // Nothing that was released before counts for what is asked now.
    loadExistingGrant: async ({ oidc }: { oidc: Context }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
  }
}

type Context = {
  readonly provider: Provider
  readonly result?: { readonly consent?: { readonly grantId?: string } }
}
