import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"

const CHANGES_NOTHING = ["GET", "HEAD", "OPTIONS"]
/** Where people come in by an address that holds a secret, or with a login. */
const DOORS = /^\/(sign|preview|view)\//

/** For every route of the scope, those included that somebody adds tomorrow; before a body is read. */
export function ourPagesOnly(app: FastifyInstance, parts: Parts): void {
  app.addHook("onRequest", async (request) => {
    if (CHANGES_NOTHING.includes(request.method)) return
    mustBeOurPage(parts, request, DOORS.test(request.routeOptions.url ?? "") ? "door" : "app")
  })
}

/**
 * A state changes only by a POST of our own pages (security, R27); browsers say where a request comes from. Under
 * `no-referrer` a form hides its origin, so the older browsers that do not send Sec-Fetch-Site say "null" at the
 * door, where the token of the address is the proof.
 */
export function mustBeOurPage(parts: Parts, request: FastifyRequest, where: "door" | "app"): void {
  const { origin, "sec-fetch-site": site } = request.headers
  const ours =
    site === undefined
      ? origin === parts.publicUrl || (where === "door" && origin === "null")
      : site === "same-origin"
  if (!ours) throw new Refusal("cross-site", "This request did not come from our own page.")
}
