import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import { PATHS, type Version } from "./words.ts"

/** Where people read the descriptions. */
export const REFERENCE = "/reference"

/**
 * The browsable reference: all versions in one page, from this server alone. Nothing is loaded from or told to anybody. What
 * draws it takes 40 MB, so a process that nobody asks for it does without.
 */
export async function reference(app: FastifyInstance): Promise<void> {
  let made: Promise<FastifyInstance> | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= makeReference()
    const { "accept-encoding": encoding = "" } = request.headers
    const asked = { method: "GET", url: request.url, headers: { "accept-encoding": encoding } } as const
    const { statusCode, headers, rawPayload } = await (await made).inject(asked)
    for (const name of SHOWN_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name])
    return reply.code(statusCode).send(rawPayload)
  }
  app.get(REFERENCE, show)
  app.get(`${REFERENCE}/*`, show)
}

const SHOWN = ["v3", "v2", "v1", "validation-v1"] as const satisfies readonly Version[]

const SHOWN_HEADERS = [
  "content-type",
  "content-encoding",
  "content-security-policy",
  "cache-control",
  "vary",
  "etag",
  "location",
] as const

async function makeReference(): Promise<FastifyInstance> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference")
  const app = Fastify()
  app.addHook("onSend", async (request, reply, payload) => {
    const type = String(reply.getHeader("content-type") ?? "")
    if (typeof payload !== "string") return payload
    if (type.startsWith("text/html")) return page(reply, payload)
    return type.startsWith("application/javascript") ? script(request, reply, payload) : payload
  })
  await app.register(apiReference, {
    routePrefix: REFERENCE,
    configuration: {
      pageTitle: "Paraph API reference",
      favicon: "/app/icon.svg",
      sources: SHOWN.map((version) => ({
        title: TITLES[version],
        slug: version,
        url: `${PATHS[version]}/api-docs`,
        default: version === "v2",
      })),
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  await app.ready()
  return app
}

function page(reply: FastifyReply, text: string): string {
  reply.header("content-security-policy", policyFor(text))
  return text.replace("<html>", '<html lang="en">')
}

/** 4 MB, or a quarter of that for whoever takes it packed; it changes with our releases alone. */
function script(request: FastifyRequest, reply: FastifyReply, text: string): string | Buffer {
  reply.header("cache-control", "public, max-age=3600").header("vary", "accept-encoding")
  if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return text
  packed ??= gzipSync(text)
  reply.header("content-encoding", "gzip").header("content-length", packed.length)
  return packed
}

let packed: Buffer | undefined

const TITLES = {
  v1: "v1 (deprecated)",
  v2: "v2 (current)",
  v3: "v3 (preview)",
  "validation-v1": "validation v1",
} as const

/**
 * Security, R25, for this one page: its scripts are the file beside it and the very lines that it was sent with; its
 * styles are made by that script, which no hash can know before.
 */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].flatMap(([, script = ""]) =>
    script.trim() === "" ? [] : [`'sha256-${createHash("sha256").update(script).digest("base64")}'`],
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}
