import type { IncomingMessage, ServerResponse } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createOutbound } from "../outbound/outbound.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { type EstServer, enroll, issuersOf } from "./est-call.ts"

type Seen = { readonly url: string; readonly authorization: string | undefined; readonly body: string }

describe("what is said to an EST server, and what it may answer", () => {
  const seen: Seen[] = []
  let answer: (response: ServerResponse) => void
  let peer: Awaited<ReturnType<typeof startHttpsPeer>>
  let server: EstServer

  beforeAll(async () => {
    peer = await startHttpsPeer(listening)
    server = {
      outbound: createOutbound({ allowedHosts: { certificates: ["localhost"] }, caFile: peer.caFile }),
      url: `https://localhost:${peer.port}`,
      label: "people & seals",
      login: { username: "paraph", password: "päss:word" },
    }
  })
  afterAll(() => peer.close())
  beforeEach(() => {
    seen.length = 0
  })

  function listening(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { authorization } = request.headers
      seen.push({ url: request.url ?? "", authorization, body: Buffer.concat(chunks).toString() })
      answer(response)
    })
  }

  const says = (status: number, headers: Record<string, string> = {}, body = "") => {
    answer = (response) =>
      response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body)
  }

  it("is the request in base64, at the address of the label, with the login", async () => {
    says(202, { "retry-after": "7" })
    expect(await enroll(server, Buffer.from("pkcs10"))).toEqual({ retryAfterSeconds: 7 })
    expect(seen).toEqual([
      {
        url: "/.well-known/est/people%20%26%20seals/simpleenroll",
        authorization: `Basic ${Buffer.from("paraph:päss:word").toString("base64")}`,
        body: Buffer.from("pkcs10").toString("base64"),
      },
    ])
    await enroll({ ...server, label: null, login: null }, Buffer.from("pkcs10"))
    expect(seen[1]).toMatchObject({ url: "/.well-known/est/simpleenroll", authorization: undefined })
  })

  it.each([
    ["a date", "Wed, 21 Oct 2037 07:28:00 GMT", 60],
    ["nothing", "", 60],
    ["a year", "31536000", 86_400],
    ["no time at all", "0", 1],
  ])("waits within reason where Retry-After is %s", async (_, value, seconds) => {
    says(202, value === "" ? {} : { "retry-after": value })
    expect(await enroll(server, Buffer.from("pkcs10"))).toEqual({ retryAfterSeconds: seconds })
  })

  it.each([
    [401, "refused"],
    [403, "refused"],
    [400, "refused"],
    [302, "refused"],
    [429, "unreachable"],
    [503, "unreachable"],
  ])("takes %s for %s", async (status, code) => {
    says(status, { location: "https://localhost/" })
    await expect(enroll(server, Buffer.from("pkcs10"))).rejects.toMatchObject({ code })
    await expect(issuersOf(server)).rejects.toMatchObject({ code })
  })

  it.each([
    ["nothing", ""],
    ["no base64", "<html>Welcome</html>"],
    ["base64 of something else", Buffer.from("Welcome").toString("base64")],
    ["a SignedData without certificates", "MCMGCSqGSIb3DQEHAqAWMBQCAQExADALBgkqhkiG9w0BBwExAA=="],
  ])("does not take %s for certificates", async (_, body) => {
    says(200, {}, body)
    await expect(enroll(server, Buffer.from("pkcs10"))).rejects.toMatchObject({ code: "wrong-answer" })
  })

  it("does not read more than it asked for", async () => {
    says(200, {}, "A".repeat(300_000))
    await expect(issuersOf(server)).rejects.toMatchObject({ code: "unreachable" })
  })
})
