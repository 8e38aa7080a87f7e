import { IdParams } from "@paraph/contract/shared/fields"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { readPicture, sendPicture } from "@paraph/core/signature-request/send-picture"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { holdBody } from "../body-under-way.ts"
import { mustBeSigner, mustMayAct } from "./session.ts"

/** One at a time of a person: each is held in memory while it comes, and few of one business, so that others get theirs in. */
const SENT = { perCaller: 1, perOwner: 8, total: 32 }
/** Each takes a process. */
const CLEANED = { perCaller: 1, perOwner: 4, total: 8 }

/** At 1 Mbit/s the largest takes 40 seconds. */
const SEND_MS = 45_000

/** A little more than is allowed is read, so that the refusal says what is wrong. */
const READ_BYTES = LIMITS.pictureBytes + 65_536

/** A picture that somebody wants to sign with. What it says it is does not count: a limited process looks at its bytes. */
export function picture(app: FastifyInstance, parts: Parts): void {
  const sent = createInFlightLimiter(SENT)
  const cleaned = createInFlightLimiter(CLEANED)
  app.register(async (scope) => {
    scope.addContentTypeParser(
      ["image/png", "image/jpeg"],
      { parseAs: "buffer", bodyLimit: READ_BYTES },
      (_, body, done) => done(null, body),
    )

    // Before the body is read: nobody else's is, and no more than there are places.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const signer = await mustMayAct(parts, request)
      const end = sent.begin(ownerOf(signer), signer.signatureId)
      if (typeof end === "string") throw BUSY()
      holdBody(request, reply, SEND_MS, end)
    }
    scope.post("/app/api/signature/picture", { bodyLimit: READ_BYTES, onRequest }, async (request, reply) => {
      const signer = await mustMayAct(parts, request)
      if (!(request.body instanceof Uint8Array) || request.body.length === 0)
        throw new Refusal("unsupported-media-type", "A picture is sent as image/png or image/jpeg.")
      if (request.body.length > LIMITS.pictureBytes)
        throw new Refusal("body-too-large", "The picture is larger than 5 MB.")
      const end = cleaned.begin(ownerOf(signer), signer.signatureId)
      if (typeof end === "string") throw BUSY()
      try {
        const { width, height, png } = await parts.cleanPicture(request.body, signer)
        const id = await sendPicture(parts, signer, png)
        return reply.code(201).send({ id, width, height })
      } finally {
        end()
      }
    })

    scope.get<{ Params: { id: string } }>(
      "/app/api/signature/picture/:id",
      { schema: { params: IdParams } },
      async (request, reply) => {
        const signer = await mustBeSigner(parts, request)
        const png = await readPicture(parts, signer, request.params.id)
        return reply.type("image/png").header("cache-control", "private, no-store").send(Buffer.from(png))
      },
    )
  })
}

const BUSY = () =>
  new Refusal("rate-limited", "Another picture is being looked at.", { retryAfterSeconds: 1 })
