import cookie from "@fastify/cookie"
import Fastify, { type FastifyRequest } from "fastify"
import { describe, expect, it } from "vitest"
import type { Parts } from "../../parts.ts"
import { hashOf } from "../../secrets.ts"
import { mustBeOurPage } from "./our-pages.ts"
import { findSigner, keepCookie } from "./session.ts"

describe("a change of state", () => {
  const ours = "https://sign.example"
  it.each([
    ["our own page", "app", { "sec-fetch-site": "same-origin", origin: ours }, true],
    ["our own door under no-referrer", "door", { "sec-fetch-site": "same-origin", origin: "null" }, true],
    [
      "a page of another site",
      "app",
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      false,
    ],
    ["a page of a sister host", "app", { "sec-fetch-site": "same-site", origin: "https://x.example" }, false],
    ["the address bar", "app", { "sec-fetch-site": "none" }, false],
    ["another site that claims our origin", "app", { "sec-fetch-site": "cross-site", origin: ours }, false],
    ["an older browser on our page", "app", { origin: ours }, true],
    ["an older browser on another page", "app", { origin: "https://evil.example" }, false],
    ["an older browser with a hidden origin at the door", "door", { origin: "null" }, true],
    ["an older browser with a hidden origin in the application", "app", { origin: "null" }, false],
    ["a client that says nothing", "app", {}, false],
    ["a client that says nothing at the door", "door", {}, false],
    ["an origin that begins like ours", "app", { origin: `${ours}.evil.example` }, false],
  ] as const)("from %s (%s, %j): %s", (_, where, headers, taken) => {
    const parts = { publicUrl: ours } as Parts
    const run = () => mustBeOurPage(parts, { headers } as unknown as FastifyRequest, where)
    if (taken) expect(run).not.toThrow()
    else expect(run).toThrow(expect.objectContaining({ code: "cross-site" }))
  })
})

describe("the cookie of a session", () => {
  /** A browser that keeps what it is told to, each kind in a jar of its own, as they do. */
  async function browse(kinds: readonly ("usual" | "framed")[]) {
    const seen: string[] = []
    const parts = {
      publicUrl: "https://sign.example",
      findSession: async (hash: Uint8Array) => {
        seen.push(Buffer.from(hash).toString("hex"))
        return null
      },
    } as unknown as Parts
    const server = Fastify()
    await server.register(cookie)
    server.get<{ Params: { kind: "usual" | "framed"; id: string } }>("/:kind/:id", async (request, reply) => {
      keepCookie(parts, reply, request.params.kind, request.params.id)
      return ""
    })
    server.get("/", async (request) => findSigner(parts, request, false).then(() => ""))
    const jar = new Map<string, string>()
    for (const [number, kind] of kinds.entries())
      for (const { name, value, ...of } of (await server.inject(`/${kind}/id${number}`)).cookies) {
        const key = `${name} ${"partitioned" in of}`
        if (value === "") jar.delete(key)
        else jar.set(key, `${name}=${value}`)
      }
    const sent = [...jar.values()].join("; ")
    await server.inject({ url: "/", headers: { cookie: sent } })
    return { sent, found: seen }
  }

  it.each([
    [["usual"]],
    [["framed"]],
    [["usual", "framed"]],
    [["framed", "usual"]],
    [["framed", "usual", "framed"]],
  ] as const)("%j: the browser has one, and it is that of the door it pressed last", async (kinds) => {
    const { sent, found } = await browse(kinds)
    const last = `id${kinds.length - 1}`
    const name = kinds.at(-1) === "usual" ? "__Host-paraph-signer" : "__Host-paraph-signer-framed"
    expect(sent).toBe(`${name}=${last}`)
    expect(found).toEqual([Buffer.from(hashOf(last)).toString("hex")])
  })
})
