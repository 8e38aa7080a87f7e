import { generateKeyPairSync } from "node:crypto"
import Fastify from "fastify"
import pino from "pino"
import { expect, it } from "vitest"
import type { Parts } from "../parts.ts"
import { createTokens } from "./tokens.ts"
import { v1 } from "./v1/plugin.ts"
import { v2 } from "./v2/plugin.ts"
import { v3 } from "./v3/plugin.ts"

it("no route of any version is open to whoever has no token, but for those that are listed here", async () => {
  const app = Fastify()
  const routes: { readonly method: string; readonly url: string }[] = []
  // Those too that no description tells of.
  app.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url })
  })
  await app.register((scope) => v1(scope, parts), { prefix: "/v1" })
  await app.register((scope) => v2(scope, parts), { prefix: "/v2" })
  await app.register((scope) => v3(scope, parts), { prefix: "/v3" })
  await app.ready()
  const open: string[] = []
  for (const { method, url } of routes) {
    const address = url.replaceAll(/:\w+/g, "00000000-0000-4000-8000-000000000000")
    const { statusCode } = await app.inject({ method: method as "GET", url: address })
    if (statusCode !== 401) open.push(`${method} ${url}`)
  }
  await app.close()
  expect(routes.length).toBeGreaterThan(60)
  expect(open.sort()).toEqual(
    ["v1", "v2", "v3"]
      .flatMap((v) => [`GET /${v}/api-docs`, `HEAD /${v}/api-docs`, `POST /${v}/access/login`])
      .sort(),
  )
}, 30_000)

/** Whoever comes past the tokens finds nothing behind them; so whatever is asked of these parts may be anything. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_, name) => (name === "then" ? undefined : ANYTHING),
})
const given = {
  publicUrl: "https://sign.example",
  log: pino({ level: "silent" }),
  tokens: createTokens({
    privateKeyPem: generateKeyPairSync("ed25519")
      .privateKey.export({ format: "pem", type: "pkcs8" })
      .toString(),
    publicUrl: "https://sign.example",
    findCaller: async () => null,
    findMember: async () => null,
    now: () => new Date(),
  }),
  rates: { ofAddress: () => ({ limit: 1, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 }) },
} as unknown as Parts
const parts = new Proxy(given, { get: (target, name) => Reflect.get(target, name) ?? ANYTHING })
