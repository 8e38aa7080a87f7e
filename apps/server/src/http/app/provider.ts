import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { cameBack } from "@paraph/core/remote-key/come-back"
import { type Going, mayGo } from "@paraph/core/remote-key/go"
import type { CscAlgorithm, CscAsked } from "@paraph/gateways/csc"
import { CscFailed } from "@paraph/gateways/csc-failed"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { tokenOf } from "../../remote-key-parts.ts"
import { languageFor } from "./language.ts"
import { mustMayAct } from "./session.ts"
import { createWays, type Way } from "./ways.ts"

type OfProvider = { Params: { provider: string } }

const ways = createWays("qes", LIMITS.providerTurnAloneMs)

/** A signer on the way to the provider that holds the key, and back: first to log in, then to release it (ADR 0046). */
export function provider(app: FastifyInstance, parts: Parts): void {
  app.post("/app/api/signature/release/provider", { bodyLimit: 1024 }, async (request, reply) => {
    const signer = await mustMayAct(parts, request)
    const going = await mayGo(parts, signer)
    const { signature, releaseId, visit } = going
    const way = ways.begin(parts, request, reply)
    const language = languageFor(request, signer.arrival.language, signature.language)
    const email = signature.email === null ? {} : { loginHint: signature.email }
    const asked = { ...wayOf(parts, going.provider, way), ...releaseOf(going), language, ...email }
    const there = parts.remoteProviderOf(going.provider, going.request.kind)
    const url = await there.authorizationUrl(asked).catch(inWords)
    // On record before the person goes.
    await parts.insertRemoteWay(way.hashes, { releaseId, visit })
    return { url }
  })

  app.get<OfProvider>("/qes/:provider/callback", async (request, reply) => {
    reply.header("cache-control", "no-store")
    await come(parts, request)
    // Whoever has no session here any more is told there to open the link again; what they brought is kept.
    return reply.redirect("/app/", 303)
  })
}

/**
 * The way is taken before its code is used: a code that is used twice ends its token (RFC 6749, 4.1.2). Whatever dies then leaves
 * nothing signed and nothing paid, and the person presses once more, for the same hashes.
 */
async function come(parts: Parts, request: FastifyRequest<OfProvider>): Promise<void> {
  const { provider: name } = request.params
  const known = parts.remoteProviders.find((one) => one.name === name)
  const way = ways.comeBack(parts, request)
  if (known === undefined || way === null) return
  const taken = await parts.takeRemoteWay(way.hashes, name)
  if (taken === null) return
  const query = request.url.slice(request.url.indexOf("?"))
  const outcome = await parts
    .remoteProviderOf(name, known.kind)
    .exchange(wayOf(parts, name, way), query)
    .then(tokenOf, (error: unknown) => parts.remoteProblem(name, error))
  await cameBack(parts, taken, outcome)
}

const wayOf = (parts: Parts, name: string, way: Way) => ({
  redirectUri: parts.remoteCallback(name),
  state: way.state,
  codeVerifier: way.made("verifier"),
})

type Asked = CscAsked extends infer One
  ? One extends { readonly scope: string }
    ? Omit<One, "redirectUri" | "state" | "codeVerifier">
    : never
  : never

function releaseOf(going: Going): Asked {
  if (going.visit === "log-in") return { scope: "service" }
  const { key, intents, request, signature } = going
  return {
    scope: "credential",
    credentialId: key.credentialId,
    algorithm: key.algorithm as CscAlgorithm,
    toBeSigned: intents.map(({ prepared }) => Buffer.from(prepared.signedAttributes, "base64")),
    description: request.title,
    reference: signature.id,
  }
}

function inWords(error: unknown): never {
  if (!(error instanceof CscFailed)) throw error
  throw new Refusal("part-down", error.message, { cause: error, retryAfterSeconds: 30 })
}
