import type { FastifyInstance } from "fastify"

/**
 * Many clients say that all they send is JSON, also where they send nothing, as with a DELETE. Where a body is needed, its
 * schema still asks for it.
 */
export function takesEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error")
  app.removeContentTypeParser("application/json")
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) =>
    text === "" ? done(null, undefined) : parse(request, text, done),
  )
}
