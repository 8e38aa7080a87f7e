import Fastify from "fastify"
import { Type } from "typebox"
import { describe, expect, it } from "vitest"
import { collectOperations } from "./collect.ts"
import { describeVersion } from "./openapi.ts"
import { asSwagger } from "./swagger.ts"
import { swaggerSchema } from "./swagger-schema.ts"
import type { Json } from "./words.ts"

const Thing = Type.Object({ id: Type.String(), note: Type.Union([Type.String(), Type.Null()]) })
const IdParams = Type.Object({ id: Type.String() })

/** The description of one route, as version 2 would register it. */
async function describedRoute(
  schema: Json,
  options: { readonly only?: string; readonly method?: "GET" | "POST"; readonly config?: Json } = {},
) {
  const app = Fastify()
  const operations = collectOperations(app)
  await app.register(
    async (scope) => {
      if (options.only !== undefined) {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser(options.only, (_, __, done) => done(null, {}))
      }
      const { method = "POST", config = {} } = options
      scope.route({ method, url: "/things/:id", schema, config, handler: async () => ({}) })
    },
    { prefix: "/v2" },
  )
  await app.ready()
  const names = {
    of: (each: Json) => (JSON.stringify(each) === JSON.stringify(Thing) ? "Thing" : undefined),
    sampleOf: () => undefined,
  }
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into the description as its readers do.
  return describeVersion("v2", operations, names) as any
}

const WORDS = {
  operationId: "changeThing",
  summary: "Change a thing",
  params: IdParams,
  response: { 200: Thing },
}

describe("a route", { timeout: 30_000 }, () => {
  it("is described without being listed anywhere", async () => {
    const { paths, components } = await describedRoute({ ...WORDS, body: Thing })
    const { post } = paths["/things/{id}"]
    expect(post).toMatchObject({ operationId: "changeThing", summary: "Change a thing", tags: ["Things"] })
    expect(post.parameters).toContainEqual({
      name: "id",
      in: "path",
      required: true,
      schema: { type: "string" },
    })
    expect(post.responses[200].content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/Thing",
    })
    expect(components.schemas.Thing).toMatchObject({ type: "object", required: ["id", "note"] })
    expect(Object.keys(post.responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "409",
      "413",
      "415",
      "429",
      "503",
    ])
  })

  it("that only reads answers fewer problems, and those that it names", async () => {
    const { paths } = await describedRoute({ ...WORDS, problems: [406] }, { method: "GET" })
    expect(Object.keys(paths["/things/{id}"].get.responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "406",
      "429",
      "503",
    ])
  })

  it("that is a POST and only reads takes no Idempotency-Key", async () => {
    const words = async (config: Json) => JSON.stringify((await describedRoute(WORDS, { config })).paths)
    for (const word of ["Idempotency-Key", "Idempotent-Replayed", "#/components/responses/Conflict"]) {
      expect(await words({})).toContain(word)
      expect(await words({ changesNothing: true })).not.toContain(word)
    }
  })

  it("takes the media types that its scope can read", async () => {
    const { paths } = await describedRoute({ ...WORDS, body: Thing }, { only: "application/pdf" })
    expect(Object.keys(paths["/things/{id}"].post.requestBody.content)).toEqual(["application/pdf"])
  })

  it.each(["operationId", "summary", "response"] as const)("without %s is refused", async (word) => {
    const { [word]: _, ...rest } = WORDS
    await expect(describedRoute(rest)).rejects.toThrow(`POST /v2/things/:id has no ${word} in its schema.`)
  })

  it("with a header that nobody has described is refused", async () => {
    await expect(describedRoute({ ...WORDS, answerHeaders: ["x-new"] })).rejects.toThrow("x-new")
  })
})

describe("Swagger 2.0", () => {
  it("says the same where it can", async () => {
    const swagger = asSwagger(await describedRoute({ ...WORDS, body: Thing }))
    expect(swagger).toMatchObject({
      swagger: "2.0",
      host: "paraph.example",
      basePath: "/v2",
      schemes: ["https"],
    })
    expect(swagger.definitions).toMatchObject({
      Thing: { type: "object", properties: { note: { type: "string", "x-nullable": true } } },
    })
    const text = JSON.stringify(swagger)
    for (const word of ["anyOf", "oneOf", "#/components/", "const"]) expect(text).not.toContain(`"${word}"`)
  })

  it("names the fields of a form, also where the form has a name", async () => {
    const form = "application/x-www-form-urlencoded"
    const swagger = asSwagger(await describedRoute({ ...WORDS, body: Thing }, { only: form }))
    const { post } = (swagger.paths as Record<string, Record<string, Json>>)["/things/{id}"] ?? {}
    expect(post?.parameters).toEqual(
      expect.arrayContaining([
        { name: "id", in: "formData", required: true, type: "string" },
        { name: "note", in: "formData", required: true, type: "string", "x-nullable": true },
      ]),
    )
  })

  it.each<[string, Json, Json]>([
    ["null", { anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string", "x-nullable": true }],
    [
      "one of some values, or null",
      { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
      { type: "string", enum: ["a", "b", null], "x-nullable": true },
    ],
    [
      "one of some values",
      {
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", const: "b" },
        ],
      },
      { type: "string", enum: ["a", "b"] },
    ],
    [
      "−1 or a place",
      {
        anyOf: [
          { type: "number", const: -1 },
          { type: "integer", minimum: 1, maximum: 999 },
        ],
      },
      { type: "integer", minimum: -1, maximum: 999 },
    ],
    [
      "one object or another",
      {
        anyOf: [
          {
            type: "object",
            properties: { a: { type: "string" }, b: { type: "string" } },
            required: ["a", "b"],
          },
          { type: "object", properties: { b: { type: "string" }, c: { type: "string" } }, required: ["b"] },
        ],
      },
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
        required: ["b"],
      },
    ],
    ["this or something of another type", { anyOf: [{ type: "string" }, { type: "object" }] }, {}],
    [
      "more than zero",
      { type: "number", exclusiveMinimum: 0 },
      { type: "number", minimum: 0, exclusiveMinimum: true },
    ],
    ["a reference", { $ref: "#/components/schemas/Thing" }, { $ref: "#/definitions/Thing" }],
  ])("has %s", (_, schema, said) => {
    expect(swaggerSchema(schema)).toEqual(said)
  })
})
