import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { afterEach, expect, it } from "vitest"
import { TENANT } from "../testing/tenant.ts"
import { createScanner, type ScannerSettings } from "./scanner.ts"
import { document, pieces } from "./testing/sources.ts"

// What a clamd would never say can only be said by somebody else.
let server: Server | undefined
const connections = new Set<Socket>()

afterEach(() => {
  for (const connection of connections) connection.destroy()
  server?.close()
})

it("takes nothing for clean but clamd's own words", async () => {
  for (const answer of [
    "stream: OK",
    "stream: OK\n",
    "stream: OK\0more",
    "OK\0",
    "HTTP/1.1 200 OK\r\n\r\n",
  ]) {
    const { scan } = await speaking((socket) => socket.once("data", () => socket.end(answer)))
    await expect(scan(TENANT, pieces("text"), 4), answer).rejects.toMatchObject({ code: "error" })
  }
  const { scan } = await speaking((socket) => socket.once("data", () => socket.end()))
  await expect(scan(TENANT, pieces("text"), 4)).rejects.toMatchObject({ code: "down" })
})

it("does not believe a verdict that comes before the document", async () => {
  const { scan } = await speaking((socket) => socket.once("data", () => socket.write("stream: OK\0")))
  await expect(scan(TENANT, document(9_000_000), 9_000_000)).rejects.toMatchObject({ code: "error" })
})

it("stops listening to who never ends, and waiting for who never answers", async () => {
  const endless = await speaking((socket) => socket.once("data", () => socket.write("x".repeat(100_000))))
  await expect(endless.scan(TENANT, pieces("text"), 4)).rejects.toMatchObject({ code: "error" })
  const silent = await speaking((socket) => socket.resume(), { minTotalMs: 200, msPerMegabyte: 0 })
  await expect(silent.scan(TENANT, pieces("text"), 4)).rejects.toMatchObject({ code: "timeout" })
})

it("gives a larger document more time", async () => {
  const { scan } = await speaking((socket) => socket.resume(), { minTotalMs: 100, msPerMegabyte: 400 })
  const seconds = async (sizeBytes: number) => {
    const begun = performance.now()
    await expect(scan(TENANT, document(sizeBytes), sizeBytes)).rejects.toMatchObject({ code: "timeout" })
    return performance.now() - begun
  }
  expect(await seconds(3_000_000)).toBeGreaterThanOrEqual(1_290)
})

it("sends chunks of at most 1 MiB, and 0 only at the end", async () => {
  const received: Buffer[] = []
  const { scan } = await speaking((socket) =>
    socket.on("data", (data: Buffer) => {
      received.push(data)
      if (data.subarray(-4).equals(Buffer.alloc(4))) socket.end("stream: OK\0")
    }),
  )
  const whole = Buffer.alloc(2_500_000, "a")
  expect(await scan(TENANT, pieces("", whole, "", "b"), 2_500_001)).toEqual({ clean: true })
  const stream = Buffer.concat(received).subarray("zINSTREAM\0".length)
  const lengths: number[] = []
  for (let at = 0; at < stream.length; at += 4 + stream.readUInt32BE(at))
    lengths.push(stream.readUInt32BE(at))
  expect(lengths).toEqual([1_048_576, 1_048_576, 402_848, 1, 0])
})

it("lets small documents pass large ones, and tells who waits too long", async () => {
  const answering: Socket[] = []
  const { scan } = await speaking(
    (socket) => {
      socket.resume()
      answering.push(socket)
    },
    { bulk: 1, small: 1, maxWaiting: 1, maxWaitMs: 300 },
  )
  const large = scan(TENANT, document(9_000_000), 9_000_000)
  const [waits, isOneTooMany] = [
    scan(TENANT, document(9_000_000), 9_000_000),
    scan(TENANT, document(9_000_000), 9_000_000),
  ]
  const noTime = { code: "down", message: expect.stringMatching(/no time/) }
  await expect(isOneTooMany).rejects.toMatchObject(noTime)
  await expect(waits).rejects.toMatchObject(noTime)

  const small = scan(TENANT, pieces("text"), 4)
  await expect.poll(() => answering.length).toBe(2)
  answering[1]?.end("stream: OK\0")
  expect(await small).toEqual({ clean: true })
  answering[0]?.end("stream: Late.Finding FOUND\0")
  expect(await large).toEqual({ clean: false, finding: "Late.Finding" })
})

/** A scanner whose peer does this with every connection. */
async function speaking(meet: (socket: Socket) => void, settings: Partial<ScannerSettings> = {}) {
  server?.close()
  server = createServer((socket) => {
    connections.add(socket)
    socket.on("error", () => undefined)
    meet(socket)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return createScanner({ address: `tcp://127.0.0.1:${port}`, ...settings })
}
