// Tokens written by hand, so that wrong ones can be made of the right ones.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import type { Forgery, IdentityMisbehaviour } from "./misbehaviour.ts"

export type Json = Record<string, unknown>

const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey

/** RS256, RFC 7515. */
export function signed(claims: Json, key: KeyObject, alg: "RS256" | "none" = "RS256"): string {
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const text = `${part({ alg, kid: "sandbox", typ: "JWT" })}.${part(claims)}`
  const value = alg === "none" ? Buffer.alloc(0) : sign("sha256", Buffer.from(text), key)
  return `${text}.${value.toString("base64url")}`
}

export const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"))

/** The same token, with one thing about it wrong. */
export function forged(
  token: string,
  how: NonNullable<IdentityMisbehaviour["idToken"] | IdentityMisbehaviour["userInfo"]>,
  key: KeyObject,
): string {
  const claims = claimsOf(token)
  if (how === "key") return signed(claims, stranger)
  if (how === "alg-none") return signed(claims, key, "none")
  return signed({ ...claims, ...CHANGED[how]?.(claims) }, key)
}

const LONG_AGO = 1_600_000_000

const CHANGED: Partial<Record<string, (claims: Json) => Json>> = {
  audience: () => ({ aud: "somebody-else" }),
  issuer: () => ({ iss: "https://ident.evil.example" }),
  past: () => ({ iat: LONG_AGO, exp: LONG_AGO + 300 }),
  nonce: () => ({ nonce: "the answer to another question" }),
  "no-nonce": () => ({ nonce: undefined }),
  acr: () => ({ acr: "urn:sandbox:self-asserted" }),
  "several-audiences": ({ aud }) => ({ aud: [aud, "somebody-else"], azp: aud }),
  subject: () => ({ sub: "somebody else" }),
  "no-audience": () => ({ aud: undefined }),
  "no-issuer": () => ({ iss: undefined }),
  "claims-of-nobody": () => ({ verified_claims: { claims: { given_name: "Eve", family_name: "Mallory" } } }),
} satisfies Partial<Record<Forgery | string, (claims: Json) => Json>>
