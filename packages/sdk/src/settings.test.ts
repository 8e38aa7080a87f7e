import { describe, expect, it } from "vitest"
import { createParaph, ProblemError } from "./index.ts"

const given = { url: "https://sign.example.org", username: "acme", apiKey: "api_demo_1" }

describe("settings that cannot work are said at once", () => {
  it.each([
    [{ apiKey: undefined as unknown as string }, "apiKey is missing or empty."],
    [{ username: "" }, "username is missing or empty."],
    [{ url: "sign.example.org" }, "sign.example.org is no address, such as https://sign.example.org."],
    [
      { url: "localhost:8080" },
      "localhost:8080 does not begin with https://, or http:// for a service on this machine.",
    ],
  ])("%o", (wrong, message) => {
    expect(() => createParaph({ ...given, ...wrong })).toThrow(new TypeError(message))
  })
})

it("an address with a version, or of something else, is named when the login is not there", async () => {
  const paraph = createParaph({ ...given, fetch: async () => new Response("Not here.", { status: 404 }) })
  const error = await paraph.v2.get("/documents").catch((refused: unknown) => refused)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({
    status: 404,
    message:
      "There is no service at https://sign.example.org: url is its address without a version, such as https://sign.example.org.",
  })
})
