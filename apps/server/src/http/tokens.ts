import { createPrivateKey, createPublicKey, randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { Refusal } from "@paraph/core/refusal"
import { errors, jwtVerify, SignJWT } from "jose"

export type Tokens = {
  readonly issue: (caller: Caller, lifetimeSeconds: number) => Promise<string>
  /** The caller behind `Authorization: Bearer …`; refuses everything else. */
  readonly verify: (authorization: string | undefined) => Promise<Caller>
}

export type TokenSettings = {
  /** Ed25519, PKCS#8 PEM. */
  readonly privateKeyPem: string
  /** Our own address: who issues the token, and for whom. */
  readonly publicUrl: string
  readonly findCaller: (keyId: string, now: Date) => Promise<Caller | null>
  readonly now: () => Date
}

/** Part 5: one asymmetric algorithm, fixed keys; `iss`, `aud`, `typ` and `exp` are checked (security, R03). */
export function createTokens(settings: TokenSettings): Tokens {
  const privateKey = createPrivateKey(settings.privateKeyPem)
  const publicKey = createPublicKey(privateKey)
  const { publicUrl: issuer, now } = settings
  const audience = issuer
  const typ = "at+jwt"
  const callerOf = remembered(settings)
  return {
    issue: (caller, lifetimeSeconds) => {
      const seconds = Math.floor(now().getTime() / 1000)
      return new SignJWT({ key: caller.keyId })
        .setProtectedHeader({ alg: "EdDSA", typ })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(caller.userId)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetimeSeconds)
        .sign(privateKey)
    },
    verify: async (authorization) => {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1]
      if (token === undefined) throw new Refusal("token-invalid", "Send Authorization: Bearer with a token.")
      const options = {
        algorithms: ["EdDSA"],
        issuer,
        audience,
        typ,
        requiredClaims: ["exp"],
        currentDate: now(),
      }
      const { payload } = await jwtVerify(token, publicKey, options).catch(refuse)
      const caller = typeof payload.key === "string" ? await callerOf(payload.key) : null
      if (caller === null)
        throw new Refusal("token-invalid", "The API key behind this token is no longer valid.")
      return caller
    },
  }
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw new Refusal("token-expired", "Log in again.")
  if (error instanceof errors.JOSEError) throw new Refusal("token-invalid", "The token is not valid.")
  throw error
}

const REMEMBER_MS = 5_000
const REMEMBER_AT_MOST = 10_000

/** A key that is reset or revoked cuts its tokens off within 5 seconds (AUTH-14), at one query per key and 5 seconds. */
function remembered({ findCaller, now }: TokenSettings) {
  const known = new Map<string, { readonly caller: Caller | null; readonly untilMs: number }>()
  return async (keyId: string): Promise<Caller | null> => {
    const at = now()
    const hit = known.get(keyId)
    if (hit !== undefined && hit.untilMs > at.getTime()) return hit.caller
    const caller = await findCaller(keyId, at)
    if (known.size >= REMEMBER_AT_MOST) known.clear()
    known.set(keyId, { caller, untilMs: at.getTime() + REMEMBER_MS })
    return caller
  }
}
