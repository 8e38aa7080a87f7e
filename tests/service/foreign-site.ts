import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A site of somebody else, to a browser: another host than the service's. It notes how it was come to. */
export async function startForeignSite() {
  const visits: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    visits.push({ path, headers: request.headers })
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    response.end(pages.get(path) ?? "<!doctype html><title>Foreign</title>")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    /** The service is at `localhost`, so that a browser takes this for another site. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    /** What stands at a path of it from now on. */
    show: (path: string, html: string) => pages.set(path, `<!doctype html><title>Foreign</title>${html}`),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
