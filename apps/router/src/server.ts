import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import replyFrom from "@fastify/reply-from"
import type { CellPlace } from "@paraph/store/directory/cells-file"
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify"
import { keysOf } from "./ask-cells.ts"
import type { Config } from "./config.ts"
import { forward } from "./forward.ts"
import { refuse } from "./refuse.ts"
import { membersOf, readSmall } from "./small-body.ts"
import { CHOSEN, chosenIn, type Way, wayOf } from "./ways.ts"
import type { Found, Whereabouts } from "./whereabouts.ts"

export type Parts = {
  readonly config: Config
  readonly whereabouts: Whereabouts
  readonly health: () => Promise<void>
  readonly log: FastifyInstance["log"]
}

/** One address for all cells (ADR 0066): it looks whose a call is, sends it there as it is, and believes nothing. */
export async function createRouter(parts: Parts): Promise<FastifyInstance> {
  const { config, health, log } = parts
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // As the cells have them: the longest upload at 1 Mbit/s takes 20 minutes.
    requestTimeout: 20 * 60_000,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: false },
    frameworkErrors: (_, request, reply) =>
      void refuse(config.publicUrl, request, reply as FastifyReply, "constraint-violated"),
  })
  // Bodies are passed on as they come.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser("*", (_, payload, done) => done(null, payload))
  await server.register(replyFrom, {
    disableRequestLogging: true,
    disableCache: true,
    undici: {
      connections: 256,
      headersTimeout: 21 * 60_000,
      bodyTimeout: 21 * 60_000,
      connectTimeout: 3_000,
    },
  })
  server.setErrorHandler((error, request, reply) => {
    log.error({ error }, "fault")
    return refuse(config.publicUrl, request, reply, "part-down")
  })
  server.get("/management/health", async (_, reply) => {
    const isUp = await health().then(
      () => true,
      () => false,
    )
    return reply.code(isUp ? 200 : 503).send({ status: isUp ? "UP" : "DOWN" })
  })
  server.get("/management/health/liveness", async () => ({ status: "UP" }))
  server.all("/*", (request, reply) => route(parts, request, reply))
  return server
}

/** Printable, from the root, and nothing that another reader of addresses might take for something else. */
const PLAIN = /^\/[!-[\]-~]*$/

async function route(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { config } = parts
  const { url = "" } = request.raw
  const [path = "", query = ""] = url.split(/\?(.*)/s, 2)
  if (!PLAIN.test(url) || isOdd(path)) return refuse(config.publicUrl, request, reply, "constraint-violated")
  const asked = request.headers.host?.toLowerCase() ?? ""
  const own = config.cells.find(({ hosts }) => hosts.includes(asked))
  const host = hostFor(config, asked)
  // What a cell's certificates name is that cell's alone.
  if (own !== undefined)
    return /^\/(pki|log)\//.test(path)
      ? forward(request, reply, [own], { publicUrl: config.publicUrl, host })
      : refuse(config.publicUrl, request, reply, "not-found")
  const { authorization, cookie: cookies, "paraph-link": link } = request.headers
  const isValidation = host !== new URL(config.publicUrl).host
  const call = {
    method: request.method,
    path: isValidation ? `/validation${path}` : path,
    query,
    authorization,
    cookies,
    link: typeof link === "string" ? link : undefined,
  }
  return follow(parts, request, reply, wayOf(call), host)
}

/** Two dots, also when they are written in another way, or what cannot be read at all. */
function isOdd(path: string): boolean {
  try {
    return decodeURIComponent(path).split(/[/\\]/).includes("..")
  } catch {
    return true
  }
}

const hostFor = ({ publicUrl, validationUrl }: Config, asked: string): string => {
  const validation = validationUrl === "" ? null : new URL(validationUrl).host
  return asked === validation ? asked : new URL(publicUrl).host
}

async function follow(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  way: Way,
  host: string,
): Promise<FastifyReply> {
  const { cells, publicUrl } = parts.config
  const given = { publicUrl, host }
  const named = (name: string) => cells.filter((cell) => cell.name === name)
  switch (way.by) {
    case "nobody":
      return refuse(publicUrl, request, reply, "not-found")
    case "any":
      return forward(request, reply, hinted(cells, request), given)
    case "first":
      return forward(request, reply, cells.slice(0, 1), given)
    case "cell":
      return named(way.cell).length === 0
        ? refuse(publicUrl, request, reply, "not-found")
        : forward(request, reply, named(way.cell), { ...given, path: way.path })
    case "choice":
      return named(way.cell).length === 0
        ? refuse(publicUrl, request, reply, "not-found")
        : reply.header("set-cookie", choiceOf(publicUrl, way.cell)).redirect("/account/login", 303)
    case "all-keys":
      return reply
        .type("application/jwk-set+json; charset=utf-8")
        .header("cache-control", "public, max-age=60")
        .send(JSON.stringify({ keys: await keysOf(cells, host) }))
    case "names":
      return toNamed(parts, request, reply, way.names, way.unknown, given)
    case "body": {
      const body = await readSmall(
        request.body === undefined || request.body === null ? request.raw : (request.body as Readable),
      )
      if (body === null) return refuse(publicUrl, request, reply, "body-too-large")
      const names = way.names(membersOf(body, request.headers["content-type"]))
      return toNamed(parts, request, reply, names, "any", { ...given, body })
    }
  }
}

async function toNamed(
  { config, whereabouts }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  names: readonly string[],
  unknown: "any" | "no-token",
  given: Parameters<typeof forward>[3],
): Promise<FastifyReply> {
  let where: Found = "unknown"
  for (const name of names) {
    where = await whereabouts(name)
    if (where !== "unknown") break
  }
  if (where === "moving") return refuse(config.publicUrl, request, reply, "moving")
  if (where === "silent") return refuse(config.publicUrl, request, reply, "part-down")
  if (where !== "unknown") return forward(request, reply, [where.cell], given)
  if (unknown === "no-token") return refuse(config.publicUrl, request, reply, "token-invalid")
  return forward(request, reply, hinted(config.cells, request), given)
}

/** The cell that the browser has chosen before the others. */
const hinted = (cells: readonly CellPlace[], request: FastifyRequest): readonly CellPlace[] => {
  const chosen = chosenIn(request.headers.cookie)
  return cells.toSorted((a, b) => Number(b.name === chosen) - Number(a.name === chosen))
}

const choiceOf = (publicUrl: string, cell: string): string =>
  `${CHOSEN}=${cell}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000${publicUrl.startsWith("https:") ? "; Secure" : ""}`
