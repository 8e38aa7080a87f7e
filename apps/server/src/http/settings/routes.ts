import * as v from "@paraph/contract/v3/settings"
import { changeSettings, readSettings } from "@paraph/core/business/settings"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { logo } from "./logo.ts"

/** A documented addition to v3: what a business says of itself (ADR 0035). */
export function settings(app: FastifyInstance, parts: Parts): void {
  logo(app, parts)
  const read = {
    operationId: "getSettings",
    summary: "Read how the business is set up",
    description: "For every member of the business; an API key gets 403.",
    response: { 200: v.Settings },
  }
  app.get("/settings", { schema: read }, async ({ caller }) =>
    v.writeSettings(await readSettings(parts, caller)),
  )

  const change = {
    operationId: "changeSettings",
    summary: "Change how the business is set up",
    description: "For owners and admins. What is absent stays as it is.",
    body: v.SettingsBody,
    response: { 200: v.Settings },
  }
  app.patch<{ Body: v.SettingsBody }>("/settings", { schema: change }, async ({ caller, body }) =>
    v.writeSettings(await changeSettings(parts, caller, v.readSettings(body))),
  )
}
