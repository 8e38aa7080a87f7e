import * as client from "openid-client"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"
import { OpenIdFailed } from "./failed.ts"

/** We, as a provider knows us. */
export type Registration = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export type Way = {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** PKCE (RFC 7636): whoever has the code alone cannot use it. */
  readonly verifier: string
}

/** Whom the provider tells of. `subject` is its own name for the person, which it gives to nobody else. */
export type Identity = {
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
}

export type OpenId = {
  /** What the provider calls itself; fails where it does not stand at this address, or can do nothing that we take. */
  readonly find: (issuer: string) => Promise<string>
  /** Where the browser goes to. */
  readonly begin: (us: Registration, way: Way & { readonly emailHint: string }) => Promise<string>
  /** With what the browser came back to: all that stands behind the `?`. */
  readonly finish: (us: Registration, way: Way, query: string) => Promise<Identity>
}

const MAX_ANSWER_BYTES = 262_144
const TIMEOUT_MS = 15_000
/** Asymmetric ones: never `none`, nor those by the secret of the client, which we do not share for that. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
]

/** OpenID Connect, the authorization code flow: every call is one of the guarded client. */
export function createOpenId(outbound: Outbound): OpenId {
  const ask = guardedFetch(outbound)
  return {
    find: async (issuer) => (await discover(ask, { issuer, clientId: "-", clientSecret: "-" })).issuer,
    begin: (us, { redirectUri, state, nonce, verifier, emailHint }) =>
      telling(async () => {
        const { config } = await discover(ask, us)
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          ...(emailHint !== "" && { login_hint: emailHint }),
        })
        // The browser goes there by itself: nothing but a page over TLS.
        if (url.protocol !== "https:") throw new OpenIdFailed("The provider's page is not one of https.")
        return url.href
      }),
    finish: (us, way, query) => telling(async () => identify((await discover(ask, us)).config, way, query)),
  }
}

async function identify(
  config: client.Configuration,
  { redirectUri, state, nonce, verifier }: Way,
  query: string,
): Promise<Identity> {
  const came = new URL(redirectUri)
  came.search = query
  const tokens = await client.authorizationCodeGrant(config, came, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new OpenIdFailed("The provider sent no ID token.")
  // OpenID Connect Core, 5.4: where there is an access token, what the scopes stand for is told there, and of the same person.
  const told =
    claims.email !== undefined && vouchesFor(claims) !== null
      ? claims
      : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  return {
    subject: claims.sub,
    email: typeof told.email === "string" ? told.email : null,
    isEmailVerified: vouchesFor(told) === true && isOfBusiness(claims),
    name: typeof told.name === "string" ? told.name : null,
  }
}

/**
 * OpenID Connect Core, 5.1. Microsoft's Entra ID never says it; `xms_edov` is what it says instead, where it is asked to: that the
 * owner of the domain was verified. Null: nothing is said.
 */
function vouchesFor(told: { readonly [name: string]: unknown }): boolean | null {
  const { email_verified: isVerified, xms_edov: isOfDomain } = told
  if (isVerified !== undefined) return isVerified === true
  return isOfDomain === undefined ? null : [true, "true", 1, "1"].some((yes) => yes === isOfDomain)
}

/**
 * At Google anybody makes an account for an address that they can read once, and keeps it when the address is theirs no more. One
 * that a business gave has `hd`.
 */
export const isOfBusiness = (claims: { readonly iss: string; readonly [name: string]: unknown }): boolean =>
  claims.iss !== "https://accounts.google.com" || (typeof claims.hd === "string" && claims.hd !== "")

/** Asked for each time: what a provider has changed counts at once, and nobody logs in so often that it would matter. */
async function discover(ask: client.CustomFetch, { issuer, clientId, clientSecret }: Registration) {
  return telling(async () => {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: ask,
      timeout: TIMEOUT_MS / 1000,
    })
    const { supportsPKCE: _, ...server } = found.serverMetadata()
    // The library lets some well-known ones differ, whose one address stands for whoever has an account there at all.
    if (URL.parse(server.issuer)?.href !== new URL(issuer).href)
      throw new OpenIdFailed("The provider calls itself by another name.")
    if (!server.authorization_endpoint || !server.token_endpoint || !server.jwks_uri)
      throw new OpenIdFailed("The provider does not say where people log in, or with which keys it signs.")
    const algorithms = server.id_token_signing_alg_values_supported ?? ["RS256"]
    const taken = algorithms.filter((name) => ALGORITHMS.includes(name))
    if (taken.length === 0) throw new OpenIdFailed("The provider signs with no algorithm that we take.")
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const proof = methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret)
    const known = { ...server, id_token_signing_alg_values_supported: taken }
    const config = new client.Configuration(known, clientId, {}, proof)
    config[client.customFetch] = ask
    config.timeout = TIMEOUT_MS / 1000
    // The signature is checked too, though the token comes over TLS from where it is made.
    client.enableNonRepudiationChecks(config)
    return { config, issuer: server.issuer }
  })
}

/** `fetch` as the library calls it, by the one client for everything that leaves the service. */
const guardedFetch =
  (outbound: Outbound): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.request("identity", url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body !== undefined && body !== null && { body: Buffer.from(body.toString()) }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
    const { "content-type": contentType = "", "www-authenticate": challenge } = answer.headers
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { "content-type": contentType, ...(challenge && { "www-authenticate": challenge }) },
    })
  }

async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OpenIdFailed) throw error
    const { cause } = error as Error
    // Its words were made to be shown.
    if (cause instanceof OutboundFailed) throw new OpenIdFailed(cause.message, { cause })
    throw new OpenIdFailed("The provider's answer was not accepted.", { cause: error })
  }
}
