import type { Schemas } from "./answers.ts"
import type { Json, Operation } from "./words.ts"

type Properties = Readonly<Record<string, Json>>

/** Parameters and body of an operation. */
export function requestOf(operation: Operation, schemas: Schemas): Json {
  const parameters = [
    ...parametersOf("path", operation.params, schemas),
    ...parametersOf("query", operation.query, schemas),
    ...parametersOf("header", operation.headers, schemas),
    ...(isIdempotent(operation) ? [IDEMPOTENCY_KEY] : []),
    ...CONDITIONS.filter(({ where }) => where(operation)).map(({ name, description }) => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    })),
    ...(operation.takes.includes(PDF) ? [TITLE] : []),
  ]
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body !== null && { requestBody: bodyOf(operation, schemas) }),
  }
}

const PDF = "application/pdf"
const MULTIPART = "multipart/form-data"

function parametersOf(
  place: "path" | "query" | "header",
  schema: Json | null,
  schemas: Schemas,
): readonly Json[] {
  if (schema === null) return []
  const required = (schema.required ?? []) as readonly string[]
  return Object.entries((schema.properties ?? {}) as Properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    schema: schemas.of(rest),
  }))
}

const isIdempotent = ({ takesKey, headers }: Operation): boolean =>
  takesKey && (headers?.properties as Json | undefined)?.["idempotency-key"] === undefined

/** RFC 9110: who may be answered so may also ask so. */
const CONDITIONS: readonly {
  readonly name: string
  readonly description: string
  readonly where: (operation: Operation) => boolean
}[] = [
  {
    name: "If-None-Match",
    description: "The ETag of what the caller has; 304 while it is still the same.",
    where: ({ answers }) => answers["304"] !== undefined,
  },
  {
    name: "If-Match",
    description: "The ETag of what the caller has seen; 412 where it has changed since.",
    where: ({ problems }) => problems.includes(412),
  },
  {
    name: "Range",
    description: "One range of bytes, such as bytes=0-1023.",
    where: ({ problems }) => problems.includes(416),
  },
]

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same body answers what the first one answered, for 24 hours.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$" },
}

function bodyOf({ body, takes, needsBody }: Operation, schemas: Schemas): Json {
  const forms = takes.map((type) => [type, { schema: formOf(type, body ?? {}, schemas) }])
  return { required: needsBody, content: Object.fromEntries(forms) }
}

/**
 * The very bytes. OpenAPI 3.1 would be content with nothing, but from nothing generators make a type that takes anything and
 * sends it as no bytes; all of them know this form, which is that of 3.0.
 */
const BYTES = { type: "string", format: "binary" }

/** The three forms in which a document comes (choice 56): in JSON, as a part of a form, or as it is. */
function formOf(type: string, schema: Json, schemas: Schemas): Json {
  if (type === PDF) return BYTES
  // Of the bytes of a picture there is nothing to say.
  if (type.startsWith("image/")) return {}
  if (type !== MULTIPART) return schemas.of(schema)
  const { file_url: _, content_type: __, ...members } = (schema.properties ?? {}) as Properties
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(Object.entries(members).map(([name, each]) => [name, schemas.of(each)])),
      content: { contentMediaType: PDF },
    },
    required: [...new Set([...((schema.required ?? []) as readonly string[]), "content"])],
    ...(schema.additionalProperties === false && { additionalProperties: false }),
  }
}

/** Who sends the very bytes has no other place for the title. Beside another kind of body nobody looks at it. */
const TITLE = {
  name: "title",
  in: "query",
  required: false,
  description: "The title, where the body is of the type application/pdf.",
  schema: { type: "string" },
}
