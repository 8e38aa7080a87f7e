import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import Fastify from "fastify"
import { afterEach, describe, expect, it } from "vitest"
import { holdBody } from "./body-under-way.ts"

/** A server that has a place for one body at a time. */
async function world(withinMs: number) {
  const places = createInFlightLimiter({ perOwner: 1, total: 1 })
  const seen = { begun: 0, refused: 0, ended: 0 }
  const server = Fastify()
  const onRequest = async (
    request: Parameters<typeof holdBody>[0],
    reply: Parameters<typeof holdBody>[1],
  ) => {
    const end = places.begin({ key: "a", isDemo: false })
    if (typeof end === "string") {
      seen.refused += 1
      throw Object.assign(new Error("busy"), { statusCode: 429 })
    }
    seen.begun += 1
    holdBody(request, reply, withinMs, () => {
      seen.ended += 1
      end()
    })
  }
  server.post("/", { onRequest }, async () => "taken")
  await server.listen({ host: "localhost", port: 0 })
  const { port } = server.server.address() as AddressInfo
  const stalled = () => {
    const socket = connect(port, "localhost").on("error", () => undefined)
    socket.write(
      "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nhalf",
    )
    return socket
  }
  const whole = async () => {
    const headers = { "content-type": "text/plain" }
    return (await fetch(`http://localhost:${port}/`, { method: "POST", headers, body: "whole" })).status
  }
  return { server, seen, stalled, whole }
}

describe("bodies under way", () => {
  const open: Awaited<ReturnType<typeof world>>[] = []
  afterEach(async () => {
    for (const { server } of open.splice(0)) {
      server.server.closeAllConnections()
      await server.close()
    }
  })
  const started = async (withinMs: number) => {
    const one = await world(withinMs)
    open.push(one)
    return one
  }

  it("take their place before they are read, and make room with their answer or their connection", async () => {
    const { seen, stalled, whole } = await started(60_000)
    const socket = stalled()
    await expect.poll(() => seen.begun).toBe(1)
    expect(await whole()).toBe(429)
    socket.destroy()
    await expect.poll(() => seen.ended).toBe(1)
    expect(await whole()).toBe(200)
    await expect.poll(() => seen.ended).toBe(2)
    expect(await whole()).toBe(200)
  })

  it("are cut off where they do not come in time", async () => {
    const { seen, stalled, whole } = await started(200)
    const socket = stalled().resume()
    await once(socket, "close")
    await expect.poll(() => seen.ended).toBe(1)
    expect(await whole()).toBe(200)
  })
})
