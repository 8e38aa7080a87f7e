declare module "fastify" {
  /** What a route says about itself beside its schemas; the descriptions in openapi/ are made of it. */
  interface FastifySchema {
    /** A verb and a noun, the same in every version: `createSignatureRequest`. */
    readonly operationId?: string
    /** One short sentence. */
    readonly summary?: string
    readonly description?: string
    /** Statuses of problems that the shape of the route does not tell already (`statuses.ts`). */
    readonly problems?: readonly number[]
    /** Headers of its answers beside those that all have (`headers.ts`). */
    readonly answerHeaders?: readonly string[]
    /** The body may be left out. */
    readonly optionalBody?: boolean
    /** Not a part of the interface. */
    readonly hide?: boolean
  }
}

export const VERSIONS = ["v1", "v2", "v3", "validation-v1"] as const
export type Version = (typeof VERSIONS)[number]

/** The paths below which their operations stand; that of the validation interface may also be a host (VAL-07). */
export const PATHS: Readonly<Record<Version, string>> = {
  v1: "/v1",
  v2: "/v2",
  v3: "/v3",
  "validation-v1": "/validation/v1",
}

/** The files of openapi/: part 4 promises Swagger 2.0 for version 1. */
export const FILES: Readonly<Record<Version, string>> = {
  v1: "v1.swagger.json",
  v2: "v2.json",
  v3: "v3.json",
  "validation-v1": "validation-v1.json",
}

/** JSON Schema, OpenAPI and Swagger alike: a tree of JSON. */
export type Json = { readonly [member: string]: unknown }

/** One operation as the server registered it, whatever the document is called that tells of it. */
export type Operation = {
  readonly version: Version
  readonly method: "get" | "put" | "post" | "delete" | "patch"
  /** Relative to the base of the version, with parameters in braces. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string | null
  readonly isPublic: boolean
  /** Decisions, "idempotency": every POST but login, and but one that only reads. */
  readonly takesKey: boolean
  readonly params: Json | null
  readonly query: Json | null
  readonly headers: Json | null
  readonly body: Json | null
  readonly needsBody: boolean
  /** The media types that a body may have here. */
  readonly takes: readonly string[]
  readonly answers: Readonly<Record<string, Json>>
  readonly problems: readonly number[]
  readonly answerHeaders: readonly string[]
}
