// Stands before the time-stamp authority and answers as it is told (F09).
import { createServer, request, type Server } from "node:http"
import { buffer } from "node:stream/consumers"

const MANNERS = [
  "unavailable",
  "reset",
  "garbage",
  "empty",
  "page",
  "huge",
  "replay",
  "reject",
  "cut",
  "slow",
] as const
export type TsaManner = "good" | (typeof MANNERS)[number]

export type Tsa = {
  readonly manners: typeof MANNERS
  readonly port: number
  readonly behave: (manner: TsaManner) => void
  readonly close: () => Promise<void>
}

/** RFC 3161, 2.4.2: PKIStatus rejection(2), and no token. */
const REJECTION = Buffer.from("30053003020102", "hex")

export async function startTsa(port: number, to: number): Promise<Tsa> {
  let manner: TsaManner = "good"
  let before: Buffer = Buffer.alloc(0)
  const server: Server = createServer(async (incoming, answer) => {
    const body = await buffer(incoming).catch(() => Buffer.alloc(0))
    const reply = (bytes: Uint8Array, type = "application/timestamp-reply") =>
      void answer.writeHead(200, { "content-type": type, "content-length": bytes.length }).end(bytes)
    switch (manner) {
      case "unavailable":
        return void answer.writeHead(503).end()
      case "reset":
        return void incoming.socket.destroy()
      case "garbage":
        return reply(Buffer.alloc(2_000, 0x30))
      case "empty":
        return reply(Buffer.alloc(0))
      case "page":
        return reply(Buffer.from("<html>Please log in.</html>"), "text/html")
      case "huge":
        return reply(Buffer.alloc(8 << 20, 0x04))
      case "replay":
        return reply(before)
      case "reject":
        return reply(REJECTION)
    }
    const { host: _, connection: __, ...headers } = incoming.headers
    const outgoing = request({
      host: "127.0.0.1",
      port: to,
      path: incoming.url,
      method: incoming.method,
      headers,
    })
    outgoing.on("error", () => incoming.socket.destroy())
    outgoing.on("response", async (response) => {
      const bytes = await buffer(response).catch(() => Buffer.alloc(0))
      if (manner === "cut")
        return void answer.writeHead(200, { "content-length": bytes.length }).end(bytes.subarray(0, 100))
      if (manner === "slow") await new Promise((resolve) => setTimeout(resolve, 2_000))
      if (response.statusCode === 200 && incoming.method === "POST") before = bytes
      answer
        .writeHead(response.statusCode ?? 502, { "content-type": response.headers["content-type"] ?? "" })
        .end(bytes)
    })
    outgoing.end(body)
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    manners: MANNERS,
    port,
    behave: (next) => {
      manner = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
