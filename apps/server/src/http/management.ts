import Fastify, { type FastifyInstance } from "fastify"
import type { Metrics } from "../telemetry/metrics.ts"
import type { TlsMaterial } from "./tls.ts"

/** Each part that must work for this process to be of use: resolves when it does. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>

/** Which business a name leads to, where it is one of this cell; null where it is none. */
export type Knows = (name: string) => Promise<{ readonly business: string | null } | null>

/** Decisions, "health": `{status, groups}`; liveness and readiness apart. No token, and no detail to outsiders. */
export function health(app: FastifyInstance, readiness: Readiness): void {
  app.get("/management/health", async (_, reply) => {
    const down = await whatIsDown(readiness)
    return reply
      .code(down.length === 0 ? 200 : 503)
      .send({ status: word(down), groups: ["liveness", "readiness"] })
  })
  app.get("/management/health/liveness", async () => ({ status: "UP" }))
  app.get("/management/health/readiness", async (_, reply) => {
    const down = await whatIsDown(readiness)
    return reply.code(down.length === 0 ? 200 : 503).send({ status: word(down) })
  })
}

const word = (down: readonly string[]) => (down.length === 0 ? "UP" : "DOWN")

const CHECK_MS = 3_000

/** A part that hangs is a part that is down. */
async function whatIsDown(readiness: Readiness): Promise<readonly string[]> {
  const checks = Object.entries(readiness).map(async ([name, check]) => {
    const late = new Promise<never>((_, reject) => setTimeout(reject, CHECK_MS, new Error("late")).unref())
    return Promise.race([check(), late]).then(
      () => null,
      () => name,
    )
  })
  return (await Promise.all(checks)).filter((name) => name !== null)
}

/** The port that stays inside: metrics, and health that names the part that is down. */
export function createManagement(
  readiness: Readiness,
  metrics: Metrics,
  /** Parts without which the process is still of use, for something else than what needs them. */
  besides: Readiness = {},
  knows: Knows = async () => null,
  tls: TlsMaterial | null = null,
): FastifyInstance {
  const server = Fastify({ logger: false, ...(tls !== null && { https: tls }) })
  health(server, readiness)
  const all = { ...readiness, ...besides }
  server.get("/management/health/parts", async () => {
    const down = await whatIsDown(all)
    return Object.fromEntries(Object.keys(all).map((name) => [name, down.includes(name) ? "DOWN" : "UP"]))
  })
  // A router asks which cell somebody is known in (ADR 0066); in the body, since addresses are written down on the way.
  server.post<{ Body: unknown }>("/management/knows", { bodyLimit: 4096 }, async ({ body }, reply) => {
    const name = (body as { readonly name?: unknown } | null)?.name
    const found = typeof name === "string" ? await knows(name) : null
    return found === null ? reply.code(404).send({}) : found
  })
  server.get("/metrics", async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  return server
}
