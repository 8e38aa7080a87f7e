import { type IncomingMessage, request as overHttp, type RequestOptions } from "node:http"
import { request as overHttps } from "node:https"
import { OutboundFailed } from "./failed.ts"

export type Message = {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly maxBytes: number
  /** For everything together: redirects, headers and body, and also the time that the reader of the body takes. */
  readonly timeoutMs: number
  /** The longest silence within a body, where the policy's is not short enough. */
  readonly pauseMs?: number
  /** What happens to an answer above `maxBytes` or too slow in its body: an error, or the status alone counts. */
  readonly overflow?: "refuse" | "cut"
}

/** One request over the connection that `route` describes, and the headers of its answer. Nothing is decompressed. */
export function exchange(
  url: URL,
  route: RequestOptions,
  message: Pick<Message, "method" | "headers" | "body">,
  signal: AbortSignal,
): Promise<IncomingMessage> {
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
    // Not `once`: a connection that is lost again after its answer must not become an uncaught error.
    sent.on("error", reject)
    sent.once("response", resolve)
    // An answer that nobody can use, such as 101 Switching Protocols, closes the connection without an error.
    sent.once("close", () =>
      reject(new OutboundFailed("connection", "The connection ended without an answer.")),
    )
    sent.end(body)
  })
}
