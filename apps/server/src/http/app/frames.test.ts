import Fastify from "fastify"
import { expect, it } from "vitest"
import type { Parts } from "../../parts.ts"
import { allowFrames } from "./frames.ts"

const BEFORE = "default-src 'none'; frame-ancestors 'none'; form-action 'self'"

async function policyFor(embedOrigins: readonly string[]) {
  const parts = { originsOf: async () => ({ exitOrigins: [], embedOrigins }) } as unknown as Parts
  const server = Fastify()
  server.get("/", async (_, reply) => {
    reply.raw.setHeader("content-security-policy", BEFORE)
    reply.raw.setHeader("x-frame-options", "DENY")
    await allowFrames(parts, reply, "b1")
    return ""
  })
  const { headers } = await server.inject("/")
  return [headers["content-security-policy"], headers["x-frame-options"]]
}

it.each([
  [[], "'none'"],
  [
    ["https://portal.example", "https://[2001:db8::1]:8443"],
    "https://portal.example https://[2001:db8::1]:8443",
  ],
  [["https://x.example;script-src *"], "'none'"],
  [["https://a$&b.example", "https://portal.example"], "https://portal.example"],
  [["https://portal.example/", "*", "http://portal.example"], "'none'"],
])("%j: pages are framed by %s, whatever stands in the row", async (origins, framed) => {
  expect(await policyFor(origins)).toEqual([
    BEFORE.replace("'none'; form", () => `${framed}; form`),
    framed === "'none'" ? "DENY" : undefined,
  ])
})
