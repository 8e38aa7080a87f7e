// The sandbox's own HTTP server. It listens on the loopback address only: nothing that it says is true outside.

import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export type Asked = {
  readonly method: string
  /** As it came, with its percent signs. */
  readonly path: string
  readonly contentType: string
  readonly body: Uint8Array
}

export type Answer =
  | { readonly status: number; readonly contentType?: string; readonly body?: Uint8Array }
  /** The connection stays open and nothing comes, until the server is closed. */
  | "silence"

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

// A time-stamp request has some 100 bytes, an OCSP request for ten certificates some 1,000.
const MAX_BODY_BYTES = 65_536
const PATIENCE_MS = 10_000

export async function listen(
  port: number,
  answer: (asked: Asked) => Promise<Answer> | Answer,
): Promise<Listening> {
  const server = createServer(
    { requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS },
    (request, response) => {
      respond(request, response, answer).catch(() => response.headersSent || response.writeHead(500).end())
    },
  )
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const { port: taken } = server.address() as AddressInfo
  const close = async () => {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${taken}`, close }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (asked: Asked) => Promise<Answer> | Answer,
): Promise<void> {
  const body = await readBody(request)
  if (body === null) {
    // The rest of a body that is too large is not read: the connection ends with the answer.
    response.writeHead(413, { connection: "close" }).end(() => request.destroy())
    return
  }
  const [path = "/"] = (request.url ?? "/").split("?")
  const contentType = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? ""
  const answered = await answer({ method: request.method ?? "", path, contentType, body })
  if (answered === "silence") return
  const bytes = answered.body ?? new Uint8Array()
  response.writeHead(answered.status, {
    "content-length": bytes.length,
    // A sandbox is stopped and started again between two requests of a test: no connection outlives its answer.
    connection: "close",
    ...(answered.contentType === undefined ? {} : { "content-type": answered.contentType }),
  })
  response.end(bytes)
}

/** Null where it is larger than anything that these protocols ask. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > MAX_BODY_BYTES) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
