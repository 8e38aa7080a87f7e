import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/seal"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { changeSealImage, listSeals, mustChangeSeals, readSealImage } from "@paraph/core/seal/read"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { holdBody } from "../body-under-way.ts"
import { sealBatches } from "./batches.ts"

type ById = { Params: { id: string } }

/** One at a time of a business: each is held in memory while it comes, and takes a process. */
const SENT = { perOwner: 1, total: 8 }
/** At 128 kbit/s the largest takes 32 seconds. */
const SEND_MS = 45_000
const READ_BYTES = LIMITS.sealImageBytes + 65_536
const TYPES = ["image/png", "image/jpeg"]
/** Of any form: a limited process looks at the bytes. */
const Picture = { content: Object.fromEntries(TYPES.map((type) => [type, { schema: {} }])) }
const Png = { content: { "image/png": { schema: {} } } }

/** An addition to v3: which seals there are, what they show, and many of them at once. */
export function seals(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listSeals",
    summary: "List the company's seals",
    description:
      "Those that can be used with the key that asks, or will be; the first is used unless another is named.",
    response: { 200: Type.Array(v.Seal) },
  }
  app.get("/seals", { schema: list }, async ({ caller }) => {
    const now = parts.now()
    return (await listSeals(parts, caller)).map((seal) => v.writeSeal(seal, now))
  })
  images(app, parts)
  changingImages(app, parts)
  sealBatches(app, parts)
}

function images(app: FastifyInstance, parts: Parts): void {
  const read = {
    operationId: "getSealImage",
    summary: "Read the picture that a seal shows",
    description: "As it was cleaned.",
    params: IdParams,
    response: { 200: Png },
  }
  app.get<ById>("/seals/:id/image", { schema: read }, async ({ caller, params }, reply) => {
    const png = await readSealImage(parts, caller, params.id)
    return reply.type("image/png").send(Buffer.from(png))
  })

  const remove = {
    operationId: "deleteSealImage",
    summary: "Remove the picture of a seal",
    description: "For owners and admins. It shows the company's name and the time again.",
    params: IdParams,
    response: { 204: Type.Null() },
    problems: [404],
  }
  app.delete<ById>("/seals/:id/image", { schema: remove }, async ({ caller, params }, reply) => {
    await changeSealImage(parts, caller, params.id, null)
    return reply.code(204).send()
  })
}

function changingImages(app: FastifyInstance, parts: Parts): void {
  const sent = createInFlightLimiter(SENT)
  app.register(async (scope) => {
    scope.addContentTypeParser(TYPES, { parseAs: "buffer", bodyLimit: READ_BYTES }, (_, body, done) =>
      done(null, body),
    )
    // Before the body is read: nobody else's is, and no more than there are places.
    const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
      mustChangeSeals(request.caller)
      const end = sent.begin(ownerOf(request.caller))
      if (typeof end === "string")
        throw new Refusal("rate-limited", "Another picture is being looked at.", { retryAfterSeconds: 1 })
      holdBody(request, reply, SEND_MS, end)
    }
    const keep = {
      operationId: "putSealImage",
      summary: "Set the picture that a seal shows",
      description: "For owners and admins. A PNG or a JPEG of at most 512 KB.",
      params: IdParams,
      body: Picture,
      response: { 204: Type.Null() },
      problems: [404],
    }
    scope.put<ById>(
      "/seals/:id/image",
      { schema: keep, bodyLimit: READ_BYTES, preParsing },
      async ({ body, caller, params }, reply) => {
        if (!(body instanceof Uint8Array) || body.length === 0)
          throw new Refusal("unsupported-media-type", "A picture is sent as image/png or image/jpeg.")
        if (body.length > LIMITS.sealImageBytes)
          throw new Refusal("body-too-large", "The picture is larger than 512 KB.")
        await changeSealImage(parts, caller, params.id, (await parts.cleanPicture(body, caller)).png)
        return reply.code(204).send()
      },
    )
  })
}
