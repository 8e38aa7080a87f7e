import { IdParams } from "@paraph/contract/shared/fields"
import { SignatureRequest, writeSignatureRequest } from "@paraph/contract/v3/signature-request"
import * as v from "@paraph/contract/v3/template"
import type { Caller } from "@paraph/core/access/caller"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import { changeTemplate, createTemplate, removeTemplate } from "@paraph/core/template/change"
import { listTemplates, readTemplate } from "@paraph/core/template/read"
import { useTemplate } from "@paraph/core/template/use"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** A documented addition to v3: requests that are sent often (ADR 0035). */
export function templates(app: FastifyInstance, parts: Parts): void {
  reading(app, parts)
  changing(app, parts)
  using(app, parts)
}

function reading(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listTemplates",
    summary: "List templates",
    description: "All of the business, by name.",
    response: { 200: Type.Array(v.Template) },
  }
  app.get("/templates", { schema: list }, async ({ caller }) =>
    (await listTemplates(parts, caller)).map(v.writeTemplate),
  )

  const read = {
    operationId: "getTemplate",
    summary: "Read a template",
    params: IdParams,
    response: { 200: v.Template },
  }
  app.get<ById>("/templates/:id", { schema: read }, async ({ caller, params }) =>
    v.writeTemplate(await readTemplate(parts, caller, params.id)),
  )
}

function changing(app: FastifyInstance, parts: Parts): void {
  const create = {
    operationId: "createTemplate",
    summary: "Create a template",
    description: "For every member of the business; an API key gets 403.",
    body: v.TemplateBody,
    response: { 200: v.Template },
    // Of a document that is named.
    problems: [404],
  }
  app.post<{ Body: v.TemplateBody }>("/templates", { schema: create }, async ({ caller, body }) =>
    v.writeTemplate(await createTemplate(parts, caller, v.readTemplate(body))),
  )

  const change = {
    operationId: "changeTemplate",
    summary: "Change a template",
    description: "The whole of it anew, by who made it, owners and admins.",
    params: IdParams,
    body: v.TemplateBody,
    response: { 200: v.Template },
  }
  app.put<ById & { Body: v.TemplateBody }>(
    "/templates/:id",
    { schema: change },
    async ({ caller, params, body }) =>
      v.writeTemplate(await changeTemplate(parts, caller, params.id, v.readTemplate(body))),
  )

  const remove = {
    operationId: "deleteTemplate",
    summary: "Delete a template",
    description: "Its documents stay, and so do the requests that were made from it.",
    params: IdParams,
    response: { 204: Type.Null() },
  }
  app.delete<ById>("/templates/:id", { schema: remove }, async (request, reply) => {
    await removeTemplate(parts, request.caller, request.params.id)
    return reply.code(204).send()
  })
}

function using(app: FastifyInstance, parts: Parts): void {
  const use = {
    operationId: "useTemplate",
    summary: "Create a signature request from a template",
    description: "A draft, unless initiate is true. With an API key too.",
    params: IdParams,
    body: v.UseTemplateBody,
    response: { 200: SignatureRequest },
  }
  app.post<ById & { Body: v.UseTemplateBody }>(
    "/templates/:id/signature-requests",
    { schema: use },
    async (request) => {
      const { caller, params, body } = request
      const created = await copying(caller, () => useTemplate(parts, caller, params.id, v.readUse(body)))
      request.log = request.log.child({ signatureRequest: created.id })
      return writeSignatureRequest(created, parts.addresses)
    },
  )
}

/** Documents of gigabytes are copied for a call of some bytes: few at a time, and nobody takes them all. */
const copies = createInFlightLimiter({ perOwner: 2, total: 8 })
const RETRY = { retryAfterSeconds: 5 }

async function copying<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  const end = copies.begin(ownerOf(caller))
  if (end === "owner") throw new Refusal("rate-limited", "Too many templates are used at a time.", RETRY)
  if (end === "total") throw new Refusal("part-down", "Too many templates are used at a time.", RETRY)
  try {
    return await work()
  } finally {
    end()
  }
}
