import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import type { Document } from "@paraph/core/document/model"
import Fastify from "fastify"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createReadsUnderWay } from "../documents/reads-under-way.ts"
import { sendZip } from "./downloads.ts"

const SIZE = 1_000_000_000
const seen = { begun: 0, ended: 0 }

/** Larger than what connections hold by themselves. */
async function* readContent() {
  seen.begun += 1
  try {
    for (let left = SIZE; left > 0; left -= 100_000) yield Buffer.alloc(100_000)
  } finally {
    seen.ended += 1
  }
}

const documents = [{ title: "Large", sizeBytes: SIZE, createdAt: new Date(0) }] as unknown as Document[]
const server = Fastify()
const reads = createReadsUnderWay({ perOwner: 1, total: 1 })
server.get("/", async (request, reply) => {
  reads.begin({ id: "a", businessId: "x", kind: "production" }, request, reply)
  return sendZip({ readContent }, request, reply, documents, 300)
})
server.setErrorHandler((_, __, reply) => reply.code(429).send())

let port = 0
beforeAll(async () => {
  await server.listen({ host: "localhost", port: 0 })
  port = (server.server.address() as AddressInfo).port
})
afterAll(async () => {
  server.server.closeAllConnections()
  await server.close()
})

it("a reader who takes nothing of all documents loses them, and others get the place", async () => {
  const socket = connect(port, "localhost").on("error", () => undefined)
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
  await expect.poll(() => seen.begun).toBe(1)
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(429)
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(1)
  socket.resume()
  await once(socket, "close")
  const abort = new AbortController()
  expect((await fetch(`http://localhost:${port}/`, { signal: abort.signal })).status).toBe(200)
  abort.abort()
  await expect.poll(() => seen.ended).toBe(2)
})
