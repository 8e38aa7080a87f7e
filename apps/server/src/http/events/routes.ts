import * as wire from "@paraph/contract/shared/event"
import { readEvents } from "@paraph/core/journal/read"
import { replayEvents } from "@paraph/core/journal/replay"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

/** Decisions, "webhooks": the journal with a cursor, and its entries once more. */
export function events(
  app: FastifyInstance,
  parts: Parts,
  ReplayBody: typeof wire.ReplayBody | typeof wire.ClosedReplayBody,
): void {
  app.get<{ Querystring: wire.EventQuery }>(
    "/events",
    {
      schema: {
        operationId: "listEvents",
        summary: "Read the journal of events",
        querystring: wire.EventQuery,
        response: { 200: wire.EventPage },
      },
    },
    async ({ caller, query }) =>
      wire.writeEventPage(await readEvents(parts, caller, wire.readEventQuery(query))),
  )

  app.post<{ Body: wire.ReplayBody }>(
    "/events/replay",
    {
      schema: {
        operationId: "replayEvents",
        summary: "Send events to a webhook once more",
        body: ReplayBody,
        response: { 200: wire.Replayed },
        problems: [404],
      },
    },
    async ({ caller, body }) => ({ replayed: await replayEvents(parts, caller, wire.readReplay(body)) }),
  )
}
