import { beginIdentification, mayBegin } from "@paraph/core/identification/begin"
import { comeBack, type Outcome } from "@paraph/core/identification/come-back"
import type { IdentityProvider } from "@paraph/core/identification/ports"
import { IdentificationFailed } from "@paraph/gateways/identification-failed"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { unreachable } from "../../identification-parts.ts"
import type { Parts } from "../../parts.ts"
import { identificationWays } from "./identification-ways.ts"
import { languageFor } from "./language.ts"
import { mustMayAct } from "./session.ts"
import type { Way } from "./ways.ts"

type OfProvider = { Params: { kind: string; provider: string } }

/** A signer on the way to the provider of identification and back (XQ-01). */
export function identify(app: FastifyInstance, parts: Parts): void {
  app.post("/app/api/signature/identify", { bodyLimit: 1024 }, async (request, reply) => {
    const signer = await mustMayAct(parts, request)
    const { kind, identification, signature } = await mayBegin(parts, signer)
    const provider = parts.identityProviderOf(identification.provider, kind)
    const way = identificationWays.begin(parts, request, reply)
    const language = languageFor(request, signer.arrival.language, signature.language)
    const asked = { ...askedBy(parts, provider, way), language }
    const url = await parts.identityGateway.begin(provider, asked).catch(inWords)
    const begun = await beginIdentification(parts, signer)
    await parts.insertWay(way.hashes, begun.identification)
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
  const way = identificationWays.comeBack(parts, request)
  if (provider === undefined || way === null) return
  const taken = await parts.takeWay(way.hashes, name)
  if (taken === null) return
  const settings = parts.identityProviderOf(name, provider.kind)
  const query = request.url.slice(request.url.indexOf("?"))
  const asked = askedBy(parts, provider, way)
  const outcome = await parts.identityGateway.finish(settings, asked, query).catch((error: unknown) => {
    if (!(error instanceof IdentificationFailed)) throw error
    request.log.info({ error, provider: name, why: error.code }, "identification refused")
    return OUTCOMES[error.code]
  })
  // It can be begun again at once: nothing was told, and nothing is owed.
  const browserHash = Buffer.from(way.hashes.browserHash).toString("hex")
  if (outcome !== null) await comeBack(parts, taken, taken.attempt, outcome, browserHash)
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

const askedBy = (parts: Parts, provider: Pick<IdentityProvider, "name" | "kind">, way: Way) => ({
  redirectUri: parts.identifyCallback(provider),
  state: way.state,
  nonce: way.made("nonce"),
  verifier: way.made("verifier"),
})
