import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** For tests only: a real https server on every local address, with a certificate authority made by openssl. */
export async function startHttpsPeer(listener: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), "paraph-peer-"))
  const files = makeCertificates(folder)
  const server = createServer(
    {
      cert: readFileSync(files.certFile),
      key: readFileSync(files.keyFile),
      ca: readFileSync(files.caFile),
      requestCert: true,
      rejectUnauthorized: false,
    },
    listener,
  )
  let connections = 0
  server.on("connection", () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen({ host: "::", port: 0, ipv6Only: false }, resolve))
  return {
    ...files,
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

function makeCertificates(folder: string) {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Peer CA",
    "-days",
    "2",
  )
  const issue = (name: string, extensions: string) => {
    writeFileSync(join(folder, `${name}.ext`), extensions)
    openssl("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`)
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"]
    openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-extfile", `${name}.ext`, "-out", `${name}.pem`)
  }
  issue("server", "subjectAltName=DNS:localhost,DNS:peer.example,IP:127.0.0.1,IP:::1\n")
  issue("client", "extendedKeyUsage=clientAuth\n")
  return {
    caFile: join(folder, "ca.pem"),
    certFile: join(folder, "server.pem"),
    keyFile: join(folder, "server.key"),
    clientCertificate: { certFile: join(folder, "client.pem"), keyFile: join(folder, "client.key") },
  }
}
