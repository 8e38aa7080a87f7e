import { IdParams } from "@paraph/contract/shared/fields"
import { acceptInvitation, declineInvitation } from "@paraph/core/business/invitation"
import { ROLES, type Role } from "@paraph/core/business/model"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { opensIn } from "./security.ts"
import { mustBeSignedIn } from "./session.ts"

type ById = { Params: { id: string } }
/** What the person was shown: somebody may have changed it meanwhile. */
const RoleBody = Type.Object({ role: Type.Enum([...ROLES]) }, { additionalProperties: false })

/** A person becomes a member by their own act, whoever typed their address (ADR 0034). Known by the id of the business. */
export function invitations(app: FastifyInstance, parts: Parts): void {
  app.post<ById & { Body: { role: Role } }>(
    "/app/api/account/invitations/:id/accept",
    { bodyLimit: 1024, schema: { params: IdParams, body: RoleBody } },
    async (request, reply) => {
      await acceptInvitation(parts, await invited(parts, request), request.body.role)
      return reply.code(204).send()
    },
  )

  app.post<ById>(
    "/app/api/account/invitations/:id/decline",
    { bodyLimit: 1024, schema: { params: IdParams } },
    async (request, reply) => {
      await declineInvitation(parts, await invited(parts, request))
      return reply.code(204).send()
    },
  )
}

async function invited(parts: Parts, request: FastifyRequest<ById>) {
  const { account, session } = await mustBeSignedIn(parts, request)
  const businessId = request.params.id.toLowerCase()
  const known = (await parts.listInvitations(account.id)).filter(opensIn(session))
  if (!known.some((each) => each.businessId === businessId))
    throw new Refusal("not-found", "There is no such invitation.")
  return { account, businessId }
}
