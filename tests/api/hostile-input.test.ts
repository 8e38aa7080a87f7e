import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { pathOf } from "../service/signer.ts"

/** What no integrator sends on purpose: each is told 4xx with a problem, none is a fault of ours (ERR-06). */
describe("hostile input", () => {
  const content = contractPdf().toString("base64")
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  const TEXTS = ["NUL \u0000 inside", "\ud800", "half \udfff pair", "\u0000"]

  it("in texts: NUL and lone surrogates, which no database holds", async () => {
    const { body: made } = await service.caller.post("/v2/documents", { title: "C", content })
    for (const text of TEXTS) {
      const bodies = [
        ["/v1/documents", { title: text, content }],
        ["/v2/documents", { title: text, content }],
        ["/v3/documents", { title: text, content }],
        [`/v2/documents/${made.id}/watermark`, { text }],
        ["/v2/signature-requests", { title: text, content }],
        ["/v2/signature-requests", { title: "C", message: text, content }],
        ["/v2/signature-requests", { title: "C", content, read_access: [text] }],
        [
          "/v2/signature-requests",
          { title: "C", content, signatures: [{ account_email: `${text}@example.org` }] },
        ],
        ["/v2/access/login", { username: text, "api-key": "x" }],
      ] as const
      for (const [path, body] of bodies)
        expect([path, Object.keys(body), (await service.caller.post(path, body)).status]).toEqual([
          path,
          Object.keys(body),
          400,
        ])
      const access = await service.caller.put(`/v2/documents/${made.id}/access`, { read_access: [text] })
      expect(access.status).toBe(400)
      const search = await service.caller.get(
        `/v2/documents?search=a${text.includes("\0") ? "%00" : "%ED%A0%80"}`,
      )
      expect(search.status).toBeLessThan(500)
    }
  })

  it("in texts: everything else that Unicode has is taken, and comes back as it was sent", async () => {
    const title = "𝒜 ñ \u202e rtl \u200b 🙂 \u{10ffff} '; drop table document; -- <b>"
    const created = await service.caller.post("/v2/documents", { title, content })
    expect(created.body.title).toBe(title)
  })

  it("[R09] in bodies: wrong types, deep nesting, keys of prototypes, nothing at all", async () => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`
    const bodies = [
      "",
      "null",
      "[]",
      "1",
      '"x"',
      "{",
      deep,
      '{"__proto__":{"title":"x"}}',
      '{"constructor":{"prototype":{}}}',
    ]
    for (const body of bodies) {
      const answer = await service.caller.post("/v2/signature-requests", body, {
        "content-type": "application/json",
      })
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 400])
      expect(answer.body.message).not.toMatch(/node_modules|\.ts\b|\n/)
    }
    const typed = { title: ["C"], content: 1, signatures: "x", callback_success_url: {} }
    expect((await service.caller.post("/v2/signature-requests", typed)).status).toBe(400)
  })

  it("in user names: 255 characters are wrong credentials, more are a bad request", async () => {
    const login = (username: string) =>
      call(service.url, "POST", "/v2/access/login", { username, "api-key": "x" }, {})
    expect((await login("x".repeat(255))).status).toBe(401)
    expect((await login("x".repeat(256))).status).toBe(400)
  })

  it("in addresses: what cannot be decoded, or is too long, in the words of our own table", async () => {
    for (const path of [
      "/%zz",
      "/v2/documents/%E0%A4%A",
      `/v2/documents/${"x".repeat(5000)}`,
      "/v2/documents/..%2f..%2fetc",
    ]) {
      const { status, body } = await service.caller.get(path)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(Object.keys(body)).toContain("instance")
      expect(JSON.stringify(body)).not.toContain("FST_")
    }
  })

  it("in ids and methods: other spellings of a UUID, methods nobody offers, parameters twice, ranges that are not there", async () => {
    const id = crypto.randomUUID()
    for (const spelling of [`urn:uuid:${id}`, `{${id}}`, id.replaceAll("-", ""), `${id}x`])
      expect((await service.caller.get(`/v2/documents/${spelling}`)).status).toBe(400)
    expect(
      (await service.caller.post("/v2/signature-requests", { title: "C", document_id: `urn:uuid:${id}` }))
        .status,
    ).toBe(400)
    for (const method of ["QUERY", "PROPFIND", "DELETE", "OPTIONS"]) {
      const { status } = await call(service.url, method, "/v2/documents", undefined, {})
      expect([method, status >= 400 && status < 500]).toEqual([method, true])
    }
    // `fetch` refuses to send it.
    const [traced] = (await once(
      httpRequest(`${service.url}/v2/documents`, { method: "TRACE" }).end(),
      "response",
    )) as [IncomingMessage]
    expect(traced.resume().statusCode).toBe(404)
    for (const twice of ["documents?page_size=1&page_size=2", "signature-requests?search=a&search=b"])
      expect([twice, (await service.caller.get(`/v3/${twice}`)).status]).toEqual([twice, 400])
    for (const headers of [{ range: "bytes=99999-" }, { "if-match": '"x"' }] as Record<string, string>[])
      expect((await call(service.url, "GET", "/app/icon.svg", undefined, headers)).status).toBeLessThan(500)
    expect((await call(service.url, "GET", "/app/%00", undefined, {})).status).toBeLessThan(500)
  })

  it("in pages: a unit that makes them larger than any page", async () => {
    const huge = contractPdf()
      .toString("latin1")
      .replace("/MediaBox[0 0 595 842]", "/UserUnit 1e6/MediaBox[0 0 9 9]")
    const { status } = await service.caller.post("/v2/documents", {
      title: "C",
      content: Buffer.from(huge, "latin1").toString("base64"),
    })
    expect(status).toBe(400)
  })

  it("in sequences: −2 and 1000 are refused, −1 means none", async () => {
    const statusOf = async (sequence: number) =>
      (
        await service.caller.post("/v2/signature-requests", {
          title: "C",
          content,
          signatures: [{ account_email: "a@b.ch", sequence }],
        })
      ).status
    expect(await Promise.all([1000, 1.5, -2].map(statusOf))).toEqual([400, 400, 400])
    expect(await Promise.all([-1, 0, 1, 999].map(statusOf))).toEqual([200, 200, 200, 200])
  })

  it("on the signer's side: names and reasons that no database holds, and an empty name", async () => {
    const signer = `hostile-${Date.now()}@example.org`
    await service.caller.post("/v2/signature-requests", {
      title: "C",
      content,
      signatures: [{ account_email: signer }],
    })
    const link = service.url + pathOf(await linkMailedTo(signer))
    const ours = { origin: service.url, "content-type": "application/json" }
    const opened = await fetch(link, { method: "POST", headers: { origin: service.url }, redirect: "manual" })
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? ""
    expect(cookie).not.toBe("")
    const seen = (await call(service.url, "GET", "/app/api/signature", undefined, { cookie })).body
    const headers = { ...ours, cookie, "paraph-signature": seen.signature }
    const post = (path: string, body: object) =>
      call(service.url, "POST", `/app/api/signature/${path}`, body, headers)
    const shown = [seen.documents[0].id]
    const consentVersion = seen.consent.version
    for (const text of TEXTS) {
      expect((await post("sign", { name: text, consentVersion, shown })).status).toBe(400)
      expect((await post("decline", { reason: text })).status).toBe(400)
    }
    expect((await post("sign", { name: "  \t", consentVersion, shown })).status).toBe(400)
    expect((await post("sign", { name: "Ada", consentVersion: "another", shown })).status).toBe(409)
    const unseen = { name: "Ada", consentVersion, shown: [crypto.randomUUID()] }
    expect((await post("sign", unseen)).status).toBe(409)
    expect((await post("sign", { ...unseen, shown: [] })).status).toBe(409)
    const { body } = await call(service.url, "GET", "/app/api/signature", undefined, { cookie })
    expect(body.screen).toBe("read")
  })
})
