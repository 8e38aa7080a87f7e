import { createHmac } from "node:crypto"
import { beginIdentification, mayBegin } from "@paraph/core/identification/begin"
import { comeBack, type Outcome } from "@paraph/core/identification/come-back"
import type { IdentityProvider } from "@paraph/core/identification/ports"
import { LIMITS } from "@paraph/core/limits"
import { IdentificationFailed } from "@paraph/gateways/identification-failed"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { unreachable } from "../../identification-parts.ts"
import type { Parts } from "../../parts.ts"
import { hashOf, newSecret } from "../../secrets.ts"
import { languageFor } from "./language.ts"
import { mustBeOurPage, mustMayAct } from "./session.ts"

type OfProvider = { Params: { kind: string; provider: string } }

/** A signer on the way to the provider of identification and back (XQ-01). */
export function identify(app: FastifyInstance, parts: Parts): void {
  app.post("/app/api/signature/identify", { bodyLimit: 1024 }, async (request, reply) => {
    mustBeOurPage(parts, request, "app")
    const signer = await mustMayAct(parts, request)
    const { kind, identification, signature } = await mayBegin(parts, signer)
    const provider = parts.identityProviderOf(identification.provider, kind)
    const [secret, state] = [heldSecret(parts, request) ?? newSecret(), newSecret()]
    const language = languageFor(request, signer.arrival.language, signature.language)
    const way = { ...wayOf(parts, provider, secret, state), language }
    const url = await parts.identityGateway.begin(provider, way).catch(inWords)
    const begun = await beginIdentification(parts, signer)
    const hashes = { stateHash: hashOf(state), browserHash: hashOf(secret) }
    await parts.insertWay(hashes, begun.identification)
    holdSecret(parts, reply, secret)
    return { url }
  })

  app.get<OfProvider>("/identify/callback/:kind/:provider", async (request, reply) => {
    reply.header("cache-control", "no-store")
    await come(parts, request)
    // Whoever has no session here any more is told there to open the link again; what they brought is kept.
    return reply.redirect("/app/", 303)
  })
}

/**
 * The way is taken before its code is used, so that each is used once; it takes this very browser, and another process will do. A
 * session may have ended since: providers take people's time, and what was done there is not lost with it.
 */
async function come(parts: Parts, request: FastifyRequest<OfProvider>): Promise<void> {
  const { kind, provider: name } = request.params
  const provider = parts.identityProviders.find((one) => one.name === name && one.kind === kind)
  const { state } = request.query as { readonly state?: unknown }
  const secret = heldSecret(parts, request)
  if (provider === undefined || typeof state !== "string" || secret === null) return
  const taken = await parts.takeWay({ stateHash: hashOf(state), browserHash: hashOf(secret) }, name)
  if (taken === null) return
  const settings = parts.identityProviderOf(name, provider.kind)
  const query = request.url.slice(request.url.indexOf("?"))
  const way = wayOf(parts, provider, secret, state)
  const outcome = await parts.identityGateway.finish(settings, way, query).catch((error: unknown) => {
    if (!(error instanceof IdentificationFailed)) throw error
    request.log.info({ error, provider: name, why: error.code }, "identification refused")
    return OUTCOMES[error.code]
  })
  // It can be begun again at once: nothing was told, and nothing is owed.
  if (outcome !== null) await comeBack(parts, taken, taken.attempt, outcome)
}

const OUTCOMES = {
  refused: "refused",
  "invalid-answer": "answer-invalid",
  unreachable: null,
} as const satisfies Record<IdentificationFailed["code"], Outcome | null>

function inWords(error: unknown): never {
  if (!(error instanceof IdentificationFailed)) throw error
  throw unreachable(error)
}

/** Made of what the browser holds and of the state: the database knows neither, so that it takes this very browser to go on. */
function wayOf(
  parts: Parts,
  provider: Pick<IdentityProvider, "name" | "kind">,
  secret: string,
  state: string,
) {
  const made = (what: string) =>
    createHmac("sha256", secret).update(`identify ${what} ${state}`).digest("base64url")
  const redirectUri = parts.identifyCallback(provider)
  return { redirectUri, state, nonce: made("nonce"), verifier: made("verifier") }
}

const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")
const cookieName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-identify" : "paraph-identify")

/** The same for several ways, so that a second document in another tab does not take the first one's away. */
function heldSecret(parts: Parts, request: FastifyRequest): string | null {
  const held = request.cookies[cookieName(parts)] ?? ""
  return /^[\w-]{43}$/.test(held) ? held : null
}

/** Lax: the provider sends the browser back from another site. */
const holdSecret = (parts: Parts, reply: FastifyReply, secret: string) =>
  reply.setCookie(cookieName(parts), secret, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isHttps(parts),
    maxAge: LIMITS.identificationWayMs / 1000,
  })
