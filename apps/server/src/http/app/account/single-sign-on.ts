import { createHmac } from "node:crypto"
import { Email } from "@paraph/contract/shared/fields"
import {
  domainOf,
  logInBySingleSignOn,
  type SingleSignOn,
  SingleSignOnRefused,
  type WhyRefused,
} from "@paraph/core/account/single-sign-on"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { isUuid } from "@paraph/core/uuid"
import { OpenIdFailed } from "@paraph/gateways/openid-failed"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { hashOf, newSecret } from "../../../secrets.ts"
import { inWords } from "../../../single-sign-on-parts.ts"
import { spendOfNetwork } from "./logins.ts"
import { comingSession, holdSession } from "./session.ts"

const HOME = "/account/security"
const DomainBody = Type.Object({ domain: Type.String({ maxLength: 253 }) })
const StartBody = Type.Object({
  email: Email,
  // A path of our own and nothing else, as the page itself takes it: browsers read `//host` as another place.
  next: Type.Optional(
    Type.String({
      maxLength: 4000,
      pattern: "^/(?!.*//)(view|account|console)/[\\w~!$&'()*+,;=:@%./?-]*$",
    }),
  ),
})
const SMALL = { bodyLimit: 8192 }

/** How people come in by a provider of their business: there, with a secret that stays in the browser, and back. */
export function singleSignOn(app: FastifyInstance, parts: Parts): void {
  // Of a domain, not of an address: nobody learns of a person by it, and nobody is told whom we were asked for.
  app.post<{ Body: Type.Static<typeof DomainBody> }>(
    "/app/api/account/single-sign-on",
    { ...SMALL, schema: { body: DomainBody } },
    async (request, reply) => {
      await spendOfNetwork(parts, request, reply)
      const found = await parts.singleSignOnOf(request.body.domain.toLowerCase())
      return found === null ? {} : { business: found.name, enforced: found.enforced }
    },
  )

  app.post<{ Body: Type.Static<typeof StartBody> }>(
    "/app/api/account/single-sign-on/start",
    { ...SMALL, schema: { body: StartBody } },
    async (request, reply) => {
      await spendOfNetwork(parts, request, reply)
      const { email, next = HOME } = request.body
      const found = await parts.singleSignOnOf(domainOf(email))
      const by = found && (await parts.findSingleSignOn(found.businessId))
      if (by === null) throw new Refusal("not-found", "There is no single sign-on for this address.")
      return { url: await begin(parts, reply, by, email, next) }
    },
  )

  app.get<{ Params: { business: string } }>("/account/sso/callback/:business", async (request, reply) => {
    reply.header("cache-control", "no-store")
    return come(parts, request, reply)
  })
}

async function begin(
  parts: Parts,
  reply: FastifyReply,
  by: SingleSignOn,
  emailHint: string,
  next: string,
): Promise<string> {
  const [secret, state] = [newSecret(), newSecret()]
  const way = wayOf(parts, by.businessId, secret, state)
  const url = await parts.openId.begin(by, { ...way, emailHint }).catch(inWords)
  const { businessId } = by
  await parts.insertAttempt({ stateHash: hashOf(state), browserHash: hashOf(secret), businessId }, next)
  holdSecret(parts, reply, secret)
  return url
}

/** Whatever is wrong, the person is back at the login, which says it in words; why exactly is in the log. */
async function come(
  parts: Parts,
  request: FastifyRequest<{ Params: { business: string } }>,
  reply: FastifyReply,
) {
  let next: string | null = null
  try {
    const { state } = request.query as { readonly state?: unknown }
    const secret = request.cookies[cookieName(parts)] ?? ""
    const businessId = request.params.business.toLowerCase()
    const by = isUuid(businessId) ? await parts.findSingleSignOn(businessId) : null
    if (by === null || typeof state !== "string") throw new SingleSignOnRefused("again")
    const hashes = { stateHash: hashOf(state), browserHash: hashOf(secret) }
    next = await parts.takeAttempt({ ...hashes, businessId })
    if (next === null) throw new SingleSignOnRefused("again")
    const query = request.url.slice(request.url.indexOf("?"))
    const identity = await parts.openId.finish(by, wayOf(parts, businessId, secret, state), query)
    const coming = comingSession(parts, request)
    const result = await logInBySingleSignOn(parts, { by, identity }, coming.session)
    dropSecret(parts, reply)
    // Behind the `#`, which no server is told; the page takes it away at once, and it opens nothing without the code.
    if ("step" in result) return reply.redirect(`${loginPage({ next })}#second=${result.step}`, 303)
    holdSession(parts, reply, coming)
    return reply.redirect(next, 303)
  } catch (error) {
    const why = whyOf(error)
    if (why === null) throw error
    request.log.info({ error, why }, "single sign-on refused")
    return reply.redirect(loginPage({ sso: why, ...(next !== null && { next }) }), 303)
  }
}

function whyOf(error: unknown): WhyRefused | null {
  if (error instanceof SingleSignOnRefused) return error.why
  return error instanceof OpenIdFailed ? "unproved" : null
}

const loginPage = (query: Record<string, string>): string =>
  `/account/login?${new URLSearchParams(query).toString()}`

/**
 * Made of what the browser holds and of the state: the database knows neither, so that it takes this very browser to go on. What
 * comes back with another one's state fits no cookie, and what was meant for one state fits no other.
 */
function wayOf(parts: Parts, businessId: string, secret: string, state: string) {
  const made = (what: string) => createHmac("sha256", secret).update(`${what} ${state}`).digest("base64url")
  const redirectUri = parts.redirectUri(businessId)
  return { redirectUri, state, nonce: made("nonce"), verifier: made("verifier") }
}

const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")
const cookieName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-sso" : "paraph-sso")

/** Lax: the provider sends the browser back from another site. */
const cookieOf = (parts: Parts) =>
  ({ httpOnly: true, sameSite: "lax", path: "/", secure: isHttps(parts) }) as const

const holdSecret = (parts: Parts, reply: FastifyReply, secret: string) =>
  reply.setCookie(cookieName(parts), secret, {
    ...cookieOf(parts),
    maxAge: LIMITS.singleSignOnWayMs / 1000,
  })

const dropSecret = (parts: Parts, reply: FastifyReply) =>
  reply.clearCookie(cookieName(parts), cookieOf(parts))
