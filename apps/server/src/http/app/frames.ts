import { originOf } from "@paraph/core/signature-request/exits"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Parts } from "../../parts.ts"
import { findSigner } from "./session.ts"

/** Security, R25: our pages are in nobody's frame, unless the business whose request it is has named who may. */
export async function allowFrames(parts: Parts, reply: FastifyReply, businessId: string): Promise<void> {
  const { embedOrigins } = await parts.originsOf(businessId)
  if (embedOrigins.length === 0) return
  const policy = String(reply.raw.getHeader("content-security-policy") ?? "")
  // A function, because in a text `$&` would stand for what is replaced; and again only what is an origin.
  const allowed = embedOrigins.filter((origin) => originOf(origin) === origin)
  if (allowed.length === 0) return
  const named = policy.replace("frame-ancestors 'none'", () => `frame-ancestors ${allowed.join(" ")}`)
  reply.header("content-security-policy", named)
  // An older header, which knows no list; browsers that read the policy do not need it.
  reply.raw.removeHeader("x-frame-options")
}

/** The page of the application is one file for everybody: whose request it will show, the session says. */
export function framesOfApplication(app: FastifyInstance, parts: Parts): void {
  app.addHook("preHandler", async (request, reply) => {
    const [path] = request.url.split("?")
    if (path !== "/app/" && path !== "/app/index.html") return
    const signer = await findSigner(parts, request, false)
    if (signer !== null) await allowFrames(parts, reply, signer.businessId)
  })
}
