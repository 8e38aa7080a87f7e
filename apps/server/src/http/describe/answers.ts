import { TEXT } from "@paraph/contract/shared/fields"
import { headersOf } from "./headers.ts"
import type { Names } from "./names.ts"
import type { Json, Operation } from "./words.ts"

export type Schemas = {
  /** The schema as a description says it: by reference where it has a name. */
  readonly of: (schema: Json) => Json
  /** Everything that was referred to, by name. */
  readonly used: () => Json
}

export function createSchemas(names: Names): Schemas {
  const used = new Map<string, Json>()
  const of = (schema: Json): Json => {
    const name = names.of(schema)
    if (name === undefined) return inside(schema)
    if (!used.has(name)) {
      used.set(name, {})
      const sample = names.sampleOf(name, schema)
      used.set(name, { ...inside(schema), ...(sample !== undefined && { examples: [sample] }) })
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const inside = (schema: Json): Json =>
    Object.fromEntries(
      Object.entries(portable(typed(schema))).map(([keyword, value]) => {
        if (MAPS.includes(keyword)) return [keyword, eachOf(value as Json, of)]
        if (LISTS.includes(keyword)) return [keyword, (value as readonly Json[]).map(of)]
        return [keyword, SINGLES.includes(keyword) && typeof value === "object" ? of(value as Json) : value]
      }),
    )
  return { of, used: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

const MAPS = ["properties", "patternProperties"]
const LISTS = ["anyOf", "oneOf", "allOf"]
const SINGLES = ["items", "additionalProperties", "not"]

const eachOf = (schemas: Json, of: (schema: Json) => Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, of(schema as Json)]))

/** TypeBox leaves the type of an enumeration unsaid; readers of descriptions like to be told. */
function typed(schema: Json): Json {
  const { enum: values, type } = schema
  const isText = Array.isArray(values) && values.every((value) => typeof value === "string")
  return isText && type === undefined ? { type: "string", ...schema } : schema
}

/**
 * `TEXT` also names lone surrogates, by a class of Unicode that few regular expressions outside JavaScript know. They
 * are no text in any JSON that is exchanged (RFC 7493, 2.1), so the description can do without.
 */
const portable = (schema: Json): Json =>
  schema.pattern === TEXT ? { ...schema, pattern: "^[^\\u0000]*$" } : schema

/** What goes well, by status. */
export function answersOf(operation: Operation, schemas: Schemas, links: Json | null): Json {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, answer]) => [
      status,
      {
        description: typeof answer.description === "string" ? answer.description : (WORDS[status] ?? "Done."),
        headers: headersOf(operation.version, marks(operation, status)),
        ...contentOf(answer, schemas),
        ...(links !== null && status === "200" && { links }),
      },
    ]),
  )
}

const WORDS: Readonly<Record<string, string>> = {
  200: "Done.",
  202: "Not there yet: ask again after the pause that Retry-After names.",
  204: "Done; there is nothing to answer.",
  206: "A part of it, as Range asked.",
  304: "What the caller has is still the same.",
}

const marks = ({ takesKey, answerHeaders }: Operation, status: string): readonly string[] => [
  ...answerHeaders,
  ...(status === "202" ? ["Retry-After"] : []),
  ...(takesKey ? ["Idempotent-Replayed"] : []),
]

/** As Fastify has it: a schema of JSON, null for no body, or one schema for each media type. */
function contentOf(answer: Json, schemas: Schemas): Json {
  if (answer.type === "null") return {}
  const types = (answer.content ?? { "application/json": { schema: answer } }) as Record<
    string,
    { schema: Json }
  >
  return {
    content: Object.fromEntries(
      Object.entries(types).map(([type, { schema }]) => [type, { schema: schemas.of(schema) }]),
    ),
  }
}
