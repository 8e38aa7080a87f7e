import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"

/** Decisions, "v1": deprecated since our first release. RFC 9745 writes it in seconds. */
const FIRST_RELEASE = new Date("2026-12-01T00:00:00Z")

/** SR-29: every answer of version 1 says that there is a newer one; when it ends, only once the operator has said so. */
export function deprecated(app: FastifyInstance, { publicUrl, v1Sunset }: Parts): void {
  const next = `${publicUrl}/v2/api-docs`
  const links = `<${next}>; rel="deprecation"; type="application/json", <${next}>; rel="successor-version"`
  app.addHook("onSend", async (_, reply) => {
    const others = reply.getHeader("link")
    reply
      .header("deprecation", `@${FIRST_RELEASE.getTime() / 1000}`)
      .header("link", typeof others === "string" ? `${others}, ${links}` : links)
    // RFC 8594.
    if (v1Sunset !== null) reply.header("sunset", v1Sunset.toUTCString())
  })
}

/** SR-29: every answer of version 3 says that it may change before it is generally available. */
export function preview(app: FastifyInstance): void {
  app.addHook("onSend", async (_, reply) => void reply.header("x-paraph-preview", "true"))
}
