// What stands before several processes of the api: each call goes to one that is ready, and no connection outlives its call.
import { createServer, request } from "node:http"

export type Balancer = { readonly port: number; readonly close: () => Promise<void> }

export async function startBalancer(port: number, ready: () => readonly number[]): Promise<Balancer> {
  let turn = 0
  const server = createServer((asked, answered) => {
    const ports = ready()
    turn += 1
    const to = ports[turn % Math.max(1, ports.length)]
    const { method, url: path, headers } = asked
    const passed = request({ host: "localhost", port: to, method, path, headers, agent: false }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(answered)
    })
    passed.on("error", () => answered.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  return {
    port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
