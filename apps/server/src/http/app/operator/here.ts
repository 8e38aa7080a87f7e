import { mustBeRecent, type Signed } from "@paraph/core/account/secure"
import { mustBeOperator, type Operator } from "@paraph/core/operator/operator"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../../parts.ts"
import { mustHaveLeft } from "../../rate-limits.ts"
import { mustBeSignedIn } from "../account/session.ts"
import { mustBeOurPage } from "../our-pages.ts"

/** Who looks: from our own page too, though nothing is changed by it. */
export async function operatorHere(parts: Parts, request: FastifyRequest): Promise<Operator> {
  mustBeOurPage(parts, request, "app")
  return mustBeOperator(parts, await mustBeSignedIn(parts, request))
}

/** Who changes something: not whoever finds an open window, and not a hundred things a minute. */
export async function operatorActs(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly operator: Operator; readonly signed: Signed }> {
  const signed = await mustBeSignedIn(parts, request)
  const operator = await mustBeOperator(parts, signed)
  mustBeRecent(parts, signed)
  mustHaveLeft(reply, await parts.accountLimits.ofOperator(operator.accountId))
  return { operator, signed }
}
