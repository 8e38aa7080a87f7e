import { Problem } from "@paraph/contract/shared/problem"
import { PROBLEMS, type ProblemRow } from "@paraph/contract/shared/problems"
import { Refusal, type RefusalCode } from "@paraph/core/refusal"
import Fastify, { type FastifyInstance, type InjectOptions } from "fastify"
import { Type } from "typebox"
import { Value } from "typebox/value"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useProblems } from "./problems.ts"

const logged: string[] = []
let app: FastifyInstance

beforeAll(async () => {
  app = Fastify({
    logger: { level: "error", stream: { write: (line) => void logged.push(line) } },
    genReqId: () => "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
  })
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: "https://sign.example" })
  app.get<{ Params: { code: RefusalCode } }>("/refuse/:code", async ({ params }) => {
    throw new Refusal(params.code, "What is wrong.", {
      retryAfterSeconds: 7,
      cause: new Error("a canary inside"),
    })
  })
  app.get("/patient", async () => {
    throw new Refusal("part-down", "Try again.")
  })
  app.get("/fault", async () => {
    throw new Error("select canary from secrets", { cause: new Error("the cause of it") })
  })
  app.get<{ Params: { code: string } }>("/down/:code", async ({ params }) => {
    throw Object.assign(new Error("a canary at 10.1.2.3:5432"), { code: params.code })
  })
  app.get("/disguised", async () => {
    throw Object.assign(new Error("a canary of a library"), { statusCode: 400, code: "SOME_LIBRARY" })
  })
  const body = Type.Object({ title: Type.String({ minLength: 1 }) })
  app.post("/things", { schema: { body }, bodyLimit: 200 }, async () => ({}))
  await app.ready()
})

afterAll(() => app?.close())

describe("a refusal", () => {
  it.each(Object.entries(PROBLEMS) as [RefusalCode, ProblemRow][])(
    "%s is answered by its row",
    async (code, row) => {
      const { status, problem, contentType } = await ask({ url: `/refuse/${code}?token=canary` })
      expect(status).toBe(row.status)
      expect(contentType).toBe("application/json; charset=utf-8")
      expect(problem).toEqual({
        type: `https://sign.example/problem/${row.type}`,
        title: row.title,
        status: row.status,
        detail: "What is wrong.",
        instance: "urn:uuid:4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
        method: "GET",
        path: `/refuse/${code}`,
        message: "What is wrong.",
        ...(row.key !== undefined && { key: row.key }),
      })
    },
  )

  it("says when to come back, where it knows", async () => {
    expect((await ask({ url: "/refuse/rate-limited" })).headers["retry-after"]).toBe("7")
    expect((await ask({ url: "/patient" })).headers).not.toHaveProperty("retry-after")
  })

  it("for want of a token says which kind is wanted (RFC 9110, 11.6.1)", async () => {
    expect((await ask({ url: "/refuse/token-expired" })).headers["www-authenticate"]).toBe("Bearer")
    expect((await ask({ url: "/refuse/not-found" })).headers).not.toHaveProperty("www-authenticate")
  })
})

describe("a fault", () => {
  it("is a 500 that tells nothing but a number to quote", async () => {
    const { status, problem, text } = await ask({ url: "/fault" })
    expect(status).toBe(500)
    expect(text).not.toMatch(/canary|secrets|stack/)
    expect(problem.detail).toContain("4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11")
    expect(problem).not.toHaveProperty("key")
  })

  it("of the caller that a library found is a 400 in our own words", async () => {
    const { status, text } = await ask({ url: "/disguised" })
    expect(status).toBe(400)
    expect(text).not.toMatch(/canary|SOME_LIBRARY/)
  })

  it("is in the log; a refusal is not", async () => {
    logged.length = 0
    await ask({ url: "/refuse/not-found" })
    expect(logged).toEqual([])
    await ask({ url: "/fault" })
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ msg: "fault" })
  })
})

it.each(["ECONNREFUSED", "57P01", "53300"])(
  "a part of ours that is down (%s) is a 503 with Retry-After",
  async (code) => {
    const { status, headers, text } = await ask({ url: `/down/${code}` })
    expect([status, headers["retry-after"]]).toEqual([503, "10"])
    expect(text).not.toMatch(/canary|10\.1\.2\.3/)
  },
)

describe("what the framework refuses is a problem too:", () => {
  const json = { "content-type": "application/json" }
  const post = { method: "POST", url: "/things" } as const
  it.each<[string, number, InjectOptions]>([
    ["an unknown address", 404, { url: "/nowhere?token=canary" }],
    ["an unknown method", 404, { method: "PUT", url: "/things" }],
    ["a body that is not JSON", 400, { ...post, headers: json, payload: "{title" }],
    ["no body", 400, { ...post, headers: json }],
    ["a body of another shape", 400, { ...post, headers: json, payload: { title: "" } }],
    ["a body that is not an object", 400, { ...post, headers: json, payload: "[]" }],
    [
      "a body that would poison objects",
      400,
      { ...post, headers: json, payload: '{"__proto__":{"title":"x"}}' },
    ],
    ["a body of another type", 415, { ...post, headers: { "content-type": "text/csv" }, payload: "title" }],
    ["a body that is too large", 413, { ...post, headers: json, payload: { title: "x".repeat(300) } }],
  ])("%s is %i", async (_, status, request) => {
    const answer = await ask(request)
    expect(answer.status).toBe(status)
    expect(answer.contentType).toBe("application/json; charset=utf-8")
    expect(Value.Check(Problem, answer.problem)).toBe(true)
    expect(answer.text).not.toMatch(/canary|FST_|stack|node_modules/)
  })

  it("the shape of a body, with the name of the field", async () => {
    const { problem } = await ask({ ...post, payload: {} })
    expect(problem.detail).toContain("title")
  })
})

async function ask(request: InjectOptions) {
  const { statusCode, headers, body } = await app.inject(request)
  const problem: Problem = JSON.parse(body)
  return { status: statusCode, headers, contentType: headers["content-type"], text: body, problem }
}
