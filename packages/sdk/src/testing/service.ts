import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { createParaph, type Paraph, type Settings } from "../index.ts"
import { startClock, type TestClock } from "./clock.ts"

export type Noted = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** `break` ends the connection without an answer. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | "break"

export type TestService = {
  readonly url: string
  readonly clock: TestClock
  /** All that was asked but logins. */
  readonly asked: readonly Noted[]
  readonly logins: () => number
  readonly connect: (more?: Partial<Settings>) => Paraph
  readonly close: () => Promise<void>
}

export type Script = {
  readonly answer?: (request: Noted, count: number) => Reply | Promise<Reply>
  readonly login?: (count: number) => Reply | Promise<Reply>
}

/** A server on this machine that says what a test wants it to say; the client and its fetch are the real ones. */
export async function startTestService(script: Script = {}): Promise<TestService> {
  const { answer = () => ({ body: {} }), login = (count) => ({ body: jwt(count) }) } = script
  const asked: Noted[] = []
  const clock = startClock()
  let logins = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []))
    const { method = "", url: path = "", headers } = request
    const note = { method, path, headers, body }
    const isLogin = path.endsWith("/access/login")
    if (isLogin) logins += 1
    else asked.push(note)
    const reply: Reply = await (isLogin ? login(logins) : answer(note, asked.length))
    if (reply === "break") return void request.socket.destroy()
    const { status = 200, headers: more = {}, body: said } = reply
    const isText = typeof said === "string"
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...more })
    response.end(said === undefined || isText || said instanceof Uint8Array ? said : JSON.stringify(said))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    clock,
    asked,
    logins: () => logins,
    connect: (more = {}) =>
      createParaph({ url, username: "acme-integration", apiKey: "api_demo_x", clock, ...more }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A token in its form alone, good for 20 minutes by its own words. */
export function jwt(count: number, lifetime = 1200): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part({ alg: "none" })}.${part({ iat: 1000, exp: 1000 + lifetime, count })}.x`
}
