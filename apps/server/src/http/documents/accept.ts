import { Refusal } from "@paraph/core/refusal"
import type { FastifyReply, FastifyRequest } from "fastify"
import Negotiator from "negotiator"

/** RFC 9110, 12.5.1: the first of these that the caller would rather have; without Accept, the first. Otherwise 406. */
export function accepted<T extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly T[],
): T {
  reply.header("vary", "accept")
  const type = new Negotiator(request.raw).mediaType([...types])
  if (type === undefined) throw new Refusal("not-acceptable", `This comes as ${types.join(" or ")}.`)
  return type as T
}
