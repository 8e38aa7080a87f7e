// Who somebody is, by OpenID Connect for Identity Assurance 1.0: the person is sent to the provider and back, and what the provider
// has verified is asked for with what they bring; at once, or days later, while it reviews.

import * as client from "openid-client"
import { ALGORITHMS, discover, guardedFetch, type Registration } from "../openid/discovery.ts"
import type { Outbound } from "../outbound/outbound.ts"
import { type EvidencePlace, fetchEvidence } from "./evidence.ts"
import { IdentificationFailed } from "./failed.ts"
import { notingAnswers, telling } from "./telling.ts"

export type IdentityProviderSettings = Registration & {
  readonly name: string
  readonly title: string
  readonly kind: "demo" | "production"
  /** By which the provider signs what it tells: what is not signed is no evidence. */
  readonly userInfoAlgorithm: string
  readonly scopes: readonly string[]
  /** How the person must have been authenticated there (OpenID Connect Core, 2); none named: as the provider does it. */
  readonly acrValues: readonly string[]
  readonly trustFrameworks: readonly string[]
  readonly assuranceLevels: readonly string[]
  readonly evidenceTypes: readonly string[]
  readonly verifiedWithinDays: number | null
}

export type IdentificationWay = {
  /** One address for each provider, so that no provider can pose as another (RFC 9700, 4.4). */
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** PKCE (RFC 7636): whoever has the code alone cannot use it. */
  readonly verifier: string
}

export type IdentificationTokens = {
  readonly subject: string
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string
}

export type ToldOfPerson = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly userInfo: string
  readonly keys: string
  readonly tokens: IdentificationTokens
}

export type IdentityProviders = {
  /** Where the browser goes to. */
  readonly begin: (
    provider: IdentityProviderSettings,
    way: IdentificationWay & { readonly language: string },
  ) => Promise<string>
  /** With what the browser came back to: all that stands behind the `?`. */
  readonly finish: (
    provider: IdentityProviderSettings,
    way: IdentificationWay,
    query: string,
  ) => Promise<IdentificationTokens>
  readonly ask: (provider: IdentityProviderSettings, tokens: IdentificationTokens) => Promise<ToldOfPerson>
  readonly fetchEvidence: (place: EvidencePlace, maxBytes: number) => Promise<Uint8Array>
}

/** Claims with pictures in them. */
const MAX_ANSWER_BYTES = 16_000_000

export function createIdentityProviders(outbound: Outbound): IdentityProviders {
  return {
    begin: (provider, way) => telling(() => begin(outbound, provider, way)),
    finish: (provider, way, query) => telling(() => finish(outbound, provider, way, query)),
    ask: (provider, tokens) => telling(() => ask(outbound, provider, tokens)),
    fetchEvidence: (place, maxBytes) => telling(() => fetchEvidence(outbound, place, maxBytes)),
  }
}

const isPlain = ({ issuer }: Registration): boolean => issuer.startsWith("http:")

const reach = (fetch: client.CustomFetch, provider: IdentityProviderSettings) =>
  discover(fetch, provider, {
    metadata: { userinfo_signed_response_alg: provider.userInfoAlgorithm },
    plain: isPlain(provider),
  })

async function begin(
  outbound: Outbound,
  provider: IdentityProviderSettings,
  { redirectUri, state, nonce, verifier, language }: IdentificationWay & { readonly language: string },
): Promise<string> {
  const { config } = await reach(guardedFetch(outbound, "identification", MAX_ANSWER_BYTES), provider)
  const isOffline = provider.scopes.includes("offline_access")
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(" "),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    claims: JSON.stringify(askedClaims(provider)),
    ui_locales: language,
    // Somebody else may have been there with the same browser before.
    prompt: isOffline ? "login consent" : "login",
    ...(provider.acrValues.length > 0 && { acr_values: provider.acrValues.join(" ") }),
  })
  // The browser goes there by itself: nothing but a page over TLS, or the very host that the operator named.
  if (url.protocol !== "https:" && url.origin !== new URL(provider.issuer).origin)
    throw new IdentificationFailed("invalid-answer", "The provider's page is not one of https.")
  return url.href
}

/** 6: what is asked for, and under which conditions; several kinds of evidence are alternatives. */
function askedClaims({ trustFrameworks, evidenceTypes }: IdentityProviderSettings): object {
  const details = { type: null, issuer: { country_code: null }, date_of_expiry: null }
  return {
    userinfo: {
      verified_claims: {
        verification: {
          trust_framework: { values: trustFrameworks },
          assurance_level: null,
          time: null,
          evidence: evidenceTypes.map((type) => ({
            type: { value: type },
            ...(type === "document" && { document_details: details }),
            attachments: null,
          })),
        },
        claims: {
          given_name: { essential: true },
          family_name: { essential: true },
          birthdate: { essential: true },
          nationalities: null,
        },
      },
    },
  }
}

async function finish(
  outbound: Outbound,
  provider: IdentityProviderSettings,
  { redirectUri, state, nonce, verifier }: IdentificationWay,
  query: string,
): Promise<IdentificationTokens> {
  const { config } = await reach(guardedFetch(outbound, "identification", MAX_ANSWER_BYTES), provider)
  const came = new URL(redirectUri)
  came.search = query
  const tokens = await client.authorizationCodeGrant(config, came, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined || tokens.id_token === undefined) throw invalid("it sent no ID token")
  // For several it could have been meant for another of them.
  if (!isForUs(claims.aud, provider)) throw invalid("its ID token is not for us alone")
  const { acr } = claims
  if (provider.acrValues.length > 0 && !(typeof acr === "string" && provider.acrValues.includes(acr)))
    throw invalid("the person was not authenticated as it was asked for")
  return {
    subject: claims.sub,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
    idToken: tokens.id_token,
  }
}

async function ask(
  outbound: Outbound,
  provider: IdentityProviderSettings,
  tokens: IdentificationTokens,
): Promise<ToldOfPerson> {
  const noted = notingAnswers()
  const { config } = await reach(
    guardedFetch(outbound, "identification", MAX_ANSWER_BYTES, noted.note),
    provider,
  )
  const { claims, used } = await userInfo(config, tokens)
  const { issuer, userinfo_endpoint: place = "", jwks_uri: keys = "" } = config.serverMetadata()
  // OpenID Connect Core, 5.3.2 only says that they should be there: without them it is a word to whoever has it.
  if (claims.iss !== issuer) throw invalid("what it told does not name it")
  if (!isForUs(claims.aud, provider)) throw invalid("what it told is not for us")
  return { claims, userInfo: noted.textOf(place).trim(), keys: noted.textOf(keys), tokens: used }
}

/** A review may take longer than a token lives. */
async function userInfo(config: client.Configuration, tokens: IdentificationTokens) {
  const { subject, accessToken, refreshToken } = tokens
  try {
    return { claims: await client.fetchUserInfo(config, accessToken, subject), used: tokens }
  } catch (error) {
    const isOver = error instanceof client.WWWAuthenticateChallengeError && error.status === 401
    if (!isOver || refreshToken === null) throw error
  }
  const renewed = await client.refreshTokenGrant(config, refreshToken)
  const used = {
    ...tokens,
    accessToken: renewed.access_token,
    refreshToken: renewed.refresh_token ?? refreshToken,
  }
  return { claims: await client.fetchUserInfo(config, renewed.access_token, subject), used }
}

const isForUs = (aud: unknown, { clientId }: Registration): boolean =>
  aud === clientId || (Array.isArray(aud) && aud.length === 1 && aud[0] === clientId)

const invalid = (what: string): IdentificationFailed =>
  new IdentificationFailed("invalid-answer", `The provider's answer does not count: ${what}.`)

export const USER_INFO_ALGORITHMS: readonly string[] = ALGORITHMS
