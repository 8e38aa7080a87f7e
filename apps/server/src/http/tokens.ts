import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { Refusal } from "@paraph/core/refusal"
import type { Kind } from "@paraph/core/signature-request/model"
import {
  calculateJwkThumbprint,
  errors,
  exportJWK,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose"

export type Tokens = {
  readonly issue: (caller: Caller, lifetimeSeconds: number) => Promise<string>
  /** The caller behind `Authorization: Bearer …`; refuses everything else. */
  readonly verify: (authorization: string | undefined) => Promise<Caller>
  /** RFC 7517, for whoever wants to check a token; the first is the one in use. */
  readonly publicKeys: () => Promise<readonly JWK[]>
}

/** A person who logged in, as a member of one business. */
export type Member = { readonly sessionId: string; readonly businessId: string; readonly kind: Kind }

export type TokenSettings = {
  /** Ed25519, PKCS#8 PEM. */
  readonly privateKeyPem: string
  /** Those that signed before: they verify until they are removed from the configuration (ADR 0096). */
  readonly earlierPems?: readonly string[]
  /** Our own address: who issues the token, and for whom. */
  readonly publicUrl: string
  readonly findCaller: (keyId: string, now: Date) => Promise<Caller | null>
  readonly findMember: (member: Member, now: Date) => Promise<Caller | null>
  readonly now: () => Date
}

/** Part 5: one asymmetric algorithm, fixed keys; `iss`, `aud`, `typ` and `exp` are checked (security, R03). */
export function createTokens(settings: TokenSettings): Tokens {
  const privateKey = createPrivateKey(settings.privateKeyPem)
  const keys = keysOf(settings)
  const { publicUrl: issuer, now } = settings
  const audience = issuer
  const typ = "at+jwt"
  const callerOf = remembered(settings)
  const published = keys.then(([first]) => first.jwk)
  const payloadOf = verifiedOnce(now, (token, currentDate) => {
    const options = { algorithms: ["EdDSA"], issuer, audience, typ, requiredClaims: ["exp"], currentDate }
    return jwtVerify(token, ({ kid }: { readonly kid?: string }) => chosen(keys, kid), options).catch(refuse)
  })
  return {
    publicKeys: async () => (await keys).map(({ jwk }) => jwk),
    issue: async (caller, lifetimeSeconds) => {
      const seconds = Math.floor(now().getTime() / 1000)
      return new SignJWT(claimsOf(caller))
        .setProtectedHeader({ alg: "EdDSA", typ, ...(await kidOf(published)) })
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
      const payload = await payloadOf(token)
      const caller = await callerOf(payload)
      if (caller === null)
        throw new Refusal("token-invalid", "The API key or the login behind this token is no longer valid.")
      return caller
    },
  }
}

type VerifyingKey = Awaited<ReturnType<typeof importJWK>>
type PublishedKey = { readonly key: VerifyingKey; readonly jwk: JWK }

async function keysOf({ privateKeyPem, earlierPems = [] }: TokenSettings) {
  const publicKeyOf = async (pem: string): Promise<PublishedKey> => {
    const jwk = await publish(createPublicKey(createPrivateKey(pem)))
    return { key: await importJWK(jwk), jwk }
  }
  const first = await publicKeyOf(privateKeyPem)
  const others = await Promise.all(earlierPems.map(publicKeyOf))
  return [first, ...others.filter(({ jwk }) => jwk.kid !== first.jwk.kid)] as const
}

/** From our own keys alone. A token that names none is of the current one. */
async function chosen(keys: ReturnType<typeof keysOf>, kid: string | undefined): Promise<VerifyingKey> {
  const all = await keys
  const found = kid === undefined ? all[0] : all.find(({ jwk }) => jwk.kid === kid)
  if (found === undefined) throw new errors.JWKSNoMatchingKey()
  return found.key
}

/** RFC 7638: its name is its fingerprint, so the same key has the same name in every process. */
async function publish(publicKey: KeyObject): Promise<JWK> {
  const jwk = await exportJWK(publicKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "EdDSA", use: "sig" }
}

const kidOf = async (published: Promise<JWK>) => {
  const { kid } = await published
  return kid === undefined ? {} : { kid }
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw new Refusal("token-expired", "Log in again.")
  if (error instanceof errors.JOSEError) throw new Refusal("token-invalid", "The token is not valid.")
  throw error
}

/**
 * A signature that was good stays good, and to look at it again costs as much as all the rest of a small call. So a token is
 * known by its hash until it expires; one that is not good is never known. What may have changed since is asked elsewhere.
 */
function verifiedOnce(
  now: () => Date,
  verify: (token: string, at: Date) => Promise<{ readonly payload: JWTPayload }>,
) {
  const known = new Map<string, JWTPayload>()
  return async (token: string): Promise<JWTPayload> => {
    const at = now()
    const name = createHash("sha256").update(token).digest("base64")
    const hit = known.get(name)
    // RFC 7519, 4.1.4: by whole seconds, as it is looked at the first time. We write no other time that could refuse it.
    if (hit?.exp !== undefined && hit.exp > Math.floor(at.getTime() / 1000)) return hit
    known.delete(name)
    const { payload } = await verify(token, at)
    if (known.size >= REMEMBER_AT_MOST) known.clear()
    known.set(name, payload)
    return payload
  }
}

const REMEMBER_MS = 1_000
const REMEMBER_AT_MOST = 10_000

/** A token names the key or the login that it came from, and nothing that could have changed since. */
const claimsOf = ({ keyId, via, businessId, kind }: Caller) =>
  via === "session" ? { session: keyId, business: businessId, kind } : { key: keyId }

/**
 * A key that is reset or revoked cuts its tokens off within 5 seconds (AUTH-14), and so does a login that ends: within one,
 * at one query per key and second.
 */
function remembered({ findCaller, findMember, now }: TokenSettings) {
  const known = new Map<string, { readonly caller: Caller | null; readonly untilMs: number }>()
  const found = async (name: string, find: (at: Date) => Promise<Caller | null>) => {
    const at = now()
    const hit = known.get(name)
    if (hit !== undefined && hit.untilMs > at.getTime()) return hit.caller
    const caller = await find(at)
    if (known.size >= REMEMBER_AT_MOST) known.clear()
    known.set(name, { caller, untilMs: at.getTime() + REMEMBER_MS })
    return caller
  }
  return async ({ key, session, business, kind }: JWTPayload): Promise<Caller | null> => {
    if (typeof key === "string") return found(key, (at) => findCaller(key, at))
    if (typeof session !== "string" || typeof business !== "string") return null
    if (kind !== "demo" && kind !== "production") return null
    const member = { sessionId: session, businessId: business, kind } as const
    return found(`${session} ${business} ${kind}`, (at) => findMember(member, at))
  }
}
