// What integrators' programs read of the service, and of whoever stands in between or poses as it: by Node's own HMAC, Ed25519,
// JSON and dates as a second opinion.

import { createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { cursorsIn } from "../../../apps/console/src/api/link-header.ts"
import { linksBeside } from "../../../packages/contract/src/shared/list.ts"
import { must, type Target } from "../target.ts"
import { firstLine, inText, json, Nothing, texts } from "../texts.ts"

// As it is written, not as it was built last. It is compiled apart, so its types are those of the build.
const written = <T>(name: string): Promise<T> =>
  import(new URL(`../../../packages/sdk/src/${name}.ts`, import.meta.url).href)

const { nextCursor } = await written<typeof import("../../../packages/sdk/dist/lists.js")>("lists")
const { ProblemError, refusalIn } =
  await written<typeof import("../../../packages/sdk/dist/problem.js")>("problem")
const { askedPause } = await written<typeof import("../../../packages/sdk/dist/sending.js")>("sending")
const { createToken } = await written<typeof import("../../../packages/sdk/dist/token.js")>("token")
const { verifyWebhook, WebhookError } =
  await written<typeof import("../../../packages/sdk/dist/webhook.js")>("webhook")

const NOW = 1_767_225_600_000
const SECRETS = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)]
// RFC 8410, 10.3, as PKCS#8: a key for all the world.
const KEY = createPrivateKey({
  key: Buffer.from(
    "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
    "hex",
  ),
  format: "der",
  type: "pkcs8",
})
const PUBLIC = createPublicKey(KEY)
const PUBLIC_BYTES = PUBLIC.export({ format: "der", type: "spki" }).subarray(-32)

/** Three headers by line, and the body below them. */
function call(
  id: string,
  timestamp: string,
  signatures: (signed: Buffer) => string,
  body: string,
): Uint8Array {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  return Buffer.from(`${id}|${timestamp}|${signatures(signed)}\n${body}`)
}

const hmac = (secret: Uint8Array, signed: Uint8Array) => createHmac("sha256", secret).update(signed).digest()
const v1 = (which: number) => (signed: Buffer) =>
  `v1,${hmac(SECRETS[which] ?? Buffer.of(), signed).toString("base64")}`
const v1a = (signed: Buffer) => `v1a,${sign(null, signed, KEY).toString("base64")}`

export const webhookCalls: Target = {
  name: "webhook-call",
  kind: "words",
  words: ["|", "v1,", "v1a,", "v2,", " ", "=", ".", String(NOW / 1000), "1e9", "+1767225600", "0x69"],
  seeds: () => [
    call("e1", String(NOW / 1000), v1(0), '{"id":"e1","type":"signature_request.signed"}'),
    call(
      "e2",
      String(NOW / 1000 - 299),
      (signed) => `v1,AAAA ${v1(1)(signed)} ${v1a(signed)}`,
      '{"id":"e2"}',
    ),
    call("e3", String(NOW / 1000), v1a, "[]"),
    call("e4", String(NOW / 1000 - 301), v1(0), "{}"),
    call("e.5", String(NOW / 1000), v1(0), "no JSON"),
    call("e6", String(NOW / 1000), () => "v1,", "{}"),
  ],
  refusals: [WebhookError],
  run: async (input) => {
    const [head, body] = firstLine(input)
    const [id = "", timestamp = "", signature = ""] = head.split("|")
    const headers = { "Webhook-Id": id, "webhook-timestamp": timestamp, "WEBHOOK-SIGNATURE": signature }
    const secret = SECRETS.map((bytes) => `whsec_${bytes.toString("base64")}`)
    const publicKey = `whpk_${PUBLIC_BYTES.toString("base64")}`
    const event = await verifyWebhook({ body, headers, secret, publicKey, now: NOW })
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
    must(
      signature.split(" ").some((one) => isOurs(one, signed)),
      "one signature is right by Node's own crypto",
    )
    must(Math.abs(NOW / 1000 - Number(timestamp)) <= 300, "it is fresh")
    must(isDeepStrictEqual(event, JSON.parse(inText(body))), "the event is what was signed")
    return `${Math.min(4, signature.split(" ").length)}`
  },
}

function isOurs(one: string, signed: Uint8Array): boolean {
  const [scheme, value = ""] = one.split(",")
  const bytes = Buffer.from(value, "base64")
  if (scheme === "v1") return SECRETS.some((secret) => hmac(secret, signed).equals(bytes))
  return scheme === "v1a" && bytes.length === 64 && verify(null, signed, PUBLIC, bytes)
}

export const problemAnswers: Target = {
  name: "problem-answer",
  kind: "json",
  words: ["key", "message", "detail", "title", "status", "type", "error.sr.invalid_state"],
  seeds: () => [
    json({
      type: "/problem/x",
      title: "No",
      status: 400,
      detail: "d",
      key: "error.sr.invalid_state",
      message: "m",
    }),
    json({ title: "No" }),
    json({ detail: null, message: null }),
    json([]),
    json(null),
    ...texts("<html>502 Bad Gateway</html>", ""),
  ],
  refusals: [Nothing],
  run: async (input) => {
    const response = new Response(Buffer.from(input), { status: 400, headers: { "x-request-id": "r1" } })
    const error = await refusalIn(response)
    must(error instanceof ProblemError && error.status === 400, "every answer becomes a ProblemError")
    must(typeof error.message === "string" && error.message !== "[object Object]", "its message is words")
    must(error.key === undefined || typeof error.key === "string", "its key is a text, or none")
    must(!Array.isArray(error.problem) && typeof error.problem === "object", "what was said is an object")
    const said = parsed(inText(input))
    for (const [name, value] of Object.entries(error.problem))
      must(isDeepStrictEqual(value, said?.[name]), "nothing is told that was not said")
    if (error.message === "The service answered 400.") throw new Nothing("no words")
    return `${error.key === undefined}`
  },
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""))
  } catch {
    return null
  }
}

export const retryAfters: Target = {
  name: "retry-after",
  kind: "words",
  words: [
    "120",
    "Wed, 31 Dec 2025 23:59:59 GMT",
    "GMT",
    "UTC",
    "+0200",
    "1",
    "-1",
    "2026",
    "Thu,",
    "Jan",
    " ",
    "1e3",
    "00",
  ],
  seeds: () =>
    texts(
      "120",
      "Thu, 01 Jan 2026 00:00:10 GMT",
      "Wed, 31 Dec 2025 23:59:59 GMT",
      "0",
      "soon",
      "-5",
      "99999999999999999999",
    ),
  refusals: [Nothing],
  run: (input) => {
    const header = inText(input)
    const pause = askedPause(header, NOW)
    if (pause === null) throw new Nothing("not understood")
    must(pause >= 0, "nobody comes back in the past")
    const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4,6} \d{2}:\d{2}:\d{2} GMT$/.test(header)
      ? new Date(header)
      : null
    if (/^\d+$/.test(header)) must(pause === Number(header) * 1000, "figures are seconds")
    else must(date?.toUTCString() === header, "all else is a date as HTTP writes it")
    if (date !== null) must(pause === Math.max(0, date.getTime() - NOW), "until then")
    return `${date === null} ${pause === 0}`
  },
}

const ENTRY = { createdAt: new Date(NOW), id: "0b9cbd6e-5ee0-4a34-8c8b-2f1f36e8f3c5" }
const LINKS = linksBeside(
  "https://api.example/v2/documents",
  { pageSize: 2, search: 'a <b> & c; rel="next"', filters: { status_overall: "OPEN" } },
  { entries: [ENTRY, ENTRY], hasNext: true, hasPrevious: true },
)

export const linkHeaders: Target = {
  name: "link-header",
  kind: "words",
  words: [
    'rel="next"',
    "rel=next",
    'rel="prev"',
    "<",
    ">",
    ";",
    ",",
    "?cursor=",
    "&cursor=",
    "%3C",
    "<>; rel=next",
    "#",
    "+",
  ],
  seeds: () =>
    texts(
      LINKS ?? "",
      "<https://a.example/?cursor=abc>; rel=next",
      '<x?cursor=1>; title="a, b"; rel="next"',
      "<>",
    ),
  refusals: [Nothing],
  run: (input) => {
    const header = inText(input)
    // No fetch takes longer ones.
    if (header.length > 16_384) throw new Nothing("too long")
    const cursor = nextCursor(header)
    if (cursor === null) throw new Nothing("no next page")
    const addresses = [...header.matchAll(/<([^<>]*)>/g)].map(([, address = ""]) => address)
    const told = addresses.map((address) => new URLSearchParams(address.split("?")[1] ?? "").get("cursor"))
    must(told.includes(cursor), "a cursor is one of an address")
    must(/rel="?next/.test(header), "of one that is the next")
    // The console reads what we ourselves have written.
    if (header === LINKS)
      must(cursorsIn(header).next === cursor && cursorsIn(header).prev !== null, "both read the same")
    return `${Math.min(4, addresses.length)}`
  },
}

const jwt = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`

export const tokenLifetimes: Target = {
  name: "token-lifetime",
  kind: "json",
  words: ["iat", "exp"],
  seeds: () => [
    json({ iat: 1000, exp: 2200 }),
    json({ exp: 1 }),
    json({ iat: "5", exp: "9" }),
    json(null),
    json([]),
  ],
  refusals: [Nothing],
  run: async (input) => {
    const claims = parsed(inText(input))
    const bearer = claims === null ? inText(input) : jwt(claims)
    let now = NOW
    let logins = 0
    const token = createToken(async () => `${bearer}${logins++}`, {
      now: () => now,
      pause: async () => undefined,
    })
    must((await token.get()) === `${bearer}0`, "it is the token that was given")
    const said = wholeSeconds(claims?.exp) - wholeSeconds(claims?.iat)
    if (said > 1e12) throw new Nothing("longer than numbers count exactly")
    // Nine tenths of what it says; of 20 minutes where it says nothing.
    const until = 0.9 * (said > 0 ? said * 1000 : 1_200_000)
    now = NOW + Math.floor(until) - 1
    await token.get()
    must(logins === 1, "one token serves for as long as it lives")
    now = NOW + Math.ceil(until)
    await token.get()
    must(logins === 2, "and not longer")
    if (!(said > 0)) throw new Nothing("the usual time")
    return "its own time"
  },
}

const wholeSeconds = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : Number.NaN)
