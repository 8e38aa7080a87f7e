import { readFileSync } from "node:fs"
import type { Json, Version } from "../api.ts"

export type Scope = Version | "validation/v1"

export const SCOPES = ["v1", "v2", "v3", "validation/v1"] as const satisfies readonly Scope[]

const FILES: Readonly<Record<Scope, string>> = {
  v1: "v1.swagger.json",
  v2: "v2.json",
  v3: "v3.json",
  "validation/v1": "validation-v1.json",
}
const METHODS = ["get", "post", "put", "patch", "delete"]

/** An operation of a published description, with the schema of its body. */
export type Described = {
  readonly scope: Scope
  readonly id: string
  readonly method: string
  readonly path: string
  /** The whole description, which the schema refers to. */
  readonly root: Json
  readonly body: { readonly type: string; readonly schema: Json } | null
  /** Query parameters that a call must have. */
  readonly query: readonly { readonly name: string; readonly schema: Json }[]
}

/** Every operation of the four published descriptions. */
export function describedOperations(): readonly Described[] {
  return SCOPES.flatMap((scope) => {
    const root = JSON.parse(
      readFileSync(new URL(`../../../openapi/${FILES[scope]}`, import.meta.url), "utf8"),
    ) as Json
    return Object.entries<Json>(root.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) => {
        const operation = item[method]
        const parameters: readonly Json[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        return {
          scope,
          root,
          path,
          id: operation.operationId as string,
          method: method.toUpperCase(),
          body: scope === "v1" ? bodyOfSwagger(operation, parameters) : bodyOf(operation),
          query: parameters
            .filter((each) => each.in === "query" && each.required === true)
            .map(({ name, schema, ...rest }) => ({ name, schema: schema ?? rest })),
        }
      }),
    )
  })
}

/** OpenAPI 3.1; where several media types are taken, JSON is the one that is sent. */
function bodyOf({ requestBody }: Json): Described["body"] {
  if (requestBody === undefined) return null
  const [type, { schema }] = Object.entries<Json>(requestBody.content).find(([name]) => /json/.test(name)) ??
    Object.entries<Json>(requestBody.content)[0] ?? ["application/json", {}]
  return { type, schema: schema ?? {} }
}

/** Swagger 2.0: one parameter "body", or one parameter for each field of a form. */
function bodyOfSwagger(operation: Json, parameters: readonly Json[]): Described["body"] {
  const body = parameters.find((each) => each.in === "body")
  if (body !== undefined) return { type: "application/json", schema: body.schema }
  const fields = parameters.filter((each) => each.in === "formData")
  if (fields.length === 0) return null
  return {
    type: operation.consumes?.[0] ?? "application/x-www-form-urlencoded",
    schema: {
      type: "object",
      required: fields.filter(({ required }) => required === true).map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map(({ name, in: _, required: __, ...schema }) => [name, schema]),
      ),
    },
  }
}
