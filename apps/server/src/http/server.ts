import { randomUUID } from "node:crypto"
import { LIMITS } from "@paraph/core/limits"
import Fastify, { type FastifyInstance, LogController } from "fastify"
import helmet from "helmet"
import type { Parts } from "../parts.ts"
import { SpanKind, startSpan } from "../telemetry/traces.ts"
import { app } from "./app/plugin.ts"
import { consoleApp } from "./console.ts"
import { reference } from "./describe/reference.ts"
import { httpsOnly } from "./https-only.ts"
import { jwks } from "./jwks.ts"
import { evidenceLog } from "./log/routes.ts"
import { health } from "./management.ts"
import { isOurOwn } from "./our-own.ts"
import { pki } from "./pki/routes.ts"
import { problemPages } from "./problem-pages.ts"
import { framework, useProblems } from "./problems.ts"
import { limitsAddresses } from "./rate-limits.ts"
import { sandboxBanner } from "./sandbox-banner.ts"
import { compilesWhenUsed } from "./schemas.ts"
import { securityTxt } from "./security-txt.ts"
import type { TlsMaterial } from "./tls.ts"
import { v1 } from "./v1/plugin.ts"
import { v2 } from "./v2/plugin.ts"
import { v3 } from "./v3/plugin.ts"
import { toValidation } from "./validation-v1/address.ts"
import { validationV1 } from "./validation-v1/plugin.ts"
import { verifyPage } from "./verify-page.ts"

export type HttpSettings = {
  readonly trustedProxies: readonly string[]
  /** What is answered here; the one may do without the other. */
  readonly roles: readonly ("api" | "validation")[]
  /** Whether each page says that nothing here counts. */
  readonly isSandbox: boolean
  /** Null: a proxy in front speaks TLS. */
  readonly tls?: TlsMaterial | null
}

/** The front door: one scope per version of the interface, one for the web application, one for validation. */
export async function createServer(parts: Parts, settings: HttpSettings): Promise<FastifyInstance> {
  const style = { contentType: "application/problem+json; charset=utf-8", rootUrl: parts.publicUrl }
  const server = Fastify({
    frameworkErrors: framework(style),
    rewriteUrl: toValidation(parts.validationBaseUrl),
    loggerInstance: parts.log,
    // Fastify would log the address, which may hold a token.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    bodyLimit: LIMITS.jsonBytes,
    // The longest upload at 1 Mbit/s takes 20 minutes; headers and idle connections get seconds.
    requestTimeout: 20 * 60_000,
    keepAliveTimeout: 72_000,
    ...(settings.tls && { https: settings.tls }),
  })
  compilesWhenUsed(server)
  observe(server, parts)
  lastWords(server)
  lingering(server)
  secured(server, parts.publicUrl)
  useProblems(server, style)
  if (settings.isSandbox) sandboxBanner(server)
  httpsOnly(server, parts)
  limitsAddresses(server, parts)
  health(server, parts.readiness)
  jwks(server, parts)
  securityTxt(server, parts)
  problemPages(server, parts)
  if (settings.roles.includes("validation"))
    await server.register((scope) => validationV1(scope, parts), { prefix: "/validation/v1" })
  if (settings.roles.includes("api")) await signing(server, parts)
  return server
}

async function signing(server: FastifyInstance, parts: Parts): Promise<void> {
  await server.register((scope) => pki(scope, parts))
  await server.register((scope) => evidenceLog(scope, parts))
  await server.register((scope) => v1(scope, parts), { prefix: "/v1" })
  await server.register((scope) => v2(scope, parts), { prefix: "/v2" })
  await server.register((scope) => v3(scope, parts), { prefix: "/v3" })
  await server.register((scope) => app(scope, parts))
  await server.register(consoleApp, { prefix: "/console" })
  await server.register(verifyPage)
  await server.register(reference)
}

/** Put together once: a plugin of the framework would do so for each call. */
function secured(server: FastifyInstance, publicUrl: string): void {
  const write = helmet(HEADERS(publicUrl))
  server.addHook("onRequest", (request, reply, done) => write(request.raw, reply.raw, done as () => void))
}

/** Security, R25: nothing inline, nothing foreign, never in a frame. */
const HEADERS = (publicUrl: string) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: "no-referrer" as const },
  strictTransportSecurity: publicUrl.startsWith("https:")
    ? { maxAge: 31_536_000, includeSubDomains: true }
    : false,
  xFrameOptions: { action: "deny" as const },
})

/** While it stops, an answer ends its connection: one kept alive would hold the process until it times out. */
function lastWords(server: FastifyInstance): void {
  let stopping = false
  server.addHook("preClose", async () => {
    stopping = true
  })
  server.addHook("onSend", async (_, reply) => {
    if (stopping) reply.header("connection", "close")
    reply.header("permissions-policy", PERMISSIONS)
    // What we answer is somebody's own; the few files that are not say so themselves.
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store")
  })
  // Its head may have been made just before: then the connection has promised to stay, and nobody else would end it.
  server.addHook("onResponse", async ({ raw }) => {
    if (stopping) raw.socket.end()
  })
}

/** Our pages need none of these, so neither does whatever might get into them. */
const PERMISSIONS =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

const LINGER_MS = 2_000

/**
 * Who is answered before the whole body was read may still be sending it, and would lose our answer with the connection.
 * So what still comes is thrown away for a moment, and only then the connection ends.
 */
function lingering(server: FastifyInstance): void {
  // Where a connection is not kept, Node takes it away with the last byte of the answer. At first only our own side of it ends.
  server.addHook("onSend", async (request) => {
    const { raw } = request
    if (raw.complete || isOurOwn(request)) return
    const { socket } = raw
    const takeAway = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      socket.end()
      setTimeout(takeAway, LINGER_MS).unref()
    }
  })
  server.addHook("onResponse", async ({ raw }) => {
    if (raw.complete || raw.destroyed) return
    const end = setTimeout(() => raw.destroy(), LINGER_MS).unref()
    raw.once("end", () => clearTimeout(end)).resume()
  })
}

/** In our own records alone: whoever asked was gone before there was an answer. Others use this number for it too. */
const NO_ANSWER = 499

/** One line, one measurement and one span per request; by its route, never by its address, which may hold a token. */
function observe(server: FastifyInstance, parts: Parts): void {
  server.addHook("onRequest", async (request, reply) => {
    const route = request.routeOptions.url ?? "none"
    const span = startSpan(`${request.method} ${route}`, SpanKind.SERVER, {
      "http.request.method": request.method,
      "http.route": route,
    })
    reply.header("x-request-id", request.id)
    reply.raw.once("close", () => {
      const { method } = request
      const status = reply.raw.headersSent ? reply.statusCode : NO_ANSWER
      span.setAttribute("http.response.status_code", status).end()
      parts.metrics.request({ method, route, status }, reply.elapsedTime / 1000)
      request.log.info({ method, route, status, ms: Math.round(reply.elapsedTime) }, "request")
    })
  })
}
