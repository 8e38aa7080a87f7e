// The person at the provider: OAuth 2 by code with PKCE (CSC API 2.0, 8.4). First with the scope `service`, to find the
// credential; then with the scope `credential`, to release exactly these hashes.

import * as client from "openid-client"
import type { CscAlgorithm } from "./algorithm.ts"
import { hashOf, hashOid } from "./algorithm.ts"
import { type CscInfo, MAX_TOKEN, readSeconds } from "./answer.ts"
import { errorOf, type Reach, send } from "./call.ts"
import { CscFailed, invalid } from "./failed.ts"
import { optionalText, text } from "./json.ts"

/** We, as the provider knows us. */
export type CscClient = { readonly clientId: string; readonly clientSecret: string }

/** What a way there and back has to itself; all of it is on record before the person goes. */
export type CscWay = {
  /** One address for each provider, so that no provider can pose as another (RFC 9700, 4.4). */
  readonly redirectUri: string
  readonly state: string
  /** PKCE (RFC 7636): whoever has the code alone cannot use it. */
  readonly codeVerifier: string
}

export type CscAsked = CscWay & {
  readonly language?: string
  readonly loginHint?: string
} & (
    | { readonly scope: "service" }
    | {
        readonly scope: "credential"
        readonly credentialId: string
        readonly algorithm: CscAlgorithm
        /** The bytes whose hashes are shown to the provider, and released. */
        readonly toBeSigned: readonly Uint8Array[]
        /** Shown to the person by some providers. */
        readonly description?: string
        /** `clientData`, as in signHash. */
        readonly reference?: string
      }
  )

export type CscToken = {
  readonly accessToken: string
  readonly expiresAt: Date
  /** The credential, where the provider chose one. */
  readonly credentialId: string | undefined
}

export async function authorizationUrl(
  reach: Reach,
  us: CscClient,
  info: CscInfo,
  asked: CscAsked,
): Promise<string> {
  const { config } = await configure(reach, us, info)
  const { redirectUri, state, codeVerifier, scope, language, loginHint } = asked
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    ...(language !== undefined && { lang: language }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    ...(asked.scope === "credential" && releaseOf(asked)),
  })
  // The browser goes there by itself.
  if (!isReachable(url, reach)) throw invalid("its page is not one of https")
  return url.href
}

// 8.4.2: base64url, with commas between them.
function releaseOf(asked: CscAsked & { readonly scope: "credential" }): Record<string, string> {
  const { credentialId, algorithm, toBeSigned, description, reference } = asked
  return {
    credentialID: credentialId,
    numSignatures: String(toBeSigned.length),
    hashes: toBeSigned.map((bytes) => hashOf(algorithm, bytes).toString("base64url")).join(","),
    hashAlgorithmOID: hashOid(algorithm),
    ...(description !== undefined && { description: description.slice(0, 500) }),
    ...(reference !== undefined && { clientData: reference }),
  }
}

/** `query` is all that stands behind the `?` of the address that the browser came back to. */
export async function exchangeCode(
  reach: Reach,
  us: CscClient,
  info: CscInfo,
  { redirectUri, state, codeVerifier, now }: CscWay & { readonly now: Date },
  query: string,
): Promise<CscToken> {
  const { config, isIssuerKnown } = await configure(reach, us, info)
  const came = new URL(redirectUri)
  came.search = query
  // Where the provider gives a base address only, nobody knows what it calls itself.
  if (!isIssuerKnown) came.searchParams.delete("iss")
  const checks = { expectedState: state, pkceCodeVerifier: codeVerifier }
  const answer = await telling(() => client.authorizationCodeGrant(config, came, checks))
  return {
    accessToken: text(answer, "access_token", MAX_TOKEN),
    expiresAt: new Date(now.getTime() + readSeconds(answer, "expires_in") * 1000),
    credentialId: optionalText(answer, "credentialID", 1_000),
  }
}

async function configure(reach: Reach, { clientId, clientSecret }: CscClient, info: CscInfo) {
  const { supportsPKCE: _, ...server } = await serverOf(reach, info)
  // 8.4.4 has both ways; a server that describes itself says which ones it takes.
  const proofs = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  const proof = proofs.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost
  const config = new client.Configuration(server, clientId, {}, proof(clientSecret))
  config[client.customFetch] = guardedFetch(reach)
  config.timeout = reach.timeoutMs / 1000
  if (isPlain(reach)) client.allowInsecureRequests(config)
  return { config, isIssuerKnown: info.oauth2Issuer !== undefined }
}

type Server = client.ServerMetadata & { readonly supportsPKCE?: unknown }

/** 11.1: either the name of an authorization server that describes itself, or the address below which it stands. */
async function serverOf(reach: Reach, { oauth2, oauth2Issuer }: CscInfo): Promise<Server> {
  const named = URL.parse(oauth2Issuer ?? oauth2 ?? "")
  if (named === null || !isReachable(named, reach)) throw invalid("it does not say where people log in")
  if (oauth2Issuer === undefined) {
    const base = named.href.replace(/\/+$/, "")
    return {
      issuer: base,
      authorization_endpoint: `${base}/oauth2/authorize`,
      token_endpoint: `${base}/oauth2/token`,
    }
  }
  // RFC 8414, 3.1 and 5: most servers write the document of OpenID Connect, and some nothing else.
  const server = await discover(reach, named, "oauth2").catch((error: unknown) => {
    if (error instanceof CscFailed && error.code === "invalid-answer") return discover(reach, named, "oidc")
    throw error
  })
  if (!server.authorization_endpoint || !server.token_endpoint)
    throw invalid("it does not say where people log in")
  return server
}

async function discover(reach: Reach, issuer: URL, algorithm: "oauth2" | "oidc"): Promise<Server> {
  const found = await telling(() =>
    client.discovery(issuer, "-", undefined, client.None(), {
      [client.customFetch]: guardedFetch(reach),
      algorithm,
      timeout: reach.timeoutMs / 1000,
      ...(isPlain(reach) && { execute: [client.allowInsecureRequests] }),
    }),
  )
  return found.serverMetadata()
}

/** https; or, where the operator has the provider itself without TLS, that very place. */
const isReachable = (url: URL, { baseUrl }: Reach): boolean =>
  url.protocol === "https:" || url.origin === new URL(baseUrl).origin

const isPlain = ({ baseUrl }: Reach): boolean => baseUrl.startsWith("http:")

/** `fetch` as the library calls it, by the one client for everything that leaves the service. */
const guardedFetch =
  (reach: Reach): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await send(reach, url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body !== undefined && body !== null && { body: Buffer.from(body.toString()) }),
    })
    const { "content-type": contentType = "", "www-authenticate": challenge } = answer.headers
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { "content-type": contentType, ...(challenge && { "www-authenticate": challenge }) },
    })
  }

const LATER = ["temporarily_unavailable", "server_error"]

async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (let one: unknown = error; one instanceof Error; one = one.cause)
      if (one instanceof CscFailed) throw one
    const said = { cause: error }
    // What the browser came back with, and what the token endpoint answered (RFC 6749, 4.1.2.1 and 5.2).
    if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
      if (LATER.includes(error.error))
        throw new CscFailed("unreachable", "The provider does not work at the moment.", said)
      const status = error instanceof client.ResponseBodyError ? error.status : 400
      // Here a 401 is about us: our secret is not the one that the provider knows.
      if (status === 401) throw new CscFailed("for-good", "The provider does not know us.", said)
      throw errorOf(status, { error: error.error, description: error.error_description ?? "" }, said)
    }
    throw invalid("its OAuth is not as the standard says", said)
  }
}
