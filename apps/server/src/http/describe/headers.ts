import type { Json, Version } from "./words.ts"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/** What our answers say in their headers, by the names that RFC 9110 and its neighbours give them. */
const HEADERS = {
  "X-Request-Id": {
    description: "Quote it when you ask for help.",
    schema: { type: "string", format: "uuid" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    schema: count,
  },
  "WWW-Authenticate": { description: "RFC 6750: `Bearer`.", schema: text },
  Link: {
    description: "RFC 8288: the pages beside this one (`next`, `prev`), each with a cursor.",
    schema: text,
  },
  ETag: { description: "Changes whenever the answer would be another one.", schema: text },
  "RateLimit-Limit": { description: "How many requests a window takes.", schema: count },
  "RateLimit-Remaining": { description: "How many of them are left.", schema: count },
  "RateLimit-Reset": { description: "Seconds until the window ends.", schema: count },
  "Idempotent-Replayed": {
    description: "`true` where the `Idempotency-Key` was known: this is what the first one answered.",
    schema: text,
  },
  "X-Paraph-Preview": { description: "`true`: this version may still change.", schema: text },
  Deprecation: { description: "RFC 9745: since when this version is deprecated.", schema: text },
  Sunset: { description: "RFC 8594: when this version ends, where that is decided.", schema: text },
  "Content-Disposition": { description: "The name of the file.", schema: text },
  "Content-Range": { description: "RFC 9110, 14.4.", schema: text },
  "Accept-Ranges": { description: "RFC 9110, 14.3: `bytes`.", schema: text },
} as const

/** What every answer of a version has. */
const COMMON = ["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]
const OF_VERSION: Readonly<Record<Version, readonly string[]>> = {
  v1: ["Deprecation", "Sunset", "Link"],
  v2: [],
  v3: ["X-Paraph-Preview"],
  "validation-v1": [],
}

/** The headers of an answer; which of them a route adds it says itself (`answerHeaders`), in any case of letters. */
export function headersOf(version: Version, names: readonly string[]): Json {
  const all = new Set([...COMMON, ...OF_VERSION[version], ...names].map(spelled))
  return Object.fromEntries([...all].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const HEADER_COMPONENTS: Json = HEADERS

function spelled(name: string): string {
  const found = Object.keys(HEADERS).find((each) => each.toLowerCase() === name.toLowerCase())
  if (found === undefined) throw new Error(`headers.ts does not describe the header ${name}.`)
  return found
}

export function problemHeaders(version: Version, status: number): Json {
  if (status === 401) return headersOf(version, ["WWW-Authenticate"])
  return headersOf(version, status === 429 || status === 503 ? ["Retry-After"] : [])
}
