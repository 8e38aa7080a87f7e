import { createHook } from "node:async_hooks"
import { readFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import type { AddressInfo, Server } from "node:net"

/** For tests only: what stands inside and must not be reached, without and with TLS, on every local address. */
export async function startCanary(files: { readonly certFile: string; readonly keyFile: string }) {
  let connections = 0
  const count = () => {
    connections += 1
  }
  const certificate = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) }
  const http = createHttpServer((_, response) => response.end("inside")).on("connection", count)
  const https = createHttpsServer(certificate, (_, response) => response.end("inside")).on(
    "connection",
    count,
  )
  const ports = { http: await listen(http), https: await listen(https) }
  return {
    ports,
    /** TCP connections that were accepted, whatever came over them. */
    connections: () => connections,
    close: async () => {
      for (const server of [http, https]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ host: "::", port: 0, ipv6Only: false }, resolve))
  return (server.address() as AddressInfo).port
}

/**
 * For tests only: each TCP connection that this process begins, seen where Node asks the system for it. So an attempt
 * counts also where nobody listens or nothing leads there.
 */
export function watchConnects() {
  const begun: { readonly address?: string; readonly port?: number }[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === "TCPCONNECTWRAP") begun.push(resource)
    },
  }).enable()
  return {
    /** `address port` of those since the last call. */
    taken: () => begun.splice(0).map(({ address, port }) => `${address} ${port}`),
    stop: () => hook.disable(),
  }
}
