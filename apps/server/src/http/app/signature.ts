import { TEXT, Uuid } from "@paraph/contract/shared/fields"
import { LIMITS } from "@paraph/core/limits"
import { decline } from "@paraph/core/signature-request/decline"
import { press } from "@paraph/core/signature-request/press"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { mustBeSigner, mustMayAct } from "./session.ts"
import { writeView } from "./view.ts"

const EXACT = { additionalProperties: false }
const points = Type.Number({ minimum: 0, maximum: 14_400 })
const PositionBody = Type.Object(
  {
    page: Type.Integer({ minimum: 0, maximum: 100_000 }),
    x: points,
    y: points,
    width: points,
    height: points,
  },
  EXACT,
)
const side = Type.Integer({ minimum: 1, maximum: LIMITS.canvasSide })
const Stroke = Type.Array(Type.Integer({ minimum: 0, maximum: LIMITS.canvasSide }), {
  minItems: 2,
  maxItems: 2 * LIMITS.pointsPerDrawing,
})
/** What is shown where the mark is seen (VIS-07). */
const LookBody = Type.Union([
  Type.Object({ type: Type.Literal("plain") }, EXACT),
  Type.Object(
    {
      type: Type.Literal("typed"),
      font: Type.Union([Type.Literal("caveat"), Type.Literal("dancing-script"), Type.Literal("allura")]),
    },
    EXACT,
  ),
  Type.Object(
    {
      type: Type.Literal("drawn"),
      width: side,
      height: side,
      strokes: Type.Array(Stroke, { minItems: 1, maxItems: LIMITS.strokesPerDrawing }),
    },
    EXACT,
  ),
  Type.Object({ type: Type.Literal("picture"), id: Uuid }, EXACT),
])
/** A drawing of all the points that are allowed, and all places. */
const SIGN_BYTES = 200_000

const SignBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: LIMITS.signerNameCharacters, pattern: TEXT }),
  consentVersion: Type.String({ maxLength: 100 }),
  /** The ids of the documents that the page showed. */
  shown: Type.Array(Uuid, { maxItems: LIMITS.documentsPerRequest }),
  /** The name of the provider at which the signer has a certificate. */
  provider: Type.Optional(Type.String({ maxLength: 40, pattern: "^[a-z0-9-]*$" })),
  look: Type.Optional(LookBody),
  places: Type.Optional(
    Type.Array(Type.Object({ documentId: Uuid, position: Type.Union([PositionBody, Type.Null()]) }, EXACT), {
      maxItems: LIMITS.placesPerConsent,
    }),
  ),
})
const DeclineBody = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: LIMITS.declineReasonCharacters, pattern: TEXT })),
})

/** What the web application calls; private, not a contract. */
export function signature(app: FastifyInstance, parts: Parts): void {
  app.get("/app/api/signature", async (request) =>
    writeView(parts, request, await mustBeSigner(parts, request)),
  )

  app.post<{ Body: Type.Static<typeof SignBody> }>(
    "/app/api/signature/sign",
    { bodyLimit: SIGN_BYTES, schema: { body: SignBody } },
    async (request, reply) => {
      const signer = await mustMayAct(parts, request)
      await parts.servedPages.recorded(signer)
      await press(parts, signer, request.body)
      return reply.code(202).send(await writeView(parts, request, signer))
    },
  )

  app.post<{ Body: Type.Static<typeof DeclineBody> }>(
    "/app/api/signature/decline",
    { bodyLimit: 16_384, schema: { body: DeclineBody } },
    async (request) => {
      const signer = await mustMayAct(parts, request)
      await decline(parts, signer, request.body.reason)
      return writeView(parts, request, signer)
    },
  )
}
