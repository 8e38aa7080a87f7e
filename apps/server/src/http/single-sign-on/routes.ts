import * as v from "@paraph/contract/v3/single-sign-on"
import {
  changeSingleSignOn,
  readSingleSignOn,
  removeSingleSignOn,
} from "@paraph/core/account/single-sign-on-settings"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { accepted } from "../app/language.ts"

const PATH = "/settings/single-sign-on"

/** A documented addition to v3: single sign-on of a business (ADR 0037). */
export function singleSignOn(app: FastifyInstance, parts: Parts): void {
  const read = {
    operationId: "getSingleSignOn",
    summary: "Read how people log in by a provider of the business",
    description: "For owners and admins.",
    response: { 200: v.SingleSignOn },
  }
  app.get(PATH, { schema: read }, async ({ caller }) =>
    v.writeSingleSignOn(await readSingleSignOn(parts, caller), parts.redirectUri(caller.businessId)),
  )

  const change = {
    operationId: "setSingleSignOn",
    summary: "Have people log in by a provider of the business",
    description:
      "For owners who logged in within the last 15 minutes. All owners are told by e-mail. The provider is asked for its configuration; enforced is set by somebody who came in by it.",
    body: v.SingleSignOnBody,
    response: { 200: v.SingleSignOn },
    problems: [409],
  }
  app.put<{ Body: v.SingleSignOnBody }>(PATH, { schema: change }, async (request) => {
    const { caller, body } = request
    const seen = await changeSingleSignOn(parts, caller, v.readSingleSignOn(body), languageOf(request))
    return v.writeSingleSignOn(seen, parts.redirectUri(caller.businessId))
  })

  const remove = {
    operationId: "deleteSingleSignOn",
    summary: "Switch single sign-on off",
    description:
      "For owners who logged in within the last 15 minutes. All owners are told by e-mail. Whoever came in by it is logged out.",
    response: { 204: Type.Null() },
    problems: [404],
  }
  app.delete(PATH, { schema: remove }, async (request, reply) => {
    await removeSingleSignOn(parts, request.caller, languageOf(request))
    return reply.code(204).send()
  })
}

/** Of the letters to the owners, of whom no other word is known. */
const languageOf = ({ headers }: FastifyRequest) => accepted(headers["accept-language"]) ?? "en"
