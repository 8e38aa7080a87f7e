import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, get, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "node:tls"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { Metrics } from "../telemetry/metrics.ts"
import { createManagement } from "./management.ts"
import { readTls, reloadTls } from "./tls.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-tls-"))
const files = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") }

function issue(name: string): void {
  const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2"]
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost"]
  const to = ["-keyout", files.key, "-out", files.certificate]
  execFileSync("openssl", ["req", "-x509", ...options, ...names, ...to], { stdio: "ignore" })
}

/** Whose certificate is shown to a client that trusts it. */
async function shown(server: Server): Promise<string> {
  const { port } = server.address() as AddressInfo
  const ca = readFileSync(files.certificate)
  const socket = connect({ port, host: "localhost", servername: "localhost", ca, rejectUnauthorized: false })
  await once(socket, "secureConnect")
  const name = String(socket.getPeerCertificate().subject.CN)
  socket.destroy()
  return name
}

beforeAll(() => issue("one"))
afterAll(() => rmSync(folder, { recursive: true }))

it("[12.3.3] new connections get a renewed certificate without a restart, and one that does not fit its key is left aside", async () => {
  const server = createServer(readTls(files), (_, response) => response.end("hello"))
  await once(server.listen(0, "localhost"), "listening")
  const unusable: unknown[] = []
  const stop = reloadTls(
    server,
    files,
    { onReloaded: () => {}, onUnusable: (error) => void unusable.push(error) },
    20,
  )
  expect(await shown(server)).toBe("one")
  const key = readFileSync(files.key)
  issue("two")
  await vi.waitUntil(async () => (await shown(server)) === "two")
  writeFileSync(files.key, key)
  await vi.waitUntil(() => unusable.length > 0)
  expect(await shown(server)).toBe("two")
  stop()
  server.close()
})

it("[12.3.3] health and metrics speak TLS, and do not answer in plain", async () => {
  issue("management")
  const metrics = { text: async () => "" } as unknown as Metrics
  const management = createManagement({}, metrics, {}, async () => null, readTls(files))
  await management.listen({ host: "localhost", port: 0 })
  const { port } = management.server.address() as AddressInfo
  const ca = readFileSync(files.certificate)
  const asking = get({ host: "localhost", port, path: "/management/health/liveness", ca })
  const [answer] = await once(asking, "response")
  expect(answer.statusCode).toBe(200)
  answer.resume()
  await expect(fetch(`http://localhost:${port}/management/health/liveness`)).rejects.toThrow()
  await management.close()
})
