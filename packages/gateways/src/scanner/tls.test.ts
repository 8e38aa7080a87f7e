import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer, type Server, type TLSSocket } from "node:tls"
import { parseEnv } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { TENANT } from "../testing/tenant.ts"
import { createScanner } from "./scanner.ts"
import { PLANTED } from "./testing/own-clamd.ts"
import { document, pieces } from "./testing/sources.ts"

const stack = inject("stackDir")
const clamd = new URL(parseEnv(readFileSync(join(stack, "env"), "utf8")).SCANNER_URL ?? "")
const ofStack = (name: string): Buffer => readFileSync(join(stack, "tls", name))
const folder = mkdtempSync(join(tmpdir(), "paraph-scanner-tls-"))

/** A terminator as an operator puts one in front of clamd. It asks clients for a certificate and shows one of the stack's own CA. */
async function terminate(options: { readonly asks: boolean }): Promise<Server> {
  const server = createServer(
    {
      cert: ofStack("server.pem"),
      key: ofStack("server.key"),
      ca: ofStack("ca.pem"),
      requestCert: options.asks,
      rejectUnauthorized: options.asks,
    },
    (socket: TLSSocket) => {
      const inside = connect(Number(clamd.port), clamd.hostname)
      for (const each of [socket, inside]) each.on("error", () => undefined)
      socket.pipe(inside).pipe(socket)
    },
  )
  server.on("tlsClientError", () => undefined)
  await once(server.listen(0, "localhost"), "listening")
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

function clientCertificate() {
  const [key, cert] = [join(folder, "client.key"), join(folder, "client.pem")]
  const own = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=paraph"]
  const issuer = ["-CA", join(stack, "tls/ca.pem"), "-CAkey", join(stack, "tls/ca.key"), "-days", "2"]
  execFileSync("openssl", ["req", "-x509", ...own, ...issuer, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

describe("[12.3.1] [12.3.3] clamd behind a proxy that speaks TLS", () => {
  let server: Server
  beforeAll(async () => {
    server = await terminate({ asks: false })
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const scannerAt = (host: string, tls: object, port = portOf(server)) =>
    createScanner({ address: `tls://${host}:${port}`, tls, connectMs: 3_000 })

  it("scans documents, finds what is planted in them and is asked for its health", async () => {
    const scanner = scannerAt("localhost", { ca: ofStack("ca.pem") })
    expect(await scanner.scan(TENANT, document(3_000_000), 3_000_000)).toEqual({ clean: true })
    const planted = { text: PLANTED, at: 2_000_000 }
    expect(await scanner.scan(TENANT, document(3_000_000, planted), 3_000_000)).toMatchObject({
      clean: false,
    })
    expect((await scanner.health()).engine).toContain("ClamAV")
  })

  it("is down where nobody vouches for the certificate, it is of another name, or the other side speaks no TLS", async () => {
    const unknown = scannerAt("localhost", {})
    const otherName = scannerAt("localhost.localdomain", { ca: ofStack("ca.pem") })
    const plain = scannerAt(clamd.hostname, { ca: ofStack("ca.pem") }, Number(clamd.port))
    for (const each of [unknown, otherName, plain])
      await expect(each.scan(TENANT, pieces("text"), 4)).rejects.toMatchObject({
        name: "ScannerFailed",
        code: "down",
      })
  })

  it("shows a certificate to a proxy that asks for one, and is down without one", async () => {
    const asking = await terminate({ asks: true })
    const ca = ofStack("ca.pem")
    const known = scannerAt("localhost", { ca, ...clientCertificate() }, portOf(asking))
    expect(await known.scan(TENANT, pieces("text"), 4)).toEqual({ clean: true })
    await expect(
      scannerAt("localhost", { ca }, portOf(asking)).scan(TENANT, pieces("text"), 4),
    ).rejects.toMatchObject({
      code: "down",
    })
    asking.close()
  })
})
