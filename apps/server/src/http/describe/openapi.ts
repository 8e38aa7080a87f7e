import { Problem } from "@paraph/contract/shared/problem"
import { answersOf, createSchemas, type Schemas } from "./answers.ts"
import { HEADER_COMPONENTS, problemHeaders } from "./headers.ts"
import { linksOf } from "./links.ts"
import type { Names } from "./names.ts"
import { requestOf } from "./requests.ts"
import { keysOf, problemStatuses, REASONS } from "./statuses.ts"
import { type Json, type Operation, PATHS, type Version } from "./words.ts"

/** Stands in openapi/ for the address of the service; what is served names its own. */
export const PLACEHOLDER_URL = "https://paraph.example"

/** OpenAPI 3.1.1 of one version, the same text for the same routes. */
export function describeVersion(version: Version, operations: readonly Operation[], names: Names): Json {
  const schemas = createSchemas(names)
  const own = operations.filter((each) => each.version === version).sort(byPlace)
  const statuses = [...new Set(own.flatMap(problemStatuses))].sort((a, b) => a - b)
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of own) {
    paths[operation.path] ??= {}
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method]: describeOperation(operation, own, schemas),
    })
  }
  const responses = Object.fromEntries(
    statuses.map((status) => [nameOf(status), problemAnswer(version, status, schemas)]),
  )
  return {
    openapi: "3.1.1",
    info: INFO[version],
    servers: [{ url: `${PLACEHOLDER_URL}${PATHS[version]}` }],
    security: [{ bearer: [] }],
    tags: [...new Set(own.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.used(),
      responses,
      headers: usedHeaders({ paths, responses }),
      securitySchemes: { bearer: BEARER },
    },
  }
}

function usedHeaders(described: Json): Json {
  const text = JSON.stringify(described)
  return Object.fromEntries(
    Object.entries(HEADER_COMPONENTS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  )
}

const METHODS = ["get", "put", "post", "patch", "delete"]

const byPlace = (a: Operation, b: Operation): number =>
  a.path === b.path ? METHODS.indexOf(a.method) - METHODS.indexOf(b.method) : a.path < b.path ? -1 : 1

function describeOperation(operation: Operation, all: readonly Operation[], schemas: Schemas): Json {
  const { operationId, summary, description, isPublic, version } = operation
  const problems = problemStatuses(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${nameOf(status)}` },
  ])
  return {
    operationId,
    summary,
    ...(description !== null && { description }),
    tags: [tagOf(operation)],
    ...(version === "v1" && { deprecated: true }),
    ...(isPublic && { security: [] }),
    ...requestOf(operation, schemas),
    responses: {
      ...answersOf(operation, schemas, linksOf(operation, all)),
      ...Object.fromEntries(problems),
    },
  }
}

/** By the first word of the path: `/signature-requests/{id}/remind` is one of "Signature requests". */
function tagOf({ path }: Operation): string {
  const noun = (path.split("/")[1] ?? "").replaceAll("-", " ")
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}

const nameOf = (status: number): string => (REASONS[status] ?? `Status ${status}`).replaceAll(" ", "")

function problemAnswer(version: Version, status: number, schemas: Schemas): Json {
  const keys = keysOf(status)
  const known = keys.length === 0 ? "" : ` Keys: ${keys.map((key) => `\`${key}\``).join(", ")}.`
  return {
    description: `${REASONS[status] ?? status}.${known}`,
    headers: problemHeaders(version, status),
    content: { [PROBLEM_TYPE[version]]: { schema: schemas.of(JSON.parse(JSON.stringify(Problem))) } },
  }
}

/** Part 7: v3 says what it is, and so does what is younger. */
const PROBLEM_TYPE: Readonly<Record<Version, string>> = {
  v1: "application/json",
  v2: "application/json",
  v3: "application/problem+json",
  "validation-v1": "application/problem+json",
}

/** Part 5, 9. */
const BEARER = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "The token that `POST /access/login` answers. A new one is had by logging in again.",
}

const LICENSE = { name: "Apache-2.0", identifier: "Apache-2.0" }

/** What an integrator needs before the first call; each sentence is a rule of the interface. */
const FIRST_STEPS = `

1. Log in with \`POST /access/login\`: the answer is a token, as plain text.
2. Send it with every other call: \`Authorization: Bearer <token>\`. After a 401, log in again.
3. Match errors on \`key\`, never on \`message\`.
4. After a 429 or a 503 wait as long as \`Retry-After\` says.
5. A \`POST\` with an \`Idempotency-Key\` may be sent twice and is done once.
6. Lists have a \`Link\` header; following it never gets slower.`

const VALIDATION_STEPS = `

1. Log in with \`POST /access/login\`: the answer is a token, as plain text. Tokens of the signature interface do as well.
2. Send it with every other call: \`Authorization: Bearer <token>\`. After a 401, log in again.
3. Send a PDF to \`POST /validate/document\`. The answer has an id, by which the rest is read for ten minutes.
4. Match errors on \`key\`, never on \`message\`. A bad signature is no error.
5. After a 429 or a 503 wait as long as \`Retry-After\` says.
6. A \`POST\` with an \`Idempotency-Key\` may be sent twice and is done, and paid for, once.`

/** Part 9. */
const INFO: Readonly<Record<Version, Json>> = {
  v1: {
    title: "Paraph v1",
    version: "1.0.0",
    description: `Version 1 of the signature interface. Deprecated: please use version 2.${FIRST_STEPS}`,
    license: LICENSE,
  },
  v2: {
    title: "Paraph v2",
    version: "2.0.0",
    description: `Version 2 of the signature interface: current and stable. It may only grow.${FIRST_STEPS}`,
    license: LICENSE,
  },
  v3: {
    title: "Paraph v3 (preview)",
    version: "3.0.5-preview",
    description: `Version 3 of the signature interface: a preview, which may still change.${FIRST_STEPS}`,
    license: LICENSE,
  },
  "validation-v1": {
    title: "Paraph validation v1",
    version: "1.0.0",
    description: `The validation interface: whether the signatures of a PDF are good, and why. It may only grow.${VALIDATION_STEPS}`,
    license: LICENSE,
  },
}
