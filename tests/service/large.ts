// Documents that are too large for `fetch` with a string: sent and read as a stream, in pieces, over node's own HTTP.
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { setImmediate as immediate } from "node:timers/promises"
import type { Json } from "./api.ts"

export type LargeAnswer = {
  readonly status: number
  readonly body: Json
  readonly ms: number
  /** Of the body, until the answer was there. */
  readonly sentBytes: number
}

const PIECE_BYTES = 65_536

export type Body = {
  readonly contentType: string
  /** Sent one after the other; none of them is copied. */
  readonly parts: readonly Buffer[]
  /** Without it the body is sent in chunks, and says nothing of its length. */
  readonly withLength?: boolean
}

export const inJson = (base64: Buffer, title = "Large"): Body => ({
  contentType: "application/json",
  parts: [Buffer.from(`{"title":${JSON.stringify(title)},"content":"`), base64, Buffer.from('"}')],
})

/** Answers when the answer is there, also where it comes before the body is out. */
export async function send(url: string, token: string, path: string, body: Body): Promise<LargeAnswer> {
  const started = performance.now()
  const length = body.parts.reduce((sum, part) => sum + part.length, 0)
  const sent = request(`${url}${path}`, {
    method: "POST",
    // A connection of its own: one that was kept may have ended while this process was busy making the body, and it would
    // learn of it only by writing.
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": body.contentType,
      ...(body.withLength !== false && { "content-length": length }),
    },
  })
  const answered = once(sent, "response") as Promise<[IncomingMessage]>
  let answer: IncomingMessage | null = null
  // Read as it comes: when the connection ends while we still write, what was not read yet is lost.
  let read: Promise<Buffer[]> | undefined
  sent.on("response", (response) => {
    answer = response
    read = response.toArray()
    read.catch(() => undefined)
  })
  sent.on("error", () => undefined)
  let sentBytes = 0
  for (const piece of pieces(body.parts)) {
    if (answer !== null || sent.destroyed) break
    sentBytes += piece.length
    if (!sent.write(piece)) await Promise.race([once(sent, "drain").catch(() => undefined), answered])
    // An answer that has come is read before more is written to whoever may have ended.
    await immediate()
  }
  if (answer === null) sent.end()
  const [response] = await answered
  const whole = Buffer.concat((await read) ?? [])
  const ms = performance.now() - started
  if (!sent.writableEnded) sent.destroy()
  const isJson = /json/.test(response.headers["content-type"] ?? "")
  return {
    status: response.statusCode ?? 0,
    body: isJson ? JSON.parse(whole.toString()) : null,
    ms,
    sentBytes,
  }
}

function* pieces(parts: readonly Buffer[]): Generator<Buffer> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES)
}

/** The content's SHA-256 and size, without holding it. */
export async function digestOf(url: string, token: string, path: string) {
  const started = performance.now()
  const asked = request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  const hash = createHash("sha256")
  let bytes = 0
  for await (const piece of response) {
    hash.update(piece as Buffer)
    bytes += (piece as Buffer).length
  }
  return {
    status: response.statusCode ?? 0,
    bytes,
    sha256: hash.digest("hex"),
    ms: performance.now() - started,
  }
}

/** How many milliseconds the content takes to come, when nobody does anything with it. */
export async function drained(url: string, token: string, path: string): Promise<number> {
  const started = performance.now()
  const asked = request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  await once(response.resume(), "end")
  return performance.now() - started
}
