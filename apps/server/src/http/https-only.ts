import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"
import { isOurOwn } from "./our-own.ts"

/**
 * Part 5.7. TLS ends at the operator's proxy, so it is the proxy that says how a request came to it; anybody else's word
 * for it counts for nothing (`trustProxy`). A redirect would let a client go on for years sending its key in plain first;
 * so it is refused. Whoever looks after the process from inside may still ask for its health.
 */
export function httpsOnly(server: FastifyInstance, { publicUrl }: Pick<Parts, "publicUrl">): void {
  if (!publicUrl.startsWith("https:")) return
  server.addHook("onRequest", async (request) => {
    if (request.protocol === "https" || isOurOwn(request)) return
    if (request.routeOptions.url?.startsWith("/management/health")) return
    // RFC 5280, 8: whoever checks a certificate must not have to check one for it. What is there is signed, and nobody's secret.
    if (request.routeOptions.url?.startsWith("/pki/")) return
    throw new Refusal("https-needed", "This service is reached by https alone. Reset what you sent in plain.")
  })
}
