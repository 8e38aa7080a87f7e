import type { CellPlace } from "@paraph/store/directory/cells-file"
import type { FastifyReply, FastifyRequest } from "fastify"
import { refuse } from "./refuse.ts"

/** RFC 9110, 7.6.1, and what only we may say of where a call comes from. */
const NOT_PASSED_ON = [
  ...["connection", "expect", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade", "http2-settings"],
  ...[
    "forwarded",
    "x-real-ip",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-port",
  ],
]

type Headers = FastifyRequest["headers"]

export type Forwarded = {
  readonly publicUrl: string
  /** The host that the cell is told: one of ours, whatever the caller wrote. */
  readonly host: string
  /** The path where it is another than that of the call. */
  readonly path?: string
  /** What was read of the body already. */
  readonly body?: Buffer
}

/** Sends a call on to the first of these cells, or where that cannot be reached and nothing of the call was lost, to the next. */
export function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  cells: readonly CellPlace[],
  given: Forwarded,
): FastifyReply {
  const [cell, ...others] = cells
  if (cell === undefined) return refuse(given.publicUrl, request, reply, "part-down")
  const hasBody = request.method !== "GET" && request.method !== "HEAD"
  const { url = "/" } = request.raw
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : ""
  const path = given.path ?? url.split("?", 1)[0] ?? "/"
  return reply.from(`${cell.url}${path}${query}`, {
    ...(given.body !== undefined && {
      body: given.body,
      contentType: request.headers["content-type"] ?? "application/octet-stream",
    }),
    rewriteRequestHeaders: (_, headers) => headersFor(request, headers, given.host, hasBody),
    rewriteHeaders: (headers) => without(headers, NOT_PASSED_ON),
    // Nothing is asked twice: whoever asked may.
    retryDelay: () => null as unknown as number,
    onError: (failed, { error }) => {
      request.log.warn(
        { cell: cell.name, code: (error as { readonly code?: string }).code },
        "a cell does not answer",
      )
      if (!hasBody && others.length > 0) forward(request, reply, others, given)
      else refuse(given.publicUrl, request, failed as FastifyReply, "part-down")
    },
  })
}

function headersFor(request: FastifyRequest, headers: Headers, host: string, hasBody: boolean): Headers {
  const length = hasBody ? [] : ["content-length"]
  return {
    ...without(headers, [...NOT_PASSED_ON, ...length]),
    host,
    "x-forwarded-for": request.ip,
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": host,
  }
}

function without(headers: Headers, names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())))
}
