import type { Caller } from "@paraph/core/access/caller"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { useProblems } from "../problems.ts"
import { documents } from "./documents.ts"
import { login } from "./login.ts"
import { signatureRequests } from "./signature-requests.ts"

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

/** Version 2 of the interface: one file per resource, no decisions. */
export async function v2(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: parts.publicUrl })
  app.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.public === true || request.is404) return
    request.caller = await parts.tokens.verify(request.headers.authorization)
    request.log = request.log.child({ business: request.caller.businessId })
  })
  login(app, parts)
  documents(app, parts)
  signatureRequests(app, parts)
}
