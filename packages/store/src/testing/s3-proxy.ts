// Stands between a client and a real S3 server, and misbehaves as it is told.
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { PassThrough, type Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"

export type Fault =
  /** Nobody listens. Only as a whole: `method` and `times` mean nothing to it. */
  | { readonly fault: "refuse" }
  /** 503 SlowDown, and nothing is passed on. */
  | { readonly fault: "unavailable" }
  /** Takes the request and never answers. */
  | { readonly fault: "hang" }
  /** Both bodies trickle. */
  | { readonly fault: "slow"; readonly bytesPerSecond: number }
  /** "200 but lost": reads the body, answers 200 with a plausible tag, passes nothing on. */
  | { readonly fault: "swallow" }
  /** The connection to the store ends after so many bytes of the request's body, and the client's with it. */
  | { readonly fault: "cut-request"; readonly afterBytes: number }
  /** One byte of the request's body is another. */
  | { readonly fault: "corrupt-request" }
  /** The client's connection ends after so many bytes of the answer's body. */
  | { readonly fault: "cut-response"; readonly afterBytes: number }
  /** The answer begins, and after so many bytes of its body nothing moves any more. */
  | { readonly fault: "stall-response"; readonly afterBytes: number }
  /** The store does it, and the client never hears: the outcome is unknown to it. */
  | { readonly fault: "lose-answer" }
  /** The store does it, and the client hears 500. */
  | { readonly fault: "answer-500" }

/** A fault of requests of one method (all without it), so often (until another is told without it). */
export type Rule = Fault & { readonly method?: string; readonly times?: number }

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly fault: Fault["fault"] | null
}

export type S3Proxy = {
  readonly url: string
  /** From the next request on; `null` is good behaviour. */
  readonly misbehave: (rule: Rule | null) => Promise<void>
  /** Every request since the start, in the order of their coming. */
  readonly seen: () => readonly Seen[]
  /** How many connections of clients are open. */
  readonly connections: () => Promise<number>
  readonly close: () => Promise<void>
}

export async function startS3Proxy(target: string): Promise<S3Proxy> {
  const seen: Seen[] = []
  let rule: Rule | null = null
  let left = Number.POSITIVE_INFINITY
  const take = (method: string): Fault | null => {
    if (rule === null || left === 0 || (rule.method ?? method) !== method) return null
    left -= 1
    return rule
  }
  const server = createServer((incoming, answer) => {
    const { method = "", url: path = "", headers, socket } = incoming
    const fault = take(method)
    seen.push({ method, path, headers, fault: fault?.fault ?? null })
    // A connection that breaks is what this program is for.
    serve(new URL(target), fault, incoming, answer).catch(() => socket.destroy())
  })
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    misbehave: async (next) => {
      rule = next
      left = next?.times ?? Number.POSITIVE_INFINITY
      if (next?.fault === "refuse") await stop(server)
      else if (!server.listening) await listen(server, port)
    },
    seen: () => [...seen],
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      }),
    close: () => stop(server),
  }
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve())
  })

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

async function serve(target: URL, fault: Fault | null, incoming: IncomingMessage, answer: ServerResponse) {
  const { socket } = incoming
  switch (fault?.fault) {
    case "hang":
      incoming.resume()
      return
    case "unavailable":
      incoming.resume()
      return fail(answer, 503, "SlowDown")
    case "swallow":
      return swallow(incoming, answer)
  }
  const outcome = await forward(target, incoming, fault)
  switch (fault?.fault) {
    case "lose-answer":
      await drain(outcome)
      socket.resetAndDestroy()
      return
    case "answer-500":
      await drain(outcome)
      return fail(answer, 500, "InternalError")
  }
  // Each of the two connections is kept or ended by its own ends.
  const { connection: _, "keep-alive": __, ...headers } = outcome.headers
  answer.writeHead(outcome.statusCode ?? 502, headers)
  await pipeline(outcome, bent(fault, "response"), answer)
}

/** The headers as they came, `Host` too: it is part of what the client signed. Only `Expect` is answered here. */
async function forward(
  target: URL,
  incoming: IncomingMessage,
  fault: Fault | null,
): Promise<IncomingMessage> {
  const { expect: _, connection: __, ...headers } = incoming.headers
  const outgoing = request({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers,
    setHost: false,
    agent: false,
  })
  // Not a pipeline: it would end the connection when the store answers before it has read everything.
  const body = bent(fault, "request")
  for (const end of [incoming, body]) end.once("error", (error) => outgoing.destroy(error))
  incoming.pipe(body).pipe(outgoing)
  // What the store does not want any more is read all the same: only a reader notices that a client is gone.
  outgoing.once("close", () => incoming.unpipe(body).resume())
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve)
    outgoing.on("error", reject)
  })
}

async function swallow(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const md5 = createHash("md5")
  for await (const piece of incoming) md5.update(piece)
  answer.writeHead(200, { etag: `"${md5.digest("hex")}"`, "content-length": 0 }).end()
}

function fail(answer: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>As told.</Message></Error>`
  answer.writeHead(status, { "content-type": "application/xml" }).end(body)
}

async function drain(body: Readable): Promise<void> {
  for await (const _ of body);
}

/** What happens to a body on its way. */
function bent(fault: Fault | null, body: "request" | "response"): Transform {
  const end = (done: (error: Error) => void) => done(new Error("Cut, as told."))
  if (fault?.fault === "slow") return throttle(fault.bytesPerSecond)
  if (fault?.fault === "cut-request" && body === "request") return cut(fault.afterBytes, end)
  if (fault?.fault === "cut-response" && body === "response") return cut(fault.afterBytes, end)
  if (body === "response" && fault?.fault === "stall-response") return cut(fault.afterBytes, () => undefined)
  if (body === "request" && fault?.fault === "corrupt-request") return corrupt()
  return new PassThrough()
}

function throttle(bytesPerSecond: number): Transform {
  return new Transform({
    transform: async function (piece: Buffer, _, done) {
      const step = Math.max(1, Math.floor(bytesPerSecond / 20))
      for (let at = 0; at < piece.length; at += step) {
        this.push(piece.subarray(at, at + step))
        await sleep(50)
      }
      done()
    },
  })
}

/** Lets so many bytes through, then does what it is told instead of going on. */
function cut(afterBytes: number, end: (done: (error: Error) => void) => void): Transform {
  let left = afterBytes
  return new Transform({
    transform(piece: Buffer, _, done) {
      const passing = piece.subarray(0, left)
      left -= passing.length
      if (passing.length > 0) this.push(passing)
      if (passing.length === piece.length) return done()
      // The bytes before the cut should arrive.
      setImmediate(end, done)
    },
  })
}

function corrupt(): Transform {
  let first = true
  return new Transform({
    transform(piece: Buffer, _, done) {
      const bent = Buffer.from(piece)
      if (first) bent.writeUInt8(bent.readUInt8(0) ^ 1, 0)
      first = false
      done(null, bent)
    },
  })
}
