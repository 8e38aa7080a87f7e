import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer as createProxy } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"
import type { TLSSocket } from "node:tls"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postCallback, readRetryAfter } from "../callback/post-callback.ts"
import { fetchFile } from "../fetch-file/fetch-file.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { createOutbound, type Outbound } from "./outbound.ts"

const HERE = ["localhost"]
const NAMED = { download: HERE, callback: HERE, revocation: HERE, timestamp: HERE, keys: HERE }

let peer: Awaited<ReturnType<typeof startHttpsPeer>>
let outbound: Outbound
const seen: { request: IncomingMessage; body: string; certificate: string | undefined }[] = []

beforeAll(async () => {
  peer = await startHttpsPeer(async (request, response) => {
    let body = ""
    for await (const piece of request) body += piece
    const shown = (request.socket as TLSSocket).getPeerCertificate()
    seen.push({ request, body, certificate: shown.subject?.CN as string | undefined })
    behave(request.url ?? "/", response)
  })
  outbound = createOutbound({ allowedHosts: NAMED, caFile: peer.caFile })
})
afterAll(() => peer.close())

describe("a callback", () => {
  it("is HTTP POST, text/plain, without a body", async () => {
    expect(await postCallback(outbound, at("/ok?a=1"))).toEqual({ status: 200 })
    const { request, body } = last()
    expect([request.method, request.url, body]).toEqual(["POST", "/ok?a=1", ""])
    expect(request.headers).toMatchObject({
      "content-type": "text/plain",
      "content-length": "0",
      "user-agent": "Paraph",
    })
    expect(request.headers["transfer-encoding"]).toBeUndefined()
  })

  it("[R14] follows no redirect", async () => {
    const before = peer.connections()
    expect(await postCallback(outbound, at("/redirect/1"))).toEqual({ status: 302 })
    expect(peer.connections() - before).toBe(1)
  })

  it("tells the status and how long to wait", async () => {
    expect(await postCallback(outbound, at("/busy"))).toEqual({ status: 429, retryAfterSeconds: 120 })
    expect(readRetryAfter("Wed, 21 Oct 2026 07:28:30 GMT", "Wed, 21 Oct 2026 07:28:00 GMT")).toBe(30)
    expect(readRetryAfter("soon", undefined)).toBeUndefined()
  })

  it("takes the status of an answer that never ends", async () => {
    expect(await postCallback(outbound, at("/endless"))).toEqual({ status: 200 })
  })

  it("shows the client certificate, which a download does not", async () => {
    const { caFile, clientCertificate } = peer
    const certified = createOutbound({ allowedHosts: NAMED, caFile, clientCertificate })
    await postCallback(certified, at("/ok"))
    expect(last().certificate).toBe("client")
    await fetchFile(certified, at("/file"), { maxBytes: 100 })
    expect(last().certificate).toBeUndefined()
  })
})

describe("a download", () => {
  it("takes the type from the header and the bytes as they are", async () => {
    const { contentType, bytes } = await fetchFile(outbound, at("/file"), { maxBytes: 100 })
    expect([contentType, (await whole(bytes)).toString()]).toEqual(["application/pdf", "%PDF-1.7"])
  })

  it("[R14] follows three redirects and not a fourth", async () => {
    const { bytes } = await fetchFile(outbound, at("/redirect/3"), { maxBytes: 100 })
    expect((await whole(bytes)).length).toBe(8)
    await expect(fetchFile(outbound, at("/redirect/4"), { maxBytes: 100 })).rejects.toMatchObject({
      code: "too-many-redirects",
    })
  })

  it("checks the address again at each redirect", async () => {
    const before = peer.connections()
    for (const target of [
      "https://127.0.0.1",
      "https://[::1]",
      "https://2130706433",
      "https://sub.localhost",
    ])
      await expect(
        fetchFile(outbound, at(`/to?${target}:${peer.port}/file`), { maxBytes: 100 }),
      ).rejects.toThrow()
    await expect(
      fetchFile(outbound, at(`/to?https://169.254.169.254/latest`), { maxBytes: 100 }),
    ).rejects.toMatchObject({ code: "refused-address" })
    await expect(
      fetchFile(outbound, at(`/to?http://localhost:${peer.port}/`), { maxBytes: 100 }),
    ).rejects.toMatchObject({ code: "unsupported-url" })
    const get = { method: "GET", headers: {}, maxBytes: 100, timeoutMs: 5000 } as const
    await expect(
      outbound.request("revocation", at(`/to?http://localhost:${peer.port}/`), get),
    ).rejects.toMatchObject({ code: "unsupported-url" })
    expect(peer.connections() - before).toBe(7)
  })

  it("tells its headers to the first server and to no other", async () => {
    const named = { download: ["localhost", "127.0.0.1"] }
    const both = createOutbound({ allowedHosts: named, caFile: peer.caFile })
    const get = { method: "GET", headers: { "x-token": "secret" }, maxBytes: 100, timeoutMs: 5000 } as const
    await both.request("download", at("/redirect/1"), get)
    expect([last().request.url, last().request.headers["x-token"]]).toEqual(["/file", "secret"])
    await both.request("download", at(`/to?https://127.0.0.1:${peer.port}/file`), get)
    expect([last().request.url, last().request.headers["x-token"]]).toEqual(["/file", undefined])
  })

  it("refuses what is larger than allowed, announced at once, not announced while it comes", async () => {
    await expect(fetchFile(outbound, at("/announced"), { maxBytes: 1000 })).rejects.toMatchObject({
      code: "too-large",
    })
    const { bytes } = await fetchFile(outbound, at("/endless"), { maxBytes: 1000 })
    await expect(whole(bytes)).rejects.toMatchObject({ code: "too-large" })
  })

  it("refuses an encoded body, because it is not the file", async () => {
    await expect(fetchFile(outbound, at("/gzip"), { maxBytes: 1000 })).rejects.toMatchObject({
      code: "unsupported-answer",
    })
  })

  it("tells a status other than 200, and no connection, apart", async () => {
    await expect(fetchFile(outbound, at("/missing"), { maxBytes: 9 })).rejects.toMatchObject({
      code: "status",
    })
    const { bytes } = await fetchFile(outbound, at("/cut"), { maxBytes: 99 })
    await expect(whole(bytes)).rejects.toMatchObject({ code: "connection" })
  })
})

describe("the client", () => {
  it("ends a request at its time limit", async () => {
    const get = { method: "GET", headers: {}, maxBytes: 100, timeoutMs: 200 } as const
    for (const path of ["/silent", "/drip"])
      await expect(outbound.request("download", at(path), get)).rejects.toMatchObject({ code: "timeout" })
  })

  it("trusts the operator's authority and no unknown one, and checks the name", async () => {
    const trusting = createOutbound({
      allowedHosts: { callback: ["localhost", "127.0.0.2"] },
      caFile: peer.caFile,
    })
    await expect(postCallback(trusting, `https://127.0.0.2:${peer.port}/ok`)).rejects.toMatchObject({
      code: "tls",
    })
    const strict = createOutbound({ allowedHosts: NAMED })
    await expect(postCallback(strict, at("/ok"))).rejects.toMatchObject({ code: "tls" })
  })

  it("goes through a proxy by CONNECT, with TLS to the target", async () => {
    const asked: string[] = []
    const proxy = createProxy((request, response) => {
      asked.push(`${request.url} ${request.headers.host}`)
      response.end("a CRL")
    })
    const tunnels: Duplex[] = []
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"]}`)
      const onward = connect(peer.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        onward.pipe(socket).pipe(onward)
      })
      tunnels.push(socket, onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const proxyUrl = `http://me:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const { caFile, clientCertificate } = peer
    const proxied = createOutbound({ allowedHosts: {}, caFile, proxyUrl, clientCertificate })

    expect(await postCallback(proxied, "https://peer.example/ok")).toEqual({ status: 200 })
    expect(last().certificate).toBe("client")
    await expect(postCallback(proxied, "https://other.example/ok")).rejects.toMatchObject({ code: "tls" })
    // The certificate of the peer names the address of the proxy, which is not the address asked for.
    await expect(postCallback(proxied, "https://8.8.8.8/ok")).rejects.toMatchObject({ code: "tls" })
    const basic = `Basic ${Buffer.from("me:secret").toString("base64")}`
    const get = { method: "GET", headers: {}, maxBytes: 100, timeoutMs: 5000 } as const
    expect((await proxied.request("revocation", "http://ca.example/x.crl?a#b", get)).status).toBe(200)
    expect(asked.pop()).toBe("http://ca.example/x.crl?a ca.example")
    expect(asked).toEqual([`peer.example:443 ${basic}`, `other.example:443 ${basic}`, `8.8.8.8:443 ${basic}`])
    for (const tunnel of tunnels) tunnel.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  })
})

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

function at(path: string): string {
  return `https://localhost:${peer.port}${path}`
}

function last() {
  const newest = seen.at(-1)
  if (newest === undefined) throw new Error("The peer saw no request.")
  return newest
}

function behave(url: string, response: ServerResponse) {
  const [path = "", query = ""] = url.split("?")
  const redirects = Number(/^\/redirect\/(\d)$/.exec(path)?.[1] ?? 0)
  if (redirects > 0)
    return response.writeHead(302, { location: redirects > 1 ? `/redirect/${redirects - 1}` : "/file" }).end()
  if (path === "/to") return response.writeHead(302, { location: query }).end()
  if (path === "/busy") return response.writeHead(429, { "retry-after": "120" }).end()
  if (path === "/file")
    return response.writeHead(200, { "content-type": "application/PDF; charset=x" }).end("%PDF-1.7")
  if (path === "/announced") return response.writeHead(200, { "content-length": "1000000" }).write("x")
  if (path === "/endless") return pour(response)
  if (path === "/gzip")
    return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000)))
  if (path === "/missing") return response.writeHead(404).end()
  if (path === "/cut")
    return response.writeHead(200, { "content-length": "50" }).write("x", () => response.destroy())
  if (path === "/drip") return response.writeHead(200).write("x")
  if (path === "/silent") return response
  return response.writeHead(200).end()
}

function pour(response: ServerResponse) {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(16_384)));
  }
  response.on("drain", more)
  more()
}
