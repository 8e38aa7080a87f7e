import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/v3/mail"
import { listMails, readMail } from "@paraph/core/captured-mail/read"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"

/** An addition to v3: what was sent about demo requests, by mail or as a text message, so that a program can go the whole way by itself. */
export function mails(app: FastifyInstance, parts: Parts): void {
  const list = {
    operationId: "listMails",
    summary: "List the mails and text messages about demo requests",
    description:
      "The newest first, for seven days, of the requests that the caller may change. Those about production requests are never kept.",
    querystring: v.MailListQuery,
    response: { 200: Type.Array(v.Mail) },
    answerHeaders: ["link"],
  }
  app.get<{ Querystring: v.MailListQuery }>("/mails", { schema: list }, async (request, reply) => {
    const asked = v.readMailList(request.query)
    const page = await listMails(parts, request.caller, asked)
    const links = v.writeMailLinks(`${parts.publicUrl}${request.routeOptions.url}`, asked, page)
    if (links !== null) reply.header("link", links)
    return page.mails.map(v.writeMail)
  })

  const read = {
    operationId: "getMail",
    summary: "Read a mail or a text message about a demo request",
    description: "With its text, in which the signing link or the code is.",
    params: IdParams,
    response: { 200: v.MailWithContent },
  }
  app.get<{ Params: { id: string } }>("/mails/:id", { schema: read }, async ({ caller, params }) =>
    v.writeMailWithContent(await readMail(parts, caller, params.id)),
  )
}
