import { writeProblem } from "@paraph/contract/shared/problem"
import { PROBLEMS } from "@paraph/contract/shared/problems"
import type { FastifyReply, FastifyRequest } from "fastify"

const DETAILS = {
  "not-found": "There is nothing at this address.",
  "token-invalid": "Send Authorization: Bearer with a token.",
  "body-too-large": "The body is larger than this operation takes.",
  "constraint-violated": "The address cannot be read.",
  "part-down": "A part of the service is down.",
  moving: "The business is being moved.",
} as const

/** In the form that the cells have for it (part 7 of the interface). */
export function refuse(
  publicUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  what: keyof typeof DETAILS,
): FastifyReply {
  const row = PROBLEMS[what === "moving" ? "part-down" : what]
  if (what === "moving") reply.header("retry-after", 2)
  if (what === "part-down") reply.header("retry-after", 10)
  if (row.status === 401) reply.header("www-authenticate", "Bearer")
  const path = (request.raw.url ?? "/").split("?", 1)[0] ?? "/"
  const isOlder = /^\/v[12]\//.test(path)
  const place = { rootUrl: publicUrl, requestId: request.id, method: request.method, path }
  return reply
    .code(row.status)
    .header("cache-control", "no-store")
    .type(isOlder ? "application/json; charset=utf-8" : "application/problem+json; charset=utf-8")
    .send(JSON.stringify(writeProblem(row, DETAILS[what], place)))
}
