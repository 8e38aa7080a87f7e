import { Refusal } from "@paraph/core/refusal"
import type { Spent } from "@paraph/store/limiter"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../parts.ts"
import { networkOf } from "./network.ts"
import { isOurOwn } from "./our-own.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** An operation that is counted by itself, not among the changes. */
    readonly rate?: "validate"
  }
}

/** Part 8: whatever nobody's key is asked for is limited by address, generously; operations are limited by key. */
export function limitsAddresses(server: FastifyInstance, parts: Parts): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!isOperation(request)) spendOfAddress(parts, request, reply)
  })
}

/** An operation of the interface that needs a token; what is public, and what does not exist, is none. */
function isOperation({ routeOptions, is404 }: FastifyRequest): boolean {
  return (
    !is404 && routeOptions.config.public !== true && /^\/(validation\/)?v\d+\//.test(routeOptions.url ?? "")
  )
}

/** Also for whoever has no good token: guessing is limited like looking. */
export function spendOfAddress(parts: Parts, request: FastifyRequest, reply: FastifyReply): void {
  mustHaveLeft(reply, parts.rates.ofAddress(networkOf(request.ip)))
}

export function spendOfKey(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  rate: Rate = rateOf(request),
): void {
  if (isOurOwn(request)) return
  // A person logs in as often as they like: what they may spend is one, like that of a key.
  const { userId, via, keyId } = request.caller
  const who = via === "session" ? userId : keyId
  mustHaveLeft(reply, parts.rates[rate](who))
}

/** `orderProtocol`: besides being read, what has to be made first. */
type Rate = "read" | "write" | "validate" | "orderProtocol"

function rateOf({ method, routeOptions }: FastifyRequest): Rate {
  return routeOptions.config.rate ?? (method === "GET" || method === "HEAD" ? "read" : "write")
}

/** The headers of draft-ietf-httpapi-ratelimit-headers; and `Retry-After` where nothing is left. */
export function mustHaveLeft(reply: FastifyReply, spent: Spent): void {
  reply
    .header("ratelimit-limit", spent.limit)
    .header("ratelimit-remaining", spent.remaining)
    .header("ratelimit-reset", spent.resetSeconds)
  const { retryAfterSeconds } = spent
  if (retryAfterSeconds > 0)
    throw new Refusal("rate-limited", "Too many requests. Wait and try again.", { retryAfterSeconds })
}
