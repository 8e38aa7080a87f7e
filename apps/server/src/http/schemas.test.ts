import Fastify from "fastify"
import { expect, it } from "vitest"
import { app } from "./app/plugin.ts"
import { NOBODY } from "./describe/generate.ts"
import { compilesWhenUsed } from "./schemas.ts"
import { v1 } from "./v1/plugin.ts"
import { v2 } from "./v2/plugin.ts"
import { v3 } from "./v3/plugin.ts"
import { validationV1 } from "./validation-v1/plugin.ts"

it("every schema compiles, though none does before it is used", async () => {
  let count = 0
  // Fastify's own compilers do not wait.
  const eager = Fastify()
  eager.addHook("onRoute", ({ schema }) => {
    if (schema !== undefined) count += 1
  })
  await eager.register((scope) => v1(scope, NOBODY), { prefix: "/v1" })
  await eager.register((scope) => v2(scope, NOBODY), { prefix: "/v2" })
  await eager.register((scope) => v3(scope, NOBODY), { prefix: "/v3" })
  await eager.register((scope) => validationV1(scope, NOBODY), { prefix: "/validation/v1" })
  await eager.register((scope) => app(scope, NOBODY))
  await eager.ready()
  await eager.close()
  expect(count).toBeGreaterThan(200)
})

it("says what is wrong, each time anew", async () => {
  const server = Fastify()
  compilesWhenUsed(server)
  const schema = {
    body: { type: "object", required: ["a"], properties: { a: { type: "number" } } },
    response: { 200: { type: "object", properties: { a: { type: "number" } } } },
  }
  server.post("/", { schema }, async ({ body }) => ({ ...(body as object), b: 1 }))
  const ask = async (payload: object) => (await server.inject({ method: "POST", url: "/", payload })).json()
  expect((await ask({})).message).toContain("required property 'a'")
  // Nothing is made into a number that was none.
  expect((await ask({ a: "1" })).message).toContain("must be number")
  expect(await ask({ a: 1 })).toEqual({ a: 1 })
})

it("does not compile what nobody calls", async () => {
  const server = Fastify()
  compilesWhenUsed(server)
  const schema = { body: { type: "nothing that there is" } }
  server.post("/", { schema }, async () => "")
  await server.ready()
  expect((await server.inject({ method: "POST", url: "/", payload: {} })).statusCode).toBe(500)
})
