import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify"
import { type Json, type Operation, PATHS, VERSIONS, type Version } from "./words.ts"

const METHODS = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const
type Method = (typeof METHODS)[number]

/** From here on every operation of the interface that is registered, as it is registered. No list is kept by hand. */
export function collectOperations(app: FastifyInstance): readonly Operation[] {
  const found: Operation[] = []
  app.addHook("onRoute", function (route) {
    const version = VERSIONS.find((each) => route.url.startsWith(`${PATHS[each]}/`))
    if (version === undefined || route.schema?.hide === true) return
    for (const method of [route.method].flat())
      if (isOurs(method)) found.push(operationOf(this, route, version, method))
  })
  return found
}

/** HEAD is answered wherever GET is, and needs no words of its own. */
const isOurs = (method: string): method is Method => METHODS.some((each) => each === method)

function operationOf(
  scope: FastifyInstance,
  route: RouteOptions,
  version: Version,
  method: Method,
): Operation {
  const schema: FastifySchema = route.schema ?? {}
  const name = `${method} ${route.url}`
  return {
    version,
    method: method.toLowerCase() as Lowercase<Method>,
    path: route.url.slice(PATHS[version].length).replace(/:(\w+)/g, "{$1}"),
    operationId: said(schema.operationId, name, "operationId"),
    summary: said(schema.summary, name, "summary"),
    description: schema.description ?? null,
    isPublic: route.config?.public === true,
    takesKey: method === "POST" && route.config?.public !== true && route.config?.changesNothing !== true,
    params: plain(schema.params),
    query: plain(schema.querystring),
    headers: plain(schema.headers),
    body: plain(schema.body),
    needsBody: schema.optionalBody !== true,
    takes: takesOf(scope, schema.body),
    answers: said(plain(schema.response), name, "response") as Operation["answers"],
    problems: schema.problems ?? [],
    answerHeaders: schema.answerHeaders ?? [],
  }
}

/** A body that says its media types takes these; else it is whatever the scope reads. */
function takesOf(scope: FastifyInstance, body: unknown): readonly string[] {
  if (body === undefined) return []
  const { content } = body as { readonly content?: Json }
  return content === undefined
    ? MEDIA_TYPES.filter((type) => scope.hasContentTypeParser(type))
    : Object.keys(content)
}

/** What a scope takes is asked of its parsers. Fastify also reads text/plain, which no schema of ours accepts. */
const MEDIA_TYPES = [
  "application/json",
  "multipart/form-data",
  "application/pdf",
  "application/x-www-form-urlencoded",
]

function said<T>(value: T | null | undefined, route: string, word: string): T {
  if (value === undefined || value === null) throw new Error(`${route} has no ${word} in its schema.`)
  return value
}

/** Without what TypeBox keeps for itself. */
const plain = (schema: unknown): Json | null =>
  schema === undefined ? null : (JSON.parse(JSON.stringify(schema)) as Json)
