import { keepLogo, mustChangeLogo, readLogo, removeLogo } from "@paraph/core/branding/logo"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { holdBody } from "../body-under-way.ts"

/** One at a time of a business: each is held in memory while it comes, and takes a process. */
const SENT = { perOwner: 1, total: 8 }
/** At 128 kbit/s the largest takes 32 seconds. */
const SEND_MS = 45_000
/** A little more than is allowed is read, so that the refusal says what is wrong. */
const READ_BYTES = LIMITS.logoBytes + 65_536

const TYPES = ["image/png", "image/jpeg"]
/** Of any form: a limited process looks at the bytes. */
const Picture = { content: Object.fromEntries(TYPES.map((type) => [type, { schema: {} }])) }
const Png = { content: { "image/png": { schema: {} } } }

/** What it says it is does not count: it is cleaned as a picture to sign with is, in a process that can do no harm. */
export function logo(app: FastifyInstance, parts: Parts): void {
  const sent = createInFlightLimiter(SENT)
  app.register(async (scope) => {
    scope.addContentTypeParser(TYPES, { parseAs: "buffer", bodyLimit: READ_BYTES }, (_, body, done) =>
      done(null, body),
    )

    // Before the body is read: nobody else's is, and no more than there are places.
    const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
      mustChangeLogo(request.caller)
      const end = sent.begin(ownerOf(request.caller))
      if (typeof end === "string")
        throw new Refusal("rate-limited", "Another logo is being looked at.", { retryAfterSeconds: 1 })
      holdBody(request, reply, SEND_MS, end)
    }
    const keep = {
      operationId: "putLogo",
      summary: "Set the logo of the business",
      description: "For owners and admins. A PNG or a JPEG of at most 512 KB; it is shown on white.",
      body: Picture,
      response: { 204: Type.Null() },
    }
    scope.put(
      "/settings/logo",
      { schema: keep, bodyLimit: READ_BYTES, preParsing },
      async (request, reply) => {
        const { body, caller } = request
        if (!(body instanceof Uint8Array) || body.length === 0)
          throw new Refusal("unsupported-media-type", "A logo is sent as image/png or image/jpeg.")
        if (body.length > LIMITS.logoBytes)
          throw new Refusal("body-too-large", "The logo is larger than 512 KB.")
        await keepLogo(parts, caller, await parts.cleanPicture(body, caller, "logo"))
        return reply.code(204).send()
      },
    )
  })
  reading(app, parts)
}

function reading(app: FastifyInstance, parts: Parts): void {
  const read = {
    operationId: "getLogo",
    summary: "Read the logo of the business",
    description: "As it was cleaned: a PNG on white.",
    response: { 200: Png },
    problems: [404],
  }
  app.get("/settings/logo", { schema: read }, async ({ caller }, reply) => {
    const { png } = await readLogo(parts, caller)
    return reply.type("image/png").send(Buffer.from(png))
  })

  const remove = {
    operationId: "deleteLogo",
    summary: "Remove the logo of the business",
    description: "For owners and admins.",
    response: { 204: Type.Null() },
    problems: [404],
  }
  app.delete("/settings/logo", { schema: remove }, async ({ caller }, reply) => {
    await removeLogo(parts, caller)
    return reply.code(204).send()
  })
}
