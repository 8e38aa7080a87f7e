import { execFile } from "node:child_process"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postCallback } from "../callback/post-callback.ts"
import { fetchFile } from "../fetch-file/fetch-file.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import type { OutboundFailure } from "./failed.ts"
import { createOutbound, type Outbound } from "./outbound.ts"
import { POLICIES } from "./policy.ts"

const LARGEST = 112_500_000
const HERE = ["localhost"]
const GET = { method: "GET", headers: {}, maxBytes: LARGEST, timeoutMs: 10_000 } as const

let peer: Awaited<ReturnType<typeof startHttpsPeer>>
let outbound: Outbound
let lastSocket: Socket
const held: Socket[] = []
const silent = createServer((socket) => held.push(socket))

beforeAll(async () => {
  peer = await startHttpsPeer((request, response) => {
    lastSocket = request.socket
    behave(request, response)
  })
  outbound = createOutbound({
    allowedHosts: { download: HERE, callback: HERE, keys: HERE },
    caFile: peer.caFile,
  })
  await new Promise<void>((resolve) => silent.listen(0, "localhost", resolve))
})
afterAll(async () => {
  await peer.close()
  for (const socket of held) socket.destroy()
  await new Promise((resolve) => silent.close(resolve))
})

describe("a peer that misbehaves", () => {
  const SHORT = { ...GET, timeoutMs: 600, pauseMs: 200 }
  it.each<[string, string, OutboundFailure]>([
    ["accepts and says nothing, not even TLS", "silent", "timeout"],
    ["never answers", "/never", "timeout"],
    ["sends headers without end, one at a time", "/slow-headers", "timeout"],
    ["sends headers without end, as fast as it can", "/huge-headers", "connection"],
    ["says 100 Continue for ever", "/continues", "timeout"],
    ["stops after the headers", "/stops?0", "timeout"],
    ["stops in the middle", "/stops?5", "timeout"],
    ["sends one byte at a time for ever", "/drips", "timeout"],
    ["announces too much", `/sized?${LARGEST + 1}`, "too-large"],
    ["announces more than a number can hold", "/announces?99999999999999999999", "connection"],
    ["announces a length that is none", "/announces?-5", "connection"],
    ["announces two lengths", "/two-lengths", "connection"],
    ["announces a length and chunks", "/length-and-chunks", "connection"],
    ["is cut before the length it announced", "/cut-length", "connection"],
    ["is cut before its last chunk", "/cut-chunked", "connection"],
    ["is cut within a chunk", "/cut-chunk", "connection"],
    ["vanishes within its body", "/vanishes", "connection"],
    ["does not say where its answer ends", "/until-close", "unsupported-answer"],
    ["does not say where its encoded answer ends", "/until-close-encoded", "unsupported-answer"],
    ["switches to another protocol", "/switches", "connection"],
    ["speaks no HTTP", "/no-http", "connection"],
    ["closes without a word", "/closes", "connection"],
  ])("that %s is left in time", async (_, path, code) => {
    const url = path === "silent" ? `https://localhost:${portOf(silent)}/` : at(path)
    const asked = outbound.request("download", url, code === "timeout" ? SHORT : GET)
    await expect(inTime(asked)).rejects.toMatchObject({ code })
  })

  it("is left at the pause even where the whole would have time", async () => {
    const asked = outbound.request("download", at("/stops?5"), { ...GET, pauseMs: 100 })
    await expect(inTime(asked)).rejects.toMatchObject({ code: "timeout" })
  })

  it("is left at the time for headers even where the whole would have time", async () => {
    const asked = outbound.request("keys", at("/slow-headers"), { ...GET, timeoutMs: 60_000 })
    const left = inTime(asked, POLICIES.keys.headersWithinMs + 2000)
    await expect(left).rejects.toMatchObject({ code: "timeout" })
  })

  it("is left as well by a resolver that never answers", async () => {
    const waiting = createOutbound({ allowedHosts: { download: HERE }, lookup: () => undefined })
    await expect(
      waiting.request("download", at("/sized?1"), { ...GET, timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: "timeout" })
  })

  it("is left as well by a proxy that never answers", async () => {
    const proxied = createOutbound({ allowedHosts: {}, proxyUrl: `http://localhost:${portOf(silent)}` })
    await expect(
      proxied.request("download", "https://peer.example/", { ...GET, timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: "timeout" })
  })

  it("has told a callback's status before, so that counts", async () => {
    for (const path of [`/sized?${LARGEST + 1}`, "/cut-length", "/until-close"])
      expect(await postCallback(outbound, at(path))).toEqual({ status: 200 })
  })
})

describe("a body", () => {
  it("of the largest size passes, and one byte more is refused, announced or not", async () => {
    for (const path of ["/sized", "/chunked"]) {
      const { bytes } = await fetchFile(outbound, at(`${path}?1000`), { maxBytes: 1000 })
      expect(await sizeOf(bytes)).toBe(1000)
    }
    await expect(fetchFile(outbound, at("/sized?1001"), { maxBytes: 1000 })).rejects.toMatchObject({
      code: "too-large",
    })
    for (const size of [1001, LARGEST]) {
      const { bytes } = await fetchFile(outbound, at(`/chunked?${size}`), { maxBytes: 1000 })
      await expect(sizeOf(bytes)).rejects.toMatchObject({ code: "too-large" })
      await closed()
    }
  })

  it("that is empty is a body", async () => {
    const { contentType, bytes } = await fetchFile(outbound, at("/sized?0"), { maxBytes: 0 })
    expect([contentType, await sizeOf(bytes)]).toEqual(["", 0])
  })

  it("keeps its connection no longer than its reader: left, failed, closed unread, or cancelled while waiting", async () => {
    for await (const _ of (await outbound.open("download", at(`/chunked?${LARGEST}`), GET)).body) break
    await closed()

    const reading = (async () => {
      for await (const _ of (await outbound.open("download", at(`/sized?${LARGEST}`), GET)).body)
        throw new Error("The reader failed.")
    })()
    await expect(reading).rejects.toThrow("The reader failed.")
    await closed()

    const unread = await outbound.open("download", at(`/sized?${LARGEST}`), GET)
    unread.close()
    await closed()
    await expect(sizeOf(unread.body)).rejects.toMatchObject({ code: "connection" })

    const returned = (await outbound.open("download", at("/stops?5"), GET)).body[Symbol.asyncIterator]()
    expect(await returned.return?.()).toEqual({ done: true, value: undefined })
    await closed()

    const waiting = (await outbound.open("download", at("/stops?0"), GET)).body[Symbol.asyncIterator]()
    const piece = waiting.next().catch((error) => error.code)
    await waiting.return?.()
    expect(await piece).toBe("connection")
    await closed()

    const stream = Readable.from((await outbound.open("download", at(`/sized?${LARGEST}`), GET)).body)
    await once(stream, "readable")
    stream.destroy()
    await closed()
  })

  it("[R14] that a status or an encoding makes useless is not fetched", async () => {
    for (const path of ["/missing", "/encoded?gzip", "/encoded?br, identity", "/partial", "/no-content"]) {
      await expect(fetchFile(outbound, at(path), { maxBytes: LARGEST })).rejects.toThrow()
      await closed()
    }
    expect(await sizeOf((await fetchFile(outbound, at("/encoded?identity"), { maxBytes: 9 })).bytes)).toBe(4)
  })

  it("whose reader never comes is dropped when its time is over", async () => {
    const { body } = await outbound.open("download", at(`/sized?${LARGEST}`), { ...GET, timeoutMs: 300 })
    await closed()
    await expect(sizeOf(body)).rejects.toMatchObject({ code: "timeout" })
  })

  it("waits for a slow reader: the sender is held back, and the pause is not the reader's", async () => {
    const { body } = await outbound.open("download", at(`/sized?${LARGEST}`), { ...GET, pauseMs: 1000 })
    const reader = body[Symbol.asyncIterator]()
    await reader.next()
    let sent = -1
    while (sent !== lastSocket.bytesWritten) {
      sent = lastSocket.bytesWritten
      await setTimeout(600)
    }
    // What is on its way is in the buffers of two sockets.
    expect(sent).toBeLessThan(LARGEST / 4)
    let size = 0
    for (let piece = await reader.next(); !piece.done; piece = await reader.next()) size += piece.value.length
    expect(size).toBeGreaterThan(LARGEST / 2)
  })

  it("of 112.5 MB is not held: the reading process grows by less, and has a few pieces at a time", async () => {
    const child = fileURLToPath(new URL("../testing/download-child.ts", import.meta.url))
    const read = async (size: number, how: "taken" | "held" | "kept") => {
      const args = [child, at(`/sized?${size}`), peer.caFile, String(size), how]
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout)
    }
    const { size, most } = await read(LARGEST, "taken")
    expect(size).toBe(LARGEST)
    // Most of it is garbage, which Node collects when there are some tens of megabytes, whatever the size of the file.
    expect(most).toBeLessThan(0.8 * LARGEST)
    expect((await read(LARGEST / 4, "held")).most).toBeLessThan(1_000_000)
    expect((await read(LARGEST / 4, "kept")).most).toBeGreaterThan(0.2 * LARGEST)
  })
})

/** By a timer, as the product's own: where the machine stood still, both are due, and the earlier one comes first. */
function inTime<T>(asked: Promise<T>, ms = 2000): Promise<T | "too late"> {
  return Promise.race([asked, setTimeout(ms, "too late" as const, { ref: false })])
}

async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const piece of bytes) size += piece.length
  return size
}

/** Until the peer has seen the end of the last connection. */
async function closed(): Promise<void> {
  if (!lastSocket.destroyed) await new Promise((resolve) => lastSocket.once("close", resolve))
}

function at(path: string): string {
  return `https://localhost:${peer.port}${path}`
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port
}

function behave(request: IncomingMessage, response: ServerResponse) {
  const [path = "", query = ""] = decodeURIComponent(request.url ?? "").split("?")
  const raw = RAW[path]
  if (raw !== undefined) return raw(request.socket, query)
  if (path === "/sized") response.setHeader("content-length", query)
  if (path === "/sized" || path === "/chunked") return pour(response, Number(query))
  if (path === "/encoded") response.setHeader("content-encoding", query)
  if (path === "/encoded") return response.end("four")
  if (path === "/never") return undefined
  const status = { "/missing": 404, "/partial": 206, "/no-content": 204 }[path] ?? 500
  response.writeHead(status, status === 204 ? {} : { "content-length": LARGEST })
  return status === 204 ? response.end() : response.write("x")
}

const OK = "HTTP/1.1 200 OK\r\n"

/** Answers that no good server gives, byte for byte. */
const RAW: Record<string, (socket: Socket, query: string) => void> = {
  "/slow-headers": (socket) => repeat(socket, 20, () => "X-More: x\r\n", OK),
  "/huge-headers": (socket) => repeat(socket, 0, () => `X-More: ${"x".repeat(4000)}\r\n`, OK),
  "/continues": (socket) => repeat(socket, 20, () => "HTTP/1.1 100 Continue\r\n\r\n", ""),
  "/stops": (socket, sent) => socket.write(`${OK}Content-Length: 100\r\n\r\n${"x".repeat(Number(sent))}`),
  "/drips": (socket) => repeat(socket, 20, () => "1\r\nx\r\n", `${OK}Transfer-Encoding: chunked\r\n\r\n`),
  "/announces": (socket, length) => socket.write(`${OK}Content-Length: ${length}\r\n\r\nxxxxx`),
  "/two-lengths": (socket) => socket.write(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`),
  "/length-and-chunks": (socket) =>
    socket.write(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`),
  "/cut-length": (socket) => socket.end(`${OK}Content-Length: 50\r\n\r\n${"x".repeat(49)}`),
  "/cut-chunked": (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n`),
  "/cut-chunk": (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nxxx`),
  "/vanishes": (socket) => socket.write(`${OK}Content-Length: 50\r\n\r\nxxxxx`, () => socket.destroy()),
  "/until-close": (socket) => socket.end(`${OK}Content-Type: application/pdf\r\n\r\n%PDF-1.7`),
  "/until-close-encoded": (socket) => socket.end(`${OK}Transfer-Encoding: gzip\r\n\r\nxxxxx`),
  "/switches": (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nxxx"),
  "/no-http": (socket) => socket.end("220 mail.example ESMTP\r\n"),
  "/closes": (socket) => socket.end(),
}

function repeat(socket: Socket, everyMs: number, piece: () => string, first: string) {
  socket.write(first)
  const timer = setInterval(() => socket.write(piece()), everyMs)
  socket.on("error", () => undefined).once("close", () => clearInterval(timer))
}

function pour(response: ServerResponse, size: number) {
  const most = Buffer.alloc(65_536, "x")
  let left = size
  const more = () => {
    while (left > 0 && !response.destroyed) {
      const piece = most.subarray(0, left)
      left -= piece.length
      if (!response.write(piece)) return
    }
    if (left === 0) response.end()
  }
  response.on("drain", more)
  more()
}
