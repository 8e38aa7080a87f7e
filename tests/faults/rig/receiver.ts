// An integrator's server: it notes what it is sent, in the order of coming, and answers as it is told.
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:https"
import { join } from "node:path"

/** The ways in which a receiver of callbacks is known to fail (F12). */
export const MANNERS = [
  "hang",
  "reset-before",
  "reset-after",
  "drip",
  "huge",
  "redirect",
  "redirect-loop",
  "downgrade",
  "gone",
  "busy",
  "broken",
  "unavailable",
  "not-found",
  "half-open",
] as const
export type Manner = "good" | (typeof MANNERS)[number]

export type Came = { readonly path: string; readonly event: string | null }

export type Receiver = {
  readonly url: string
  readonly came: readonly Came[]
  /** Of those who are told so by their path. */
  readonly behave: (manner: Manner, of: (path: string) => boolean) => void
  readonly close: () => Promise<void>
}

export async function startReceiver(stackDir: string, port: number): Promise<Receiver> {
  const tls = join(stackDir, "tls")
  const came: Came[] = []
  let manner: Manner = "good"
  let isMeant: (path: string) => boolean = () => true
  const server: Server = createServer(
    { key: readFileSync(join(tls, "server.key")), cert: readFileSync(join(tls, "server.pem")) },
    async (request, response) => {
      const { url: path = "" } = request
      const how = isMeant(path) ? manner : "good"
      if (how === "reset-before") return void request.socket.destroy()
      await request.toArray().catch(() => [])
      const note = () =>
        came.push({ path, event: path.startsWith("/hooks/") ? String(request.headers["webhook-id"]) : null })
      switch (how) {
        case "good":
          note()
          return void response.writeHead(204).end()
        case "reset-after":
          return void request.socket.destroy()
        case "hang":
        case "half-open":
          return
        // It has the whole call, and has said so: what drips is of no matter any more.
        case "drip": {
          note()
          response.writeHead(200)
          const timer = setInterval(() => response.write("."), 500)
          response.on("close", () => clearInterval(timer))
          return
        }
        case "huge":
          response.writeHead(503, { "content-length": 1 << 30 })
          for (let sent = 0; sent < 64 && response.write(Buffer.alloc(1 << 20)); sent += 1);
          return
        case "redirect":
          return void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end()
        case "redirect-loop":
          return void response.writeHead(307, { location: path }).end()
        case "downgrade":
          return void response.writeHead(301, { location: `http://localhost:${port}${path}` }).end()
        case "busy":
          return void response.writeHead(429, { "retry-after": "1" }).end()
        default:
          return void response
            .writeHead({ gone: 500, broken: 500, unavailable: 503, "not-found": 404 }[how])
            .end()
      }
    },
  )
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  return {
    url: `https://localhost:${port}`,
    came,
    behave: (next, of) => {
      manner = next
      isMeant = of
      // Those who hang hear that nobody is there any more.
      if (next === "good") server.closeAllConnections()
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
