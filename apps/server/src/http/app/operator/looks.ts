import { IdParams, TEXT, Uuid } from "@paraph/contract/shared/fields"
import { writeApiKey } from "@paraph/contract/v3/api-key"
import { writeMember } from "@paraph/contract/v3/member"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { isUuid } from "@paraph/core/uuid"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { operatorHere } from "./here.ts"
import * as write from "./wire.ts"

const closed = { additionalProperties: false }
const BusinessQuery = Type.Object(
  { q: Type.Optional(Type.String({ maxLength: LIMITS.textCharacters, pattern: TEXT })) },
  closed,
)
const MailQuery = Type.Object(
  {
    business: Type.Optional(Uuid),
    state: Type.Optional(Type.Enum(["WAITING", "SENT", "FAILED", "BOUNCED"])),
    older_than: Type.Optional(Uuid),
  },
  closed,
)
type MailQuery = Type.Static<typeof MailQuery>
const AuditQuery = Type.Object(
  {
    business: Type.Optional(Uuid),
    older_than: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,14}$" })),
  },
  closed,
)
type AuditQuery = Type.Static<typeof AuditQuery>

/** What operators see: no title, no content, no address of anybody who signs. */
export function looks(app: FastifyInstance, parts: Parts): void {
  const { operatorRows: rows } = parts

  app.get("/app/api/operator/overview", async (request) => {
    await operatorHere(parts, request)
    return write.overview(await rows.overview(), parts.now())
  })

  businesses(app, parts)

  app.get<{ Querystring: MailQuery }>(
    "/app/api/operator/mails",
    { schema: { querystring: MailQuery } },
    async (request) => {
      const { email } = await operatorHere(parts, request)
      const { business: businessId = null, state = null, older_than: olderThan = null } = request.query
      if (businessId !== null) await rows.noteLook(businessId, email)
      return (await rows.mails({ businessId, state, olderThan })).map(write.mail)
    },
  )

  app.get<{ Querystring: AuditQuery }>(
    "/app/api/operator/audit",
    { schema: { querystring: AuditQuery } },
    async (request) => {
      const { email } = await operatorHere(parts, request)
      const { business: businessId = null, older_than } = request.query
      if (businessId !== null) await rows.noteLook(businessId, email)
      const olderThan = older_than === undefined ? null : Number(older_than)
      return (await rows.audit({ businessId, olderThan })).map(write.audit)
    },
  )

  app.get("/app/api/operator/jobs/failed", async (request) => {
    await operatorHere(parts, request)
    return (await rows.failedJobs()).map(write.job)
  })
}

function businesses(app: FastifyInstance, parts: Parts): void {
  const { operatorRows: rows } = parts

  app.get<{ Querystring: { q?: string } }>(
    "/app/api/operator/businesses",
    { schema: { querystring: BusinessQuery } },
    async (request) => {
      await operatorHere(parts, request)
      const search = request.query.q?.trim() ?? ""
      const found = await rows.businesses({ search, id: isUuid(search) ? search : null })
      return found.map(write.business)
    },
  )

  app.get<{ Params: { id: string } }>(
    "/app/api/operator/businesses/:id",
    { schema: { params: IdParams } },
    async (request) => {
      const { email } = await operatorHere(parts, request)
      const id = request.params.id.toLowerCase()
      const [business] = await rows.businesses({ search: "", id })
      if (business === undefined) throw new Refusal("not-found", "There is no such business.")
      await rows.noteLook(id, email)
      const [keys, members, credits] = await Promise.all([
        rows.keysOf(id),
        rows.membersOf(id),
        rows.creditsOf(id, parts.usualCredits),
      ])
      return {
        ...write.business(business),
        keys: keys.map(writeApiKey),
        members: members.map(writeMember),
        credits: write.credits(credits),
      }
    },
  )
}
