import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/member"
import { addMember, changeRole, removeMember } from "@paraph/core/business/change-members"
import { listMembers } from "@paraph/core/business/member"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

type ById = { Params: { id: string } }

/** An addition of ours to v3: people of a business and their roles (ADR 0034). */
export function members(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listMembers",
    summary: "List members",
    response: { 200: Type.Array(v.Member) },
    problems: [403],
  }
  app.get("/members", { schema: list }, async ({ caller }) =>
    (await listMembers(parts, caller)).map(v.writeMember),
  )

  const add = {
    operationId: "addMember",
    summary: "Invite a member",
    description:
      "The person is told by e-mail, logs in by proving the address, and is a member once they accept.",
    body: v.NewMemberBody,
    response: { 200: v.Member },
    problems: [403],
  }
  app.post<{ Body: v.NewMemberBody }>("/members", { schema: add }, async ({ caller, body }) =>
    v.writeMember(await addMember(parts, caller, v.readNewMember(body))),
  )

  const change = {
    operationId: "changeMemberRole",
    summary: "Give a member another role",
    params: IdParams,
    body: v.MemberRoleBody,
    response: { 200: v.Member },
    problems: [403, 409],
  }
  app.put<ById & { Body: v.MemberRoleBody }>("/members/:id", { schema: change }, async (request) => {
    const { caller, params, body } = request
    return v.writeMember(await changeRole(parts, caller, params.id, body.role))
  })

  const remove = {
    operationId: "removeMember",
    summary: "Remove a member, or leave",
    params: IdParams,
    response: { 204: Type.Null() },
    problems: [403, 409],
  }
  app.delete<ById>("/members/:id", { schema: remove }, async ({ caller, params }, reply) => {
    await removeMember(parts, caller, params.id)
    return reply.code(204).send()
  })
}
