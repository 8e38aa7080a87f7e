import { LIMITS } from "../limits.ts"
import { displayName } from "../names/characters.ts"
import { hasGivenNames, isSameName } from "./names.ts"
import type { IdentityProvider } from "./ports.ts"
import { readVerified, type Verified } from "./verified-claims.ts"

/** Whom the request means. */
export type Stated = {
  readonly firstName: string
  readonly lastName: string
  /** Of the document, two letters. */
  readonly issuingCountry: string
}

export type Verdict =
  /** The provider has nothing to say yet. */
  | { readonly type: "waiting" }
  | { readonly type: "accept"; readonly name: string; readonly verified: Verified }
  | {
      readonly type: "pend"
      readonly reason: "name-differs" | "country-differs"
      readonly name: string
      readonly verified: Verified
    }
  | { readonly type: "reject"; readonly reason: "not-verified" }
  | { readonly type: "reject"; readonly reason: "other-person"; readonly verified: Verified }

/**
 * What a provider told, against what was asked (OpenID Connect for Identity Assurance). Its signature, its audience and whom it
 * speaks of were checked before. A claim counts when it is verified by a framework that the operator takes from this provider,
 * with evidence, and not of the past. Then the names: both are the stated ones: accepted; one of them is: whoever asked for the
 * signature has to say that this is the person; none: rejected (choice 383).
 */
export function judge(
  claims: Readonly<Record<string, unknown>>,
  provider: IdentityProvider,
  stated: Stated,
  now: Date,
): Verdict {
  const { verified_claims: told } = claims
  if (told === undefined || told === null) return { type: "waiting" }
  const all = Array.isArray(told) ? told.slice(0, LIMITS.verifiedClaims) : [told]
  const verified = all
    .map(readVerified)
    .find((one): one is Verified => one !== null && isTaken(one, provider, now))
  if (verified === undefined) return { type: "reject", reason: "not-verified" }
  return compared(verified, stated)
}

function compared(verified: Verified, stated: Stated): Verdict {
  const { givenName, familyName } = verified
  const name = displayName(`${givenName} ${familyName}`)
  const agreeing = [hasGivenNames(givenName, stated.firstName), isSameName(familyName, stated.lastName)]
  if (!agreeing.includes(true)) return { type: "reject", reason: "other-person", verified }
  if (agreeing.includes(false)) return { type: "pend", reason: "name-differs", name, verified }
  const countries = verified.evidence.flatMap(({ country }) => country ?? [])
  if (countries.length > 0 && !countries.includes(stated.issuingCountry))
    return { type: "pend", reason: "country-differs", name, verified }
  return { type: "accept", name, verified }
}

/** Clocks of two houses differ a little. */
const SKEW_MS = 5 * 60_000

function isTaken(verified: Verified, provider: IdentityProvider, now: Date): boolean {
  const { trustFramework, assuranceLevel, time, evidence, birthdate } = verified
  const { trustFrameworks, assuranceLevels, verifiedWithinDays } = provider
  if (!trustFrameworks.includes(trustFramework)) return false
  if (assuranceLevels.length > 0 && !assuranceLevels.includes(assuranceLevel ?? "")) return false
  if (time !== null && time.getTime() > now.getTime() + SKEW_MS) return false
  if (verifiedWithinDays !== null) {
    const oldest = now.getTime() - verifiedWithinDays * 86_400_000
    if (time === null || time.getTime() < oldest) return false
  }
  // A day begins somewhere before it does here.
  const today = now.toISOString().slice(0, 10)
  if (birthdate > today) return false
  return evidence.length > 0 && evidence.every(({ endsOn }) => endsOn === null || endsOn >= today)
}
