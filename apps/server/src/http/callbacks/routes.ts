import { Callback, CallbackParams, writeCallback } from "@paraph/contract/shared/callback"
import { IdParams } from "@paraph/contract/shared/fields"
import { readCallbacks } from "@paraph/core/callback/read"
import { replayCallback } from "@paraph/core/callback/replay"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

/** Decisions, "callbacks read": the same in every version. */
export function callbacks(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string } }>(
    "/signature-requests/:id/callbacks",
    {
      schema: {
        operationId: "listCallbacks",
        summary: "List the callbacks of a signature request",
        params: IdParams,
        response: { 200: Type.Array(Callback) },
      },
    },
    async ({ caller, params }) => (await readCallbacks(parts, caller, params.id)).map(writeCallback),
  )

  app.post<{ Params: CallbackParams }>(
    "/signature-requests/:id/callbacks/:callback_id/replay",
    {
      schema: {
        operationId: "replayCallback",
        summary: "Call back once more",
        params: CallbackParams,
        response: { 200: Callback },
      },
    },
    async ({ caller, params }) =>
      writeCallback(await replayCallback(parts, caller, params.id, params.callback_id)),
  )
}
