// What the identity provider can be told to do wrong: each is something that a false or broken one would do.

export type IdentityMisbehaviour = {
  /** In what it tells when somebody comes back: of the ID token. */
  readonly idToken?: Forgery | "nonce" | "no-nonce" | "acr" | "several-audiences"
  /** And in what it tells of the person. */
  readonly userInfo?: Forgery | "subject" | "not-signed" | "no-audience" | "no-issuer" | "claims-of-nobody"
  /** Another verified_claims in the place of the right one. */
  readonly claims?: (right: Record<string, unknown>) => unknown
  /** `down`: it answers no question about people at the moment. */
  readonly answers?: "down"
}

/** `alg-none`: without a signature; `key`: by a key that it does not publish; `past`: of long ago. */
export type Forgery = "audience" | "issuer" | "key" | "alg-none" | "past"
