import fc from "fast-check"
import type { Json } from "../api.ts"

/** Values that take the place of generated ones, by the name of the property that holds them. */
export type RealValues = Readonly<Record<string, unknown>>

/** Which optional properties a body has. */
export type Extent = "required" | "all"

/**
 * Arbitraries of fast-check, driven by a JSON Schema (or the part of it that Swagger 2.0 has). A property whose name is among the
 * real values has that value, so that a generated body refers to objects that exist.
 */
export function valuesOf(root: Json, schema: Json, extent: Extent, real: RealValues): fc.Arbitrary<unknown> {
  const of = (each: Json): fc.Arbitrary<unknown> => valuesOf(root, each, extent, real)
  if (schema.$ref !== undefined) return of(resolved(root, schema.$ref))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const variants: readonly Json[] | undefined = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return of(variants.find((each) => each.type !== "null") ?? variants[0])
  if (schema.allOf !== undefined) return fc.tuple(...schema.allOf.map(of)).map(merged)
  switch ([schema.type].flat().find((type) => type !== "null")) {
    case "object":
      return objects(root, schema, extent, real)
    case "array":
      return fc.array(of(schema.items ?? {}), { minLength: Math.max(1, schema.minItems ?? 0), maxLength: 1 })
    case "integer":
    case "number":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 2 ** 31 - 1) })
    case "boolean":
      return fc.boolean()
    case "string":
      return texts(schema)
    default:
      return fc.constant({})
  }
}

function objects(root: Json, schema: Json, extent: Extent, real: RealValues): fc.Arbitrary<unknown> {
  const required: readonly string[] = schema.required ?? []
  const properties: [string, Json][] = Object.entries(schema.properties ?? {})
  const kept = properties.filter(([name]) => extent === "all" || required.includes(name))
  const entries = kept.map(([name, each]) => {
    const value = real[name]
    return [name, value === undefined ? valuesOf(root, each, extent, real) : fc.constant(value)] as const
  })
  return fc.record(Object.fromEntries(entries))
}

const resolved = (root: Json, ref: string): Json =>
  ref
    .slice(2)
    .split("/")
    .reduce((found, name) => found[name.replaceAll("~1", "/").replaceAll("~0", "~")], root)

const merged = (parts: readonly unknown[]): unknown => Object.assign({}, ...parts)

/** For what fast-check cannot derive: formats, and patterns with classes of Unicode or lookaheads. */
const SAMPLES = [
  ...[
    "Text of the sweep",
    "sweep",
    "2026-11-19",
    "+41 79 000 00 00",
    "41790000000",
    "CH",
    "1",
    "0",
    "123456",
  ],
  ...[
    "1234 5678",
    "/console/requests",
    "12.34",
    "0101",
    "https://integrator.example/x",
    "AAAAAAAAAA",
    "a".repeat(64),
  ],
  ...["2026-11", "2026-11-19T00:00:00Z", "#0a7d4b", "AB-CD-EF", "CHE-123.456.789", "sweep.txt", "text/plain"],
]

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.uuid().map((id) => `sweep-${id}@example.org`),
  date: fc.constant("2026-12-24"),
  "date-time": fc.constant("2026-12-24T12:00:00Z"),
  uri: fc.constant("https://integrator.example/sweep"),
}

function texts(schema: Json): fc.Arbitrary<string> {
  const format = FORMATS[schema.format ?? ""]
  if (format !== undefined) return format
  const { pattern, minLength = 0, maxLength = 200 } = schema
  const fits = SAMPLES.filter(
    (sample) =>
      sample.length >= minLength &&
      sample.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, "u").test(sample)),
  )
  if (fits.length > 0) return fc.constantFrom(...fits)
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.max(minLength, 20) })
  return fc.stringMatching(new RegExp(pattern))
}
