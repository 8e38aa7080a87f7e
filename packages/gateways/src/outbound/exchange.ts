import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from "node:http"
import { request as overHttps } from "node:https"
import { OutboundFailed, type OutboundFailure } from "./failed.ts"

const HEADERS_WITHIN_MS = 15_000

export type Message = {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly maxBytes: number
  readonly timeoutMs: number
  /** What happens to an answer above `maxBytes` or too slow in its body: an error, or the status alone counts. */
  readonly overflow?: "refuse" | "cut"
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** One request, one answer, over the connection that `route` describes. Nothing is decompressed. */
export function exchange(
  url: URL,
  route: RequestOptions,
  message: Message,
  signal: AbortSignal,
): Promise<Answer> {
  const send = url.protocol === "https:" ? overHttps : overHttp
  const body = message.body ?? new Uint8Array()
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      ...route,
      signal,
      method: message.method,
      headers: {
        "user-agent": "Paraph",
        "accept-encoding": "identity",
        ...message.headers,
        ...(message.method === "POST" ? { "content-length": String(body.length) } : {}),
        connection: "close",
        ...route.headers,
      },
    })
    const headersLate = setTimeout(
      () => sent.destroy(new OutboundFailed("timeout", "No answer in time.")),
      HEADERS_WITHIN_MS,
    )
    sent.once("close", () => clearTimeout(headersLate))
    sent.once("error", (error) => reject(asFailure(error)))
    sent.once("response", (incoming) => {
      clearTimeout(headersLate)
      readBody(incoming, message).then(
        (read) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: read }),
        (error) => reject(asFailure(error)),
      )
    })
    sent.end(body)
  })
}

async function readBody(incoming: IncomingMessage, { maxBytes, overflow }: Message): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes)
    for await (const piece of incoming) {
      size += piece.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      pieces.push(piece)
    }
  } catch (error) {
    incoming.destroy()
    if (overflow !== "cut") throw error
  }
  return Buffer.concat(pieces)
}

function tooLarge(maxBytes: number): OutboundFailed {
  return new OutboundFailed("too-large", `The answer is larger than ${maxBytes} bytes.`)
}

const SAID: Partial<Record<OutboundFailure, string>> = {
  timeout: "No answer in time.",
  tls: "The server's certificate or its TLS was not accepted.",
  "refused-address": "The address is not one of the public internet.",
}

/** Turns what Node throws into one of our words; the system's own words, with addresses, stay in `cause`. */
export function asFailure(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error
  const { name, code, message } = error as NodeJS.ErrnoException
  const failure = failureOf(name, code ?? "", message ?? "")
  return new OutboundFailed(failure, SAID[failure] ?? "The connection failed.", { cause: error })
}

function failureOf(name: string, code: string, message: string): OutboundFailure {
  if (name === "TimeoutError" || name === "AbortError" || code === "ETIMEDOUT") return "timeout"
  // The words of request-filtering-agent, which gives its errors no code.
  if (message.includes("is not allowed. Because")) return "refused-address"
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code))
    return "tls"
  return "connection"
}
