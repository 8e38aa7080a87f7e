import type { FastifyRequest } from "fastify"
import { describe, expect, it } from "vitest"
import type { Parts } from "../../parts.ts"
import { mustBeOurPage } from "./session.ts"

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
