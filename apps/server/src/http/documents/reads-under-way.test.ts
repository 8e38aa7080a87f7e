import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { Readable } from "node:stream"
import type { InFlightLimits } from "@paraph/core/fair-share/in-flight-limiter"
import Fastify from "fastify"
import { afterEach, describe, expect, it } from "vitest"
import { createReadsUnderWay, untilOver } from "./reads-under-way.ts"

/** A server whose content never ends, and one client that pauses as soon as it is connected. */
async function world(limits: InFlightLimits, stalledMs?: number) {
  const reads = createReadsUnderWay(limits)
  const seen = { begun: 0, ended: 0 }
  async function* endless() {
    for (;;) yield Buffer.alloc(65_536)
  }
  const server = Fastify()
  server.get<{ Params: { reader: string } }>("/:reader", async (request, reply) => {
    const [id = "", businessId = "x"] = request.params.reader.split("-")
    reads.begin({ id, businessId, kind: "production" }, request, reply)
    const content = Readable.from(endless(), { objectMode: false })
    seen.begun += 1
    content.once("close", () => (seen.ended += 1))
    return reply.send(untilOver(content, request, reply, stalledMs))
  })
  server.setErrorHandler((error: { code: string }, _, reply) => reply.code(409).send(error.code))
  await server.listen({ host: "localhost", port: 0 })
  const { port } = server.server.address() as AddressInfo
  const paused = (...readers: string[]): Socket => {
    const socket = connect(port, "localhost").on("error", () => undefined)
    socket.write(readers.map((reader) => `GET /${reader} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(""))
    return socket
  }
  const status = async (reader: string) => {
    const abort = new AbortController()
    const answer = await fetch(`http://localhost:${port}/${reader}`, { signal: abort.signal })
    const said = answer.status === 409 ? await answer.text() : "reads"
    abort.abort()
    return said
  }
  return { server, seen, paused, status }
}

describe("reads under way", () => {
  const open: Awaited<ReturnType<typeof world>>[] = []
  const started = async (...of: Parameters<typeof world>) => {
    const one = await world(...of)
    open.push(one)
    return one
  }
  afterEach(async () => {
    for (const { server } of open.splice(0)) {
      server.server.closeAllConnections()
      await server.close()
    }
  })

  it("are bounded for each reader and for all, until their connections end", async () => {
    const { seen, paused, status } = await started({ perCaller: 2, perOwner: 100, total: 3 })
    const sockets = [paused("a"), paused("a")]
    await expect.poll(() => seen.begun).toBe(2)
    expect(await status("a")).toBe("rate-limited")
    sockets.push(paused("b"))
    await expect.poll(() => seen.begun).toBe(3)
    expect(await status("c")).toBe("part-down")
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => seen.ended).toBe(3)
    expect(await status("a")).toBe("reads")
  })

  it("of one business leave room for those of another", async () => {
    const { seen, paused, status } = await started({ perCaller: 2, perOwner: 2, total: 3 })
    const sockets = [paused("a-x"), paused("b-x")]
    await expect.poll(() => seen.begun).toBe(2)
    expect(await status("c-x")).toBe("rate-limited")
    expect(await status("d-y")).toBe("reads")
    for (const socket of sockets) socket.destroy()
  })

  it("end with their connection also where they wait for others on it", async () => {
    const { seen, paused, status } = await started({ perCaller: 3, perOwner: 100, total: 3 })
    const socket = paused("a", "a", "a")
    await expect.poll(() => seen.begun).toBe(3)
    expect(await status("a")).toBe("rate-limited")
    socket.destroy()
    await expect.poll(() => seen.ended).toBe(3)
    expect(await status("a")).toBe("reads")
  })

  it("end where the reader takes nothing for a while", async () => {
    const { seen, paused } = await started({ perCaller: 1, perOwner: 100, total: 1 }, 300)
    const socket = paused("a")
    await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(1)
    socket.resume()
    await once(socket, "close")
  })
})
