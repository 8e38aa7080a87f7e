import { writeProblem } from "@paraph/contract/shared/problem"
import { FAULT, PROBLEMS } from "@paraph/contract/shared/problems"
import { Refusal } from "@paraph/core/refusal"
import { isPartDown } from "@paraph/store/part-down"
import { BusinessMoving } from "@paraph/store/postgres/of-the-business"
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify"

/** How a version calls its problems: v3 says `application/problem+json`, v1 and v2 their older type (part 7). */
export type ProblemStyle = { readonly contentType: string; readonly rootUrl: string }

/** From here on in this scope every error is a problem of the one table; what is not a refusal leaks nothing. */
export function useProblems(app: FastifyInstance, style: ProblemStyle): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = wentAway(request) ? GONE : asRefusal(error)
    if (refusal === null || refusal.code === "part-down") request.log.error({ error }, "fault")
    if (refusal?.code === "malware-detected") request.log.warn({ error }, "malware")
    return sendProblem(request, reply, style, refusal)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, style, new Refusal("not-found", "There is nothing at this address.")),
  )
}

/** What Fastify refuses before it has found a route, such as an address that cannot be decoded. */
export const framework =
  (style: ProblemStyle) =>
  (_: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    // Part 7, where no scope of a version is there yet to say it.
    const contentType = /^\/v[12]\//.test(request.url) ? "application/json; charset=utf-8" : style.contentType
    const refusal = new Refusal("constraint-violated", "The address cannot be read.")
    sendProblem(request, reply, { ...style, contentType }, refusal)
  }

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  style: ProblemStyle,
  refusal: Refusal | null,
) {
  const row = refusal === null ? FAULT : PROBLEMS[refusal.code]
  const detail = refusal === null ? `Quote ${request.id} when you ask for help.` : refusal.message
  if (refusal?.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds)
  if (row.status === 401) reply.header("www-authenticate", "Bearer")
  const path = request.originalUrl.split("?", 1)[0] ?? "/"
  const place = { rootUrl: style.rootUrl, requestId: request.id, method: request.method, path }
  return reply
    .code(row.status)
    .type(style.contentType)
    .send(writeProblem(row, detail, place))
}

/** Who stops in the middle of a body gets no answer, and whatever follows from it is no fault of ours. */
const wentAway = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete
const GONE = new Refusal("constraint-violated", "The body breaks off.")

/** What Fastify refuses by itself, in the words of our table; null for a fault. */
function asRefusal(error: FastifyError | Refusal): Refusal | null {
  if (error instanceof Refusal) return error
  if (error.validation !== undefined) return new Refusal("constraint-violated", `${error.message}.`)
  if (error instanceof BusinessMoving)
    return new Refusal("part-down", "The business is being moved.", { cause: error, retryAfterSeconds: 2 })
  if (isPartDown(error))
    return new Refusal("part-down", "A part of the service is down.", { cause: error, retryAfterSeconds: 10 })
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Refusal("constraint-violated", "The body is not valid JSON.")
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("unsupported-media-type", "The body is of a type that this operation does not take.")
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refusal("body-too-large", "The body is larger than this operation takes.")
    default:
      return ofStatus(error.statusCode ?? 500)
  }
}

/** What a plugin refuses, by the class of its status: a range that is not there, a file that does not exist. */
function ofStatus(status: number): Refusal | null {
  if (status < 400 || status > 499) return null
  return status === 404
    ? new Refusal("not-found", "There is nothing at this address.")
    : new Refusal("constraint-violated", "The request cannot be understood.")
}
