import { HEADER_COMPONENTS } from "./headers.ts"
import { swaggerSchema } from "./swagger-schema.ts"
import type { Json } from "./words.ts"

type Content = Readonly<Record<string, { readonly schema: Json }>>
type Answer = {
  readonly description: string
  readonly headers?: Json
  readonly content?: Content
  readonly links?: Json
}

/**
 * The same description as Swagger 2.0, which part 4 promises for version 1. What that format cannot say it says less
 * exactly, and never wrongly: alternatives become the type that holds them all, and of several kinds of bodies JSON is shown.
 */
export function asSwagger(openapi: Json): Json {
  const { info, servers, tags, paths, components } = openapi
  const { schemas, responses } = components as { schemas: Json; responses: Json }
  const address = (servers as readonly { url: string }[])[0]?.url ?? ""
  return {
    swagger: "2.0",
    info: swaggerInfo(info as Json),
    ...swaggerAddress(address),
    tags,
    security: [{ bearer: [] }],
    securityDefinitions: { bearer: BEARER },
    paths: mapped(paths as Json, (path) => mapped(path, (each) => operation(each, schemas))),
    definitions: mapped(schemas, swaggerSchema),
    responses: mapped(responses, (each) => answer(each as Answer)),
  }
}

/** Where it is served, in the three pieces of this format. */
export function swaggerAddress(address: string): Json {
  const { protocol, host, pathname } = new URL(address)
  return { host, basePath: pathname, schemes: [protocol.slice(0, -1)] }
}

function swaggerInfo({ license, ...info }: Json): Json {
  return { ...info, license: { name: (license as { name: string }).name } }
}

/** This format has no bearer tokens; the header is all it can name. */
const BEARER = {
  type: "apiKey",
  in: "header",
  name: "Authorization",
  description: "`Bearer ` and the token that `POST /access/login` answers; its format is JWT.",
  "x-bearerFormat": "JWT",
}

function operation(operation: Json, schemas: Json): Json {
  const { parameters = [], requestBody, responses, ...words } = operation
  const answers = responses as Json
  const content = ((requestBody as Json | undefined)?.content ?? {}) as Content
  const takes = Object.keys(content)
  const shown = takes.includes("application/json") ? ["application/json"] : takes
  const required = (requestBody as Json | undefined)?.required === true
  const others = takes.filter((type) => !shown.includes(type))
  return {
    ...words,
    ...(others.length > 0 && { description: `A body may also be of the type ${others.join(" or ")}.` }),
    ...(shown.length > 0 && { consumes: shown }),
    produces: produced(answers),
    parameters: [
      ...(parameters as readonly Json[]).map(parameter),
      ...shown.flatMap((type) => body(type, content[type]?.schema ?? {}, required, schemas)),
    ],
    responses: mapped(answers, (each) =>
      each.$ref === undefined ? answer(each as Answer) : reference(each),
    ),
  }
}

/** Problems are JSON in version 1, like most of what it answers. */
function produced(answers: Json): readonly string[] {
  const types = Object.values(answers).flatMap((each) => Object.keys((each as Answer).content ?? {}))
  return [...new Set([...types, "application/json"])].sort()
}

function parameter({ schema, ...words }: Json): Json {
  return { ...words, ...swaggerSchema(schema as Json) }
}

function body(type: string, schema: Json, required: boolean, schemas: Json): readonly Json[] {
  if (type === "application/json")
    return [{ name: "body", in: "body", required, schema: swaggerSchema(schema) }]
  // The fields of a form are parameters, each for itself; what has a name has to be looked up first.
  const form = schemas[String(schema.$ref).replace("#/components/schemas/", "")] ?? schema
  const { properties = {}, required: needed = [] } = form as {
    readonly properties?: Readonly<Record<string, Json>>
    readonly required?: readonly string[]
  }
  const members = Object.entries(properties)
  return members.map(([name, each]) => ({
    name,
    in: "formData",
    required: needed.includes(name),
    ...swaggerSchema(each),
  }))
}

function answer({ description, headers = {}, content, links }: Answer): Json {
  return {
    description,
    headers: mapped(headers, (_, name) => header(name)),
    ...(content !== undefined && { schema: answered(content) }),
    ...(links !== undefined && { "x-links": links }),
  }
}

/** This format cannot refer to headers. */
function header(name: string): Json {
  const { schema, ...words } = HEADER_COMPONENTS[name] as Json
  return { ...words, ...swaggerSchema(schema as Json) }
}

/**
 * One schema for all media types: that of JSON where there is nothing else, text where it is text, bytes where it is a file of
 * whatever type. Where JSON is one of several it can be anything.
 */
function answered(content: Content): Json {
  const types = Object.keys(content)
  const [only] = types
  if (types.length > 1 && types.includes("application/json")) return {}
  if (types.length > 1 || only === undefined) return BINARY
  if (only.includes("json")) return swaggerSchema(content[only]?.schema ?? {})
  return only.startsWith("text/") ? { type: "string" } : BINARY
}

/** `type: file` would say the same, but some readers of this format stumble over it. */
const BINARY = { type: "string", format: "binary" }

const reference = ({ $ref }: Json): Json => ({
  $ref: String($ref).replace("#/components/responses/", "#/responses/"),
})

const mapped = (members: Json, change: (value: Json, name: string) => Json): Json =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value as Json, name)]))
