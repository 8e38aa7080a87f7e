import type { Json } from "./words.ts"

type Members = Readonly<Record<string, Json>>

/** A schema in the dialect of Swagger 2.0. Where it has no word for something, what remains accepts more, never less. */
export function swaggerSchema(schema: Json): Json {
  const options = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined
  if (options !== undefined) return alternatives(options, schema.description)
  if (typeof schema.$ref === "string")
    return { $ref: schema.$ref.replace("#/components/schemas/", "#/definitions/") }
  return Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => translate(keyword, value)))
}

function translate(keyword: string, value: unknown): readonly (readonly [string, unknown])[] {
  switch (keyword) {
    case "const":
      return [["enum", [value]]]
    case "examples":
      return [["example", (value as readonly unknown[])[0]]]
    case "exclusiveMinimum":
      return [
        ["minimum", value],
        ["exclusiveMinimum", true],
      ]
    case "exclusiveMaximum":
      return [
        ["maximum", value],
        ["exclusiveMaximum", true],
      ]
    case "properties":
      return [[keyword, eachOf(value as Members)]]
    case "items":
      return [[keyword, swaggerSchema(value as Json)]]
    case "additionalProperties":
      return [[keyword, typeof value === "object" ? swaggerSchema(value as Json) : value]]
    default:
      return KNOWN.includes(keyword) ? [[keyword, value]] : []
  }
}

/** Swagger 2.0, "Schema Object". */
const KNOWN = [
  "type",
  "format",
  "title",
  "description",
  "default",
  "enum",
  "pattern",
  "required",
  "multipleOf",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
]

const eachOf = (members: Members): Json =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name, swaggerSchema(each)]))

function alternatives(options: readonly Json[], description: unknown): Json {
  const others = options.filter(({ type }) => type !== "null").map(swaggerSchema)
  const [only = {}] = others
  const schema = others.length === 1 ? only : widest(others)
  return {
    ...schema,
    ...(others.length < options.length && nullable(schema)),
    ...(description !== undefined && { description }),
  }
}

/** A list of values is complete in itself, so null has to stand in it too. */
const nullable = ({ enum: values }: Json): Json => ({
  ...(Array.isArray(values) && { enum: [...values, null] }),
  "x-nullable": true,
})

/** What every one of them is. */
function widest(schemas: readonly Json[]): Json {
  const types = [...new Set(schemas.map(({ type }) => (type === "number" ? "number" : type)))]
  const isNumeric = types.every((type) => type === "number" || type === "integer")
  if (schemas.every((each) => Array.isArray(each.enum)) && types.length === 1)
    return { type: types[0], enum: [...new Set(schemas.flatMap((each) => each.enum as readonly unknown[]))] }
  if (isNumeric) return widestNumber(schemas)
  if (types.length > 1 || types[0] === undefined) return {}
  return types[0] === "object" ? widestObject(schemas) : { type: types[0] }
}

function widestNumber(schemas: readonly Json[]): Json {
  const ends = (side: "minimum" | "maximum") =>
    schemas.flatMap((each) => (each[side] ?? each.enum ?? []) as readonly number[] | number)
  const isWhole = schemas.every(
    ({ type, enum: values }) =>
      type === "integer" || (Array.isArray(values) && values.every((value) => Number.isInteger(value))),
  )
  return {
    type: isWhole ? "integer" : "number",
    minimum: Math.min(...ends("minimum")),
    maximum: Math.max(...ends("maximum")),
  }
}

function widestObject(schemas: readonly Json[]): Json {
  const lists = schemas.map(({ required }) => (required ?? []) as readonly string[])
  const required = (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)))
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties ?? {})),
    ...(required.length > 0 && { required }),
  }
}
