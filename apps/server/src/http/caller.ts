import type { Caller } from "@paraph/core/access/caller"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"
import { spendOfAddress, spendOfKey } from "./rate-limits.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every operation of the interface but login, before its handler runs. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** An operation that needs no token. Nothing is public unless it says so. */
    readonly public?: boolean
  }
}

/** Part 5.4: from here on in this scope every operation is somebody's; asked before the body is read. */
export function needsToken(app: FastifyInstance, parts: Parts): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.public === true || request.is404) return
    try {
      request.caller = await parts.tokens.verify(request.headers.authorization)
    } catch (error) {
      if (error instanceof Refusal) spendOfAddress(parts, request, reply)
      throw error
    }
    spendOfKey(parts, request, reply)
    request.log = request.log.child({ business: request.caller.businessId })
  })
}
