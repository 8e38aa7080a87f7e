import { IdParams } from "@paraph/contract/shared/fields"
import * as wire from "@paraph/contract/shared/webhook"
import { createWebhook } from "@paraph/core/webhook/create"
import { listWebhooks, readWebhook } from "@paraph/core/webhook/read"
import { removeWebhook } from "@paraph/core/webhook/remove"
import { rotateSecret } from "@paraph/core/webhook/rotate-secret"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** Decisions, "webhooks". */
export function webhooks(
  app: FastifyInstance,
  parts: Parts,
  NewWebhook: typeof wire.NewWebhook | typeof wire.ClosedNewWebhook,
): void {
  reading(app, parts)
  const secretAnswer = { config: { secretAnswer: true } }

  app.post<{ Body: wire.NewWebhook }>(
    "/webhooks",
    {
      ...secretAnswer,
      schema: {
        operationId: "createWebhook",
        summary: "Create a webhook",
        body: NewWebhook,
        response: { 200: wire.WebhookWithSecret },
      },
    },
    async ({ caller, body }) => {
      const created = await createWebhook(parts, caller, wire.readNewWebhook(body))
      return wire.writeWebhookWithSecret(created, parts.webhookPublicKey)
    },
  )

  app.post<ById>(
    "/webhooks/:id/rotate-secret",
    {
      ...secretAnswer,
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Give a webhook a new secret",
        description: "The one before it signs beside it for 24 hours.",
        params: IdParams,
        response: { 200: wire.WebhookWithSecret },
      },
    },
    async ({ caller, params }) =>
      wire.writeWebhookWithSecret(await rotateSecret(parts, caller, params.id), parts.webhookPublicKey),
  )

  app.delete<ById>(
    "/webhooks/:id",
    {
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook",
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      await removeWebhook(parts, caller, params.id)
      return reply.code(204).send()
    },
  )
}

function reading(app: FastifyInstance, parts: Parts): void {
  app.get(
    "/webhooks",
    {
      schema: {
        operationId: "listWebhooks",
        summary: "List webhooks",
        response: { 200: Type.Array(wire.Webhook) },
      },
    },
    async ({ caller }) =>
      (await listWebhooks(parts, caller)).map((each) => wire.writeWebhook(each, parts.webhookPublicKey)),
  )

  app.get<ById>(
    "/webhooks/:id",
    {
      schema: {
        operationId: "getWebhook",
        summary: "Read a webhook",
        params: IdParams,
        response: { 200: wire.Webhook },
      },
    },
    async ({ caller, params }) =>
      wire.writeWebhook(await readWebhook(parts, caller, params.id), parts.webhookPublicKey),
  )
}
