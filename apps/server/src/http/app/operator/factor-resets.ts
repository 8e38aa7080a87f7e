import { Email, TEXT } from "@paraph/contract/shared/fields"
import { LIMITS } from "@paraph/core/limits"
import { askForReset, confirmReset, refuseReset } from "@paraph/core/operator/reset-factors"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { operatorActs, operatorHere } from "./here.ts"

const closed = { additionalProperties: false }
const EmailBody = Type.Object({ email: Email }, closed)
const Reason = Type.String({ minLength: 1, maxLength: LIMITS.factorResetReasonCharacters, pattern: TEXT })
const AskBody = Type.Object({ email: Email, reason: Reason }, closed)
const AT = "/app/api/operator/accounts/reset-factors"

/** One operator asks with a reason, another one confirms or refuses (ADR 0098). */
export function factorResets(app: FastifyInstance, parts: Parts): void {
  app.get(AT, async (request) => {
    const operator = await operatorHere(parts, request)
    const open = await parts.listFactorResets()
    return {
      operators: parts.operatorsPerReset,
      resets: open.map(({ email, askedBy, reason, askedAt }) => ({
        ...{ email, reason, asked_by: askedBy, asked_at: askedAt.toISOString() },
        until: new Date(askedAt.getTime() + LIMITS.factorResetMs).toISOString(),
        own: askedBy === operator.email,
      })),
    }
  })

  app.post<{ Body: Type.Static<typeof AskBody> }>(
    AT,
    { bodyLimit: 4096, schema: { body: AskBody } },
    async (request, reply) => {
      const { operator, signed: by } = await operatorActs(parts, request, reply)
      const { email, reason } = request.body
      const how = { reason: reason.trim(), operatorsNeeded: parts.operatorsPerReset }
      const done = await askForReset(parts, { operator, by, email }, how)
      return done === "asked" ? reply.code(202).send({}) : reply.code(204).send()
    },
  )

  for (const [verdict, act] of [
    ["confirm", confirmReset],
    ["refuse", refuseReset],
  ] as const)
    app.post<{ Body: { email: string } }>(
      `${AT}/${verdict}`,
      { bodyLimit: 4096, schema: { body: EmailBody } },
      async (request, reply) => {
        const { operator, signed: by } = await operatorActs(parts, request, reply)
        await act(parts, { operator, by, email: request.body.email })
        return reply.code(204).send()
      },
    )
}
