import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import fc from "fast-check"
import { expect, it } from "vitest"
import { verifyWebhook, type WebhookCall, WebhookError, type WebhookFault } from "./webhook.ts"

const NOW = Date.parse("2026-11-02T09:00:00Z")
const EVENT = {
  id: "e-1",
  type: "signature_request.signed",
  data: { status_overall: "SIGNED", more: "Zürich" },
}
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const OLDER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`
const ed25519 = generateKeyPairSync("ed25519")
const PUBLIC = `whpk_${Buffer.from(ed25519.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64")}`

const signedBy = (secret: string, text: string) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(text)
    .digest("base64")}`

function sent(over: { at?: number; body?: string; secrets?: string[]; keyToo?: boolean } = {}) {
  const { at = NOW, body = JSON.stringify(EVENT), secrets = [SECRET], keyToo = false } = over
  const timestamp = String(Math.floor(at / 1000))
  const text = `msg-1.${timestamp}.${body}`
  const signatures = secrets.map((secret) => signedBy(secret, text))
  if (keyToo) signatures.push(`v1a,${sign(null, Buffer.from(text), ed25519.privateKey).toString("base64")}`)
  return {
    body,
    headers: {
      "webhook-id": "msg-1",
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    } as Record<string, string>,
    secret: SECRET as string | string[],
    now: NOW,
  }
}

async function refused(call: WebhookCall, fault: WebhookFault) {
  const error = await verifyWebhook(call).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toMatchObject({ fault })
}

it("takes the example of Standard Webhooks", async () => {
  const call = {
    body: '{"test": 2432232314}',
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    now: 1_614_265_330_000,
  }
  expect(await verifyWebhook(call)).toEqual({ test: 2432232314 })
})

it("gives the event, from text or bytes, whatever holds the headers", async () => {
  const { body, headers, secret, now } = sent()
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  for (const held of [headers, upper, new Headers(headers)])
    for (const bytes of [body, new TextEncoder().encode(body)])
      expect(await verifyWebhook({ body: bytes, headers: held, secret, now })).toEqual(EVENT)
})

it("while one secret takes over from another, either side may be ahead", async () => {
  expect(await verifyWebhook({ ...sent({ secrets: [OLDER, SECRET] }) })).toEqual(EVENT)
  expect(await verifyWebhook({ ...sent({ secrets: [OLDER] }), secret: [SECRET, OLDER] })).toEqual(EVENT)
  await refused(sent({ secrets: [OLDER] }), "signature-wrong")
})

it("takes the service's own signature by its public key, without a secret", async () => {
  const { secret: _, ...call } = sent({ secrets: [OLDER], keyToo: true })
  expect(await verifyWebhook({ ...call, publicKey: PUBLIC })).toEqual(EVENT)
  await refused({ ...call, publicKey: `whpk_${Buffer.alloc(32, 9).toString("base64")}` }, "signature-wrong")
  const { secret: __, ...without } = sent()
  await refused({ ...without, publicKey: PUBLIC }, "signature-wrong")
})

it("a signature of one scheme is none of another", async () => {
  const call = sent()
  const signature = call.headers["webhook-signature"]?.replace("v1,", "v1a,") ?? ""
  await refused({ ...call, headers: { ...call.headers, "webhook-signature": signature } }, "signature-wrong")
})

it("takes five minutes to either side, or what is given, and no more", async () => {
  for (const at of [NOW - 300_000, NOW + 300_000]) expect(await verifyWebhook(sent({ at }))).toEqual(EVENT)
  for (const at of [NOW - 301_000, NOW + 301_000]) await refused(sent({ at }), "time-out-of-tolerance")
  expect(await verifyWebhook({ ...sent({ at: NOW - 3_600_000 }), tolerance: 3600 })).toEqual(EVENT)
  for (const timestamp of ["NaN", "1e9", "-1", "Infinity", "0x10"])
    await refused(
      { ...sent(), headers: { ...sent().headers, "webhook-timestamp": timestamp } },
      "time-out-of-tolerance",
    )
})

it("needs its three headers, each once", async () => {
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
    for (const value of [undefined, "", ["a", "b"]])
      await refused({ ...sent(), headers: { ...sent().headers, [name]: value } }, "headers-missing")
})

it("what is signed and yet no JSON is refused", () => refused(sent({ body: "{" }), "body-unreadable"))

it("a key that is none is the caller's mistake, not the sender's", async () => {
  for (const secret of ["secret", "whsec_", "whsec_!", [], PUBLIC])
    await expect(verifyWebhook({ ...sent(), secret })).rejects.toThrow(TypeError)
})

const flip = (text: string, at: number, by: number): string => {
  const bytes = Buffer.from(text)
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ by
  return bytes.toString("latin1")
}

it("any byte that is changed anywhere is refused", async () => {
  const parts = fc.constantFrom("body", "webhook-id", "webhook-timestamp", "webhook-signature")
  const bits = fc.integer({ min: 1, max: 127 })
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(), bits, async (part, at, by) => {
      const { body, headers, secret, now } = sent()
      const bytes = Buffer.from(body)
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ by
      const call: WebhookCall =
        part === "body"
          ? { body: new Uint8Array(bytes), headers, secret, now }
          : { body, headers: { ...headers, [part]: flip(headers[part] ?? "", at, by) }, secret, now }
      await expect(verifyWebhook(call)).rejects.toThrow(WebhookError)
    }),
    { numRuns: 500 },
  )
})

it("whatever is sent, it is refused and nothing else happens", async () => {
  const text = fc.string({ unit: "binary-ascii" })
  const record = fc.record({
    "webhook-id": text,
    "webhook-timestamp": fc.oneof(fc.nat().map(String), text),
    "webhook-signature": fc.oneof(
      fc.base64String().map((value) => `v1,${value}`),
      text,
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), record, async (body, headers) => {
      const call = { body: new Uint8Array(body), headers, secret: SECRET, now: NOW, tolerance: 1e12 }
      await expect(verifyWebhook(call)).rejects.toThrow(WebhookError)
    }),
  )
})
