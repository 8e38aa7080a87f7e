// Standard Webhooks 1.0.0, "Webhook headers" and "Signature scheme", by WebCrypto alone.
import type { components } from "./api/v2.ts"

/** New types may come: ignore those that you do not know. */
export type WebhookEvent = components["schemas"]["Event"]

export type WebhookCall = {
  /** The bytes as they came, not parsed and written again. */
  readonly body: string | Uint8Array
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** `whsec_…`, as it was answered when the webhook was made; several while one takes over from another. */
  readonly secret?: string | readonly string[]
  /** `whpk_…`, `public_key` of the webhook, where the operator has set one. Then no secret is needed. */
  readonly publicKey?: string
  /** How far its time may be from ours, in seconds; 300 unless given. */
  readonly tolerance?: number
  /** Milliseconds since 1970. */
  readonly now?: number
}

export type WebhookFault = "headers-missing" | "time-out-of-tolerance" | "signature-wrong" | "body-unreadable"

/** The call is not from the service, or is not fresh: answer 4xx and do nothing else. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
  readonly fault: WebhookFault

  constructor(fault: WebhookFault) {
    super(`The webhook is refused: ${fault}.`)
    this.fault = fault
  }
}

/** The event, if a signature of it is right and fresh; else a WebhookError is thrown. Its `id` is the same over repetitions. */
export async function verifyWebhook(call: WebhookCall): Promise<WebhookEvent> {
  const id = headerOf(call, "webhook-id")
  const timestamp = headerOf(call, "webhook-timestamp")
  const signatures = headerOf(call, "webhook-signature")
  const { tolerance = 300, now = Date.now() } = call
  // Written so that what is no number is not within it either.
  const isFresh = /^\d+$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= tolerance
  if (!isFresh) throw new WebhookError("time-out-of-tolerance")
  const body = typeof call.body === "string" ? new TextEncoder().encode(call.body) : call.body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  if (!(await isSignedByOne(signed, signatures, await keysOf(call))))
    throw new WebhookError("signature-wrong")
  return eventIn(body)
}

function headerOf({ headers }: WebhookCall, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ownHeader(headers, name)
  if (typeof value !== "string" || value === "") throw new WebhookError("headers-missing")
  return value
}

/** Whatever case the framework keeps. */
function ownHeader(headers: Exclude<WebhookCall["headers"], Headers>, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

type Key = { readonly scheme: "v1" | "v1a"; readonly key: CryptoKey }

async function keysOf({ secret = [], publicKey }: WebhookCall): Promise<readonly Key[]> {
  const secrets = typeof secret === "string" ? [secret] : secret
  if (secrets.length === 0 && publicKey === undefined) throw new TypeError("Give a secret or a public key.")
  const keys = secrets.map((each) => importKey("v1", keyBytes(each, "whsec_")))
  if (publicKey !== undefined) keys.push(importKey("v1a", keyBytes(publicKey, "whpk_")))
  return Promise.all(keys)
}

async function importKey(scheme: Key["scheme"], bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  const algorithm = scheme === "v1" ? { name: "HMAC", hash: "SHA-256" } : { name: "Ed25519" }
  return { scheme, key: await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]) }
}

function keyBytes(text: string, prefix: string): Uint8Array<ArrayBuffer> {
  const bytes = text.startsWith(prefix) ? decoded(text.slice(prefix.length)) : null
  if (bytes === null || bytes.length === 0) throw new TypeError(`This key is not ${prefix} and Base64.`)
  return bytes
}

/** WebCrypto compares in constant time. */
async function isSignedByOne(
  signed: Uint8Array<ArrayBuffer>,
  header: string,
  keys: readonly Key[],
): Promise<boolean> {
  for (const each of header.split(" ")) {
    const [scheme, value = ""] = each.split(",")
    const signature = decoded(value)
    if (signature === null) continue
    for (const { key } of keys.filter((known) => known.scheme === scheme))
      if (await crypto.subtle.verify(key.algorithm.name, key, signature, signed)) return true
  }
  return false
}

function eventIn(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent
  } catch {
    throw new WebhookError("body-unreadable")
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(base64)
    // One way to write it, so that no two headers mean the same signature.
    return btoa(binary) === base64 ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null
  } catch {
    return null
  }
}
