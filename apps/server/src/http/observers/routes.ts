import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/observer"
import {
  addObserver,
  listObservers,
  readObserver,
  removeObserver,
} from "@paraph/core/signature-request/observers"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

const ALL = "/signature-requests/:id/observers"
const ONE = `${ALL}/:observer_id`

/** Decisions, "v3 observers"; part 4.3 has the names of the operations. */
export function observers(app: FastifyInstance, parts: Parts): void {
  const add = {
    operationId: "addSignatureObserver",
    summary: "Add an observer",
    params: IdParams,
    body: v.ObserverBody,
    response: { 200: v.Observer },
  }
  app.post<{ Params: { id: string }; Body: v.ObserverBody }>(
    ALL,
    { schema: add },
    async ({ caller, params, body }) =>
      v.writeObserver(await addObserver(parts, caller, params.id, v.readObserver(body))),
  )

  const list = {
    operationId: "listSignatureObservers",
    summary: "List the observers",
    params: IdParams,
    response: { 200: Type.Array(v.Observer) },
  }
  app.get<{ Params: { id: string } }>(ALL, { schema: list }, async ({ caller, params }) =>
    (await listObservers(parts, caller, params.id)).map(v.writeObserver),
  )

  const read = {
    operationId: "getSignatureObserver",
    summary: "Read an observer",
    params: v.ObserverParams,
    response: { 200: v.Observer },
  }
  app.get<{ Params: v.ObserverParams }>(ONE, { schema: read }, async ({ caller, params }) =>
    v.writeObserver(await readObserver(parts, caller, params.id, params.observer_id.toLowerCase())),
  )

  const remove = {
    operationId: "removeSignatureObserver",
    summary: "Remove an observer",
    params: v.ObserverParams,
    response: { 204: Type.Null() },
  }
  app.delete<{ Params: v.ObserverParams }>(ONE, { schema: remove }, async ({ caller, params }, reply) => {
    await removeObserver(parts, caller, params.id, params.observer_id.toLowerCase())
    return reply.code(204).send()
  })
}
