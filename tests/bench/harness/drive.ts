// Calls over HTTP by connections that stay open, one call at a time on each.
import { Agent, type IncomingMessage, request } from "node:http"

export type Call = {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Caller = {
  /** Answers the body; anything but a 2xx is an error, since whoever is refused is answered fast. */
  readonly ask: (call: Call) => Promise<Buffer>
  readonly close: () => void
}

export function openCaller(url: string, connections: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" })
  const { hostname, port } = new URL(url)
  const ask = ({ method, path, headers, body }: Call) =>
    new Promise<Buffer>((done, failed) => {
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...lengthOf(body) } }
      const asked = request(options, (answer) => void read(answer, `${method} ${path}`).then(done, failed))
      asked.on("error", failed)
      asked.end(body)
    })
  return { ask, close: () => agent.destroy() }
}

const lengthOf = (body: string | undefined) =>
  body === undefined
    ? {}
    : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }

async function read(answer: IncomingMessage, what: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const { statusCode = 0 } = answer
  if (statusCode < 200 || statusCode > 299)
    throw new Error(`${what}: ${statusCode} ${bytes.toString().slice(0, 300)}`)
  return bytes
}

/** So many calls, so many at a time, each as soon as the one before it is answered. */
export async function closedLoop(
  count: number,
  atOnce: number,
  one: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
