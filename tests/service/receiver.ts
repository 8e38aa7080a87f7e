import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import { join } from "node:path"
import { inject } from "vitest"
import { freePort } from "./settings.ts"

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bodyBytes: number
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  readonly close: () => Promise<void>
}

export type Reply = { readonly status: number; readonly contentType?: string; readonly body?: Uint8Array }

/** An integrator's server with a certificate of the stack's own authority. It notes what it is sent. */
export async function startReceiver(
  answer: (request: Received) => Reply | Promise<Reply> = () => ({ status: 204 }),
): Promise<Receiver> {
  const tls = join(inject("stackDir"), "tls")
  const received: Received[] = []
  const server = createServer(
    { key: readFileSync(join(tls, "server.key")), cert: readFileSync(join(tls, "server.pem")) },
    async (request, response) => {
      let bodyBytes = 0
      for await (const piece of request) bodyBytes += (piece as Buffer).length
      const { method = "", url = "", headers } = request
      const note = { method, path: url, headers, bodyBytes }
      received.push(note)
      const { status, contentType = "text/plain", body } = await answer(note)
      response.writeHead(status, { "content-type": contentType }).end(body)
    },
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  return {
    url: `https://localhost:${port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
