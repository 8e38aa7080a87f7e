import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/group"
import { changeGroup, createGroup, removeGroup } from "@paraph/core/group/change"
import { listGroups, readGroup } from "@paraph/core/group/read"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** Decisions, "v3 groups": the group store. */
export function groups(app: FastifyInstance, parts: Parts): void {
  reading(app, parts)
  changing(app, parts)
}

function reading(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listGroups",
    summary: "List groups",
    querystring: v.GroupListQuery,
    response: { 200: Type.Array(v.Group) },
    answerHeaders: ["link"],
  }
  app.get<{ Querystring: v.GroupListQuery }>("/groups", { schema: list }, async (request, reply) => {
    const asked = v.readGroupList(request.query)
    const page = await listGroups(parts, request.caller, asked)
    const links = v.writeGroupLinks(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
    if (links !== null) reply.header("link", links)
    return page.groups.map(v.writeGroup)
  })

  const read = {
    operationId: "getGroup",
    summary: "Read a group",
    params: IdParams,
    response: { 200: v.Group },
  }
  app.get<ById>("/groups/:id", { schema: read }, async ({ caller, params }) =>
    v.writeGroup(await readGroup(parts, caller, params.id)),
  )
}

function changing(app: FastifyInstance, parts: Parts): void {
  const create = {
    operationId: "createGroup",
    summary: "Create a group",
    body: v.NewGroupBody,
    response: { 200: v.Group },
  }
  app.post<{ Body: v.NewGroupBody }>("/groups", { schema: create }, async ({ caller, body }) =>
    v.writeGroup(await createGroup(parts, caller, v.readNewGroup(body))),
  )

  const change = {
    operationId: "changeGroup",
    summary: "Change a group",
    params: IdParams,
    body: v.GroupBody,
    response: { 200: v.Group },
    problems: [409],
  }
  app.put<ById & { Body: v.GroupBody }>("/groups/:id", { schema: change }, async ({ caller, params, body }) =>
    v.writeGroup(await changeGroup(parts, caller, params.id, v.readGroup(body))),
  )

  const remove = {
    operationId: "deleteGroup",
    summary: "Delete a group",
    params: IdParams,
    response: { 204: Type.Null() },
  }
  app.delete<ById>("/groups/:id", { schema: remove }, async (request, reply) => {
    await removeGroup(parts, request.caller, request.params.id)
    return reply.code(204).send()
  })
}
