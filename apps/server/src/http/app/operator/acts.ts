import { IdParams, orNull, Uuid } from "@paraph/contract/shared/fields"
import { FEATURES, type Feature } from "@paraph/core/business/model"
import { LIMITS } from "@paraph/core/limits"
import {
  judgeSenderNameOf,
  resetKeyOf,
  revokeKeyOf,
  setCredits,
  setFeatures,
} from "@paraph/core/operator/for-business"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { operatorActs } from "./here.ts"
import * as write from "./wire.ts"

const closed = { additionalProperties: false }
const FeaturesBody = Type.Object(
  { features: Type.Array(Type.Enum([...FEATURES]), { maxItems: FEATURES.length }) },
  closed,
)
const Amount = Type.Integer({ minimum: 0, maximum: LIMITS.credits })
const CreditsBody = Type.Object({ price: Amount, included: orNull(Amount) }, closed)
type CreditsBody = Type.Static<typeof CreditsBody>
const SenderNameBody = Type.Object({ sender_name: Type.String({ minLength: 1, maxLength: 400 }) }, closed)
const KeyParams = Type.Object({ id: Uuid, key_id: Uuid })
type OfKey = { Params: Type.Static<typeof KeyParams> }

/** What operators do; each is on record, in the transaction of what was done. */
export function acts(app: FastifyInstance, parts: Parts): void {
  app.put<{ Params: { id: string }; Body: { features: Feature[] } }>(
    "/app/api/operator/businesses/:id/features",
    { bodyLimit: 4096, schema: { params: IdParams, body: FeaturesBody } },
    async (request, reply) => {
      const { operator } = await operatorActs(parts, request, reply)
      const features = await setFeatures(
        parts,
        operator,
        request.params.id.toLowerCase(),
        request.body.features,
      )
      return { features }
    },
  )
  credits(app, parts)
  keys(app, parts)

  for (const verdict of ["confirm", "refuse"] as const)
    app.post<{ Params: { id: string }; Body: { sender_name: string } }>(
      `/app/api/operator/businesses/:id/sender-name/${verdict}`,
      { bodyLimit: 4096, schema: { params: IdParams, body: SenderNameBody } },
      async (request, reply) => {
        const { operator } = await operatorActs(parts, request, reply)
        const judged = { businessId: request.params.id.toLowerCase(), name: request.body.sender_name }
        await judgeSenderNameOf(parts, operator, { ...judged, isGood: verdict === "confirm" })
        return reply.code(204).send()
      },
    )

  app.post<{ Params: { id: string } }>(
    "/app/api/operator/jobs/:id/retry",
    { bodyLimit: 1024, schema: { params: IdParams } },
    async (request, reply) => {
      const { operator } = await operatorActs(parts, request, reply)
      if (!(await parts.operatorRows.retryJob(request.params.id, operator.email)))
        throw new Refusal("not-found", "There is no such job, or it is under way.")
      return reply.code(204).send()
    },
  )
}

function credits(app: FastifyInstance, parts: Parts): void {
  app.put<{ Params: { id: string }; Body: CreditsBody }>(
    "/app/api/operator/businesses/:id/credits",
    { bodyLimit: 4096, schema: { params: IdParams, body: CreditsBody } },
    async (request, reply) => {
      const { operator } = await operatorActs(parts, request, reply)
      return write.credits(await setCredits(parts, operator, request.params.id.toLowerCase(), request.body))
    },
  )
}

function keys(app: FastifyInstance, parts: Parts): void {
  const ofKey = ({ id, key_id }: OfKey["Params"]) => ({
    businessId: id.toLowerCase(),
    id: key_id.toLowerCase(),
  })

  app.post<OfKey>(
    "/app/api/operator/businesses/:id/keys/:key_id/reset",
    { bodyLimit: 1024, schema: { params: KeyParams } },
    async (request, reply) => {
      const { operator, signed } = await operatorActs(parts, request, reply)
      await resetKeyOf(parts, operator, ofKey(request.params), signed.language)
      return reply.code(204).send()
    },
  )

  app.delete<OfKey>(
    "/app/api/operator/businesses/:id/keys/:key_id",
    { schema: { params: KeyParams } },
    async (request, reply) => {
      const { operator } = await operatorActs(parts, request, reply)
      await revokeKeyOf(parts, operator, ofKey(request.params))
      return reply.code(204).send()
    },
  )
}
