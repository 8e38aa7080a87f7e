import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/api-key"
import { listKeys } from "@paraph/core/business/api-key"
import { createKey, renameKey, resetKey, revokeKey } from "@paraph/core/business/keys"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** REG-03, as an addition of ours to v3: what the developer page does with API keys (ADR 0034). */
export function apiKeys(app: FastifyInstance, parts: Parts): void {
  keeping(app, parts)
  showing(app, parts)
}

function keeping(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listApiKeys",
    summary: "List API keys",
    description: "All that live and the last of those that were revoked, the newest first.",
    response: { 200: Type.Array(v.ApiKey) },
    problems: [403],
  }
  app.get("/api-keys", { schema: list }, async ({ caller }) =>
    (await listKeys(parts, caller)).map(v.writeApiKey),
  )

  const rename = {
    operationId: "renameApiKey",
    summary: "Give an API key another name",
    params: IdParams,
    body: v.ApiKeyNameBody,
    response: { 200: v.ApiKey },
    problems: [403],
  }
  app.patch<ById & { Body: v.ApiKeyNameBody }>("/api-keys/:id", { schema: rename }, async (request) => {
    const { caller, params, body } = request
    return v.writeApiKey(await renameKey(parts, caller, params.id, body.name.trim()))
  })

  const revoke = {
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    description: "The key and its tokens are dead within 5 seconds, and its webhooks are stopped.",
    params: IdParams,
    response: { 204: Type.Null() },
    problems: [403],
  }
  app.delete<ById>("/api-keys/:id", { schema: revoke }, async ({ caller, params }, reply) => {
    await revokeKey(parts, caller, params.id)
    return reply.code(204).send()
  })
}

/** The key is in the answer, and from then on nowhere to be read. */
function showing(app: FastifyInstance, parts: Parts): void {
  const config = { secretAnswer: true }
  const create = {
    operationId: "createApiKey",
    summary: "Create an API key",
    body: v.NewApiKeyBody,
    response: { 200: v.ApiKeyWithSecret },
    problems: [403, 404],
  }
  app.post<{ Body: v.NewApiKeyBody }>("/api-keys", { config, schema: create }, async (request, reply) => {
    const made = await createKey(parts, request.caller, v.readNewApiKey(request.body))
    reply.header("cache-control", "no-store")
    return v.writeMadeKey(made)
  })

  const reset = {
    operationId: "resetApiKey",
    summary: "Put a new API key in the place of one",
    description: "Of the same user, kind and name. The old key and its tokens are dead within 5 seconds.",
    params: IdParams,
    response: { 200: v.ResetApiKey },
    problems: [403],
  }
  app.post<ById>("/api-keys/:id/reset", { config, schema: reset }, async ({ caller, params }, reply) => {
    const made = await resetKey(parts, caller, params.id)
    reply.header("cache-control", "no-store")
    return v.writeResetKey(made)
  })
}
