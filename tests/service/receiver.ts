import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { freePort, sharedStack } from "./settings.ts"

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bodyBytes: number
  readonly text: string
  /** Milliseconds, by this process's own clock. */
  readonly at: number
  /** The common name of the certificate that the service showed, where it was asked for one. */
  readonly certificate: string | null
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  readonly close: () => Promise<void>
}

export type Reply =
  | {
      readonly status: number
      readonly contentType?: string
      readonly body?: Uint8Array
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Says nothing until it is closed, or breaks the connection off. */
  | "hang"
  | "reset"

const shownBy = (socket: TLSSocket): string | null =>
  (socket.getPeerCertificate().subject?.CN as string | undefined) ?? null

/** An integrator's server with a certificate of the stack's own authority. It notes what it is sent. */
export async function startReceiver(
  answer: (request: Received) => Reply | Promise<Reply> = () => ({ status: 204 }),
  options: { readonly asksForCertificate?: boolean } = {},
): Promise<Receiver> {
  const tls = join(sharedStack().dir, "tls")
  const received: Received[] = []
  const server = createServer(
    {
      key: readFileSync(join(tls, "server.key")),
      cert: readFileSync(join(tls, "server.pem")),
      requestCert: options.asksForCertificate === true,
      rejectUnauthorized: false,
    },
    async (request, response) => {
      const body = Buffer.concat(await request.toArray().catch(() => []))
      const { method = "", url = "", headers } = request
      const certificate = shownBy(request.socket as TLSSocket)
      const at = performance.now()
      const text = body.toString()
      const note = { method, path: url, headers, bodyBytes: body.length, text, at, certificate }
      received.push(note)
      const reply = await answer(note)
      if (reply === "reset") return void request.socket.destroy()
      if (reply === "hang") return
      const { status, contentType = "text/plain", headers: more = {} } = reply
      response.writeHead(status, { "content-type": contentType, ...more }).end(reply.body)
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
