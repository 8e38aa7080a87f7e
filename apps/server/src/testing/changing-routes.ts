import Fastify, { type FastifyInstance } from "fastify"
import { app } from "../http/app/plugin.ts"
import { NOBODY } from "../http/describe/generate.ts"

export type ChangingRoute = { readonly method: "POST" | "PUT" | "PATCH" | "DELETE"; readonly url: string }

/**
 * For tests only: every route of our pages by which something could be changed, as the server registers them, and a server that
 * has them all and answers with the code of a refusal. No list is kept by hand.
 */
export async function changingRoutes(): Promise<{
  readonly server: FastifyInstance
  readonly routes: readonly ChangingRoute[]
}> {
  const server = Fastify()
  const routes: ChangingRoute[] = []
  server.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat())
      if (!["GET", "HEAD", "OPTIONS"].includes(each)) routes.push({ method: each, url } as ChangingRoute)
  })
  server.setErrorHandler(async (error: { code?: string }, _, reply) => reply.code(400).send(error.code))
  await server.register((scope) => app(scope, NOBODY))
  await server.ready()
  return { server, routes }
}
