import { existsSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, resolve } from "node:path"
import type { sampleContract } from "./contract.ts"
import type { ScreenView } from "./views.ts"

const BUILT = resolve(import.meta.dirname, "../../apps/signing/dist")
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}

export type Stage = {
  readonly url: string
  readonly show: (view: ScreenView | null) => void
  readonly close: () => void
}

/** The built application in front of scenery: each state at once, the rare ones too, and always the same. */
export async function openStage(contract: Awaited<ReturnType<typeof sampleContract>>): Promise<Stage> {
  let view: ScreenView | null = null
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://stage").pathname
    if (!path.startsWith("/app/api/")) return sendFile(path, response)
    if (path.endsWith("/signature/code")) view = codeSent(view)
    answerApi(path.slice("/app/api".length), request, response, view, contract)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/app/`,
    show: (next) => {
      view = next
    },
    close: () => void server.close(),
  }
}

const codeSent = (view: ScreenView | null): ScreenView | null =>
  view === null
    ? null
    : {
        ...view,
        proof: {
          ...view.proof,
          sentAt: new Date().toISOString(),
          resendAt: new Date(Date.now() + 30_000).toISOString(),
        },
      }

function answerApi(
  path: string,
  _: IncomingMessage,
  response: ServerResponse,
  view: ScreenView | null,
  contract: Awaited<ReturnType<typeof sampleContract>>,
): void {
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  const page = /\/pages\/(\d+)$/.exec(path)
  if (path === "/signature/code/check") json(400, { key: "error.code.wrong" })
  else if (path.startsWith("/signature")) json(view === null ? 401 : 200, view ?? {})
  else if (path.endsWith("/text")) json(200, { language: "en", lines: contract.lines })
  else if (path.endsWith("/content")) response.setHeader("content-type", "application/pdf").end(contract.pdf)
  else if (page) response.setHeader("content-type", "image/png").end(contract.pages[Number(page[1]) % 3])
  else json(404, {})
}

function sendFile(path: string, response: ServerResponse): void {
  const file = join(BUILT, path === "/app/" ? "index.html" : path.slice("/app/".length))
  if (!existsSync(file)) return void response.writeHead(404).end()
  response
    .setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream")
    .end(readFileSync(file))
}
