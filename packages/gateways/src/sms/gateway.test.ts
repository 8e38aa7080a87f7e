import type { RequestListener } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createOutbound, type Outbound } from "../outbound/outbound.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { SmsFailed } from "./failed.ts"
import { createSendSms } from "./gateway.ts"

const SMS = { to: "+41791234567", text: "482913 is your signing code for Acme.", reference: "r-1" }

type Heard = { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }

/** An operator's gateway over https, as well or badly behaved as each test wants it. */
describe("an SMS gateway", () => {
  let peer: Awaited<ReturnType<typeof startHttpsPeer>>
  let outbound: Outbound
  let answer: RequestListener
  let heard: Heard[] = []
  beforeAll(async () => {
    peer = await startHttpsPeer(async (request, response) => {
      const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
      heard.push({ headers: request.headers, body })
      answer(request, response)
    })
    outbound = createOutbound({ caFile: peer.caFile, allowedHosts: { sms: [`localhost:${peer.port}`] } })
  })
  afterAll(() => peer?.close())

  const says =
    (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
  const send = (to: RequestListener, more: { url?: string; sender?: string } = {}) => {
    answer = to
    heard = []
    const url = more.url ?? `https://localhost:${peer.port}/messages`
    return createSendSms(outbound, { url, token: "s3cret", sender: more.sender ?? "Paraph" })(SMS)
  }
  const failing = async (sending: Promise<unknown>) => {
    const error = await sending.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof SmsFailed)) throw new Error(`It was ${String(error)}.`)
    // What is thrown is logged, with all that caused it.
    const { message, stack, cause } = error
    expect(`${message} ${stack} ${String(cause)}`).not.toMatch(/79123|482913|s3cret/)
    return [error.code, error.forGood]
  }

  it("is told the number, the text, who sends it and by which name to know it again; it answers its own", async () => {
    expect(await send(says(202, '{"id":"msg-77","state":"queued"}'))).toEqual({ id: "msg-77" })
    const [{ headers, body } = { headers: {}, body: "" }] = heard
    expect(JSON.parse(body)).toEqual({ ...SMS, from: "Paraph" })
    expect(headers).toMatchObject({
      authorization: "Bearer s3cret",
      "content-type": "application/json",
      "idempotency-key": "r-1",
    })
    await send(says(200, '{"id":"x"}'), { sender: "" })
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual(SMS)
  })

  it("that never reaches the number is believed, and all else is tried again", async () => {
    expect(await failing(send(says(422, '{"error":"no such number"}')))).toEqual(["number", true])
    for (const status of [500, 502, 503, 504, 429, 408, 409])
      expect(await failing(send(says(status, "{}", { "retry-after": "1" })))).toEqual(["unreachable", false])
    for (const status of [400, 401, 403, 404, 405, 413])
      expect(await failing(send(says(status, "{}")))).toEqual(["refused", false])
  })

  it("that redirects is not followed: the token and the text are for it alone", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const elsewhere = { location: `https://localhost:${peer.port}/elsewhere` }
      expect(await failing(send(says(status, "", elsewhere)))).toEqual(["refused", false])
      expect(heard).toHaveLength(1)
    }
  })

  it.each([
    ["a page", "<html>Welcome to the hotel</html>"],
    ["nothing", ""],
    ["null", "null"],
    ["no id", '{"state":"queued"}'],
    ["an empty id", '{"id":""}'],
    ["a number for an id", '{"id":7}'],
    ["an id of many lines", '{"id":"a\\nb"}'],
    ["an id without an end", `{"id":"${"x".repeat(201)}"}`],
    ["a body without an end", `{"id":"${"x".repeat(20_000)}"}`],
  ])("that says 200 and %s has taken nothing that we know of", async (_, body) => {
    expect(await failing(send(says(200, body)))).toEqual(["invalid-answer", false])
  })

  it("that is down, breaks off or cuts its answer is tried again", async () => {
    const reset: RequestListener = (request) => void request.socket.destroy()
    const cut: RequestListener = (request, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"id":')
      setImmediate(() => request.socket.destroy())
    }
    for (const bad of [reset, cut]) expect(await failing(send(bad))).toEqual(["unreachable", false])
    const nobody = createOutbound({ caFile: peer.caFile, allowedHosts: { sms: ["localhost:1"] } })
    const sending = createSendSms(nobody, { url: "https://localhost:1/", token: "s3cret", sender: "" })(SMS)
    expect(await failing(sending)).toEqual(["unreachable", false])
  })

  it("that takes too long is given up on, and tried again", { timeout: 30_000 }, async () => {
    expect(await failing(send(() => undefined))).toEqual(["unreachable", false])
    const drip: RequestListener = (_, response) =>
      void response.writeHead(200, { "content-length": "9" }).flushHeaders()
    expect(await failing(send(drip))).toEqual(["unreachable", false])
  })

  it("is never one inside the network that the operator did not name, nor one without TLS", async () => {
    const port = peer.port
    const guarded = createOutbound({ caFile: peer.caFile, allowedHosts: { callback: ["localhost"] } })
    for (const url of [`https://localhost:${port}/`, `https://127.0.0.1:${port}/`, `http://example.org/`])
      expect(await failing(createSendSms(guarded, { url, token: "s3cret", sender: "" })(SMS))).toEqual([
        "refused",
        false,
      ])
    expect(await failing(send(says(200, '{"id":"x"}'), { url: `http://127.0.0.1:${port}/` }))).toEqual([
      "refused",
      false,
    ])
  })
})
