import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { FastifyInstance } from "fastify"
import { NOBODY } from "../http/describe/generate.ts"
import { createServer } from "../http/server.ts"
import type { Parts } from "../parts.ts"

export type Route = {
  readonly method: string
  readonly url: string
  /** The JSON Schema of the body, where the route declares one. */
  readonly body: unknown
}

/**
 * For tests only: every route that the server registers, in both roles, by Fastify's own `onRoute` hook. No list is kept by hand,
 * so a new route cannot be left out. The server is never started, and no handler is called.
 */
export async function routeTable(): Promise<readonly Route[]> {
  const routes: Route[] = []
  const collect = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook("onRoute", ({ method, url, schema }) => {
      for (const each of [method].flat())
        if (each !== "HEAD") routes.push({ method: each, url, body: schema?.body ?? null })
    })
  }
  subscribe("fastify.initialization", collect)
  try {
    const settings = { trustedProxies: [], roles: ["api", "validation"], isSandbox: true } as const
    const server = await createServer(PARTS, settings)
    await server.ready()
    await server.close()
  } finally {
    unsubscribe("fastify.initialization", collect)
  }
  return routes
}

const URL = "https://sign.example"
const GIVEN: Readonly<Record<PropertyKey, unknown>> = {
  publicUrl: URL,
  validationBaseUrl: `${URL}/validation`,
}
const PARTS = new Proxy(NOBODY, {
  get: (nobody, name) => GIVEN[name as string] ?? Reflect.get(nobody, name),
}) as Parts
