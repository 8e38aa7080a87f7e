import * as client from "openid-client"
import type { Outbound } from "../outbound/outbound.ts"
import { discover, guardedFetch, type Registration, telling } from "./discovery.ts"
import { OpenIdFailed } from "./failed.ts"

export type { Registration }

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
  /** Whether the provider stated that the person proved a second factor. */
  readonly hasSecondFactor: boolean
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

/** OpenID Connect, the authorization code flow: every call is one of the guarded client. */
export function createOpenId(outbound: Outbound): OpenId {
  const ask = guardedFetch(outbound, "identity", MAX_ANSWER_BYTES)
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
    hasSecondFactor: statesSecondFactor(claims),
  }
}

/** Classes of several factors: PAPE 1.0 and the REFEDS MFA profile. Phishing-resistant classes (EAP) state no number of factors. */
const MULTI_FACTOR: readonly unknown[] = [
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  "https://refeds.org/profile/mfa",
]

/** RFC 8176: `mfa` among the methods. One method that a provider names, such as `otp`, may have been the only one. */
export const statesSecondFactor = ({ amr, acr }: { readonly [name: string]: unknown }): boolean =>
  (Array.isArray(amr) && amr.includes("mfa")) || MULTI_FACTOR.includes(acr)

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
