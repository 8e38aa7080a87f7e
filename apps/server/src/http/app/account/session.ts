import { randomUUID } from "node:crypto"
import type { NewAccountSession } from "@paraph/core/account/model"
import type { Signed } from "@paraph/core/account/secure"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../../parts.ts"
import { hashOf, newSecret } from "../../../secrets.ts"
import { networkOf } from "../../network.ts"
import { languageFor } from "../language.ts"
import { dropSigner } from "../session.ts"
import { browserName } from "./browser-name.ts"

const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")
const cookieName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-account" : "paraph-account")

/** A login that is about to be: what the browser will hold, and what we keep of it. */
export type ComingSession = { readonly secret: string; readonly session: NewAccountSession }

export function comingSession(parts: Parts, request: FastifyRequest): ComingSession {
  const secret = newSecret()
  const browser = browserName(request.headers["user-agent"] ?? "")
  const session = { id: randomUUID(), idHash: hashOf(secret), browser, network: placeOf(request.ip) }
  const presented = request.cookies[cookieName(parts)]
  return { secret, session: presented ? { ...session, replaces: hashOf(presented) } : session }
}

/** Enough for somebody to know their own places by, and no more. */
export function placeOf(address: string): string {
  const network = networkOf(address)
  return network.includes(":") ? network : network.replace(/\.\d+$/, ".x")
}

export function holdSession(parts: Parts, reply: FastifyReply, { secret }: ComingSession): void {
  reply.setCookie(cookieName(parts), secret, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isHttps(parts),
    maxAge: LIMITS.accountSessionMs / 1000,
  })
}

const askingName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-asking" : "paraph-asking")

/** A mailed code counts in the browser that asked for it alone; answers by what that is known. */
export function holdAsking(parts: Parts, reply: FastifyReply): string {
  const secret = newSecret()
  reply.setCookie(askingName(parts), secret, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isHttps(parts),
    maxAge: (2 * LIMITS.accountCodeMs) / 1000,
  })
  return known(secret)
}

/** Of a browser that asked for nothing there is no code. */
export const askingOf = (parts: Parts, request: FastifyRequest): string =>
  known(request.cookies[askingName(parts)] ?? "")

const known = (secret: string): string => Buffer.from(hashOf(secret)).toString("base64url")

export function dropSession(parts: Parts, reply: FastifyReply): void {
  reply.clearCookie(cookieName(parts), { path: "/", secure: isHttps(parts), httpOnly: true, sameSite: "lax" })
  // Whoever uses this browser next would go on as the signer; by a mailed link they come in again.
  dropSigner(parts, reply)
}

/** The person behind the cookie; null when nobody is logged in, or it was too long ago. */
export async function findSignedIn(parts: Parts, request: FastifyRequest): Promise<Signed | null> {
  const secret = request.cookies[cookieName(parts)]
  const session = secret ? await parts.accountSession(hashOf(secret)) : null
  const account = session && (await parts.accounts.find(session.accountId))
  return session && account && { session, account, language: languageFor(request, null) }
}

export async function mustBeSignedIn(parts: Parts, request: FastifyRequest): Promise<Signed> {
  const signed = await findSignedIn(parts, request)
  if (signed === null) throw new Refusal("token-invalid", "Log in first.")
  return signed
}
