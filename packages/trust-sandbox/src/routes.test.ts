import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { readCertificate } from "@paraph/pki/certificate"
import { checkOcsp } from "@paraph/pki/check-ocsp"
import { ocspRequest } from "@paraph/pki/ocsp"
import { readOcspResponse } from "@paraph/pki/ocsp-response"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTrustSandbox, type TrustSandbox } from "./sandbox.ts"
import { issueTo } from "./testing/relying-party.ts"

let sandbox: TrustSandbox
beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
})
afterAll(() => sandbox.close())

describe("the addresses of the sandbox", () => {
  it("serve the certificates of both authorities, and fresh lists", async () => {
    for (const name of ["root", "issuing"] as const) {
      expect(await got(`/${name}.crt`)).toEqual(["application/pkix-cert", sandbox[name]])
      expect((await got(`/crl/${name}.crl`))[0]).toBe("application/pkix-crl")
    }
  })

  it("stand in the certificates that are issued", async () => {
    const text = Buffer.from(await issueTo(sandbox, "Ada")).toString("latin1")
    for (const path of ["/ocsp/issuing", "/issuing.crt", "/crl/issuing.crl"])
      expect(text).toContain(`${sandbox.url}${path}`)
    const publicKeySpki = readCertificate(sandbox.root).publicKeySpki
    const without = await sandbox.issue({ commonName: "Ada", publicKeySpki, revocation: "none" })
    expect(Buffer.from(without).toString("latin1")).not.toMatch(/ocsp|crl/)
  })

  it("take an OCSP request in the path too, with percent signs or with bare slashes", async () => {
    const certificate = readCertificate(await issueTo(sandbox, "Ada"))
    const issuer = readCertificate(sandbox.issuing)
    const nonce = new Uint8Array(32).fill(0xfb)
    const base64 = Buffer.from(ocspRequest({ certificate, issuer, nonce })).toString("base64")
    expect(base64).toMatch(/\+\//)
    for (const path of [encodeURIComponent(base64), base64]) {
      const [type, body] = await got(`/ocsp/issuing/${path}`)
      expect(type).toBe("application/ocsp-response")
      const verdict = checkOcsp(readOcspResponse(body), { certificate, issuer, at: new Date(), nonce })
      expect(verdict).toMatchObject({ status: "good" })
    }
  })

  it("answer what is no request with the refusal of their protocol", async () => {
    const noise = new Uint8Array(100).fill(7)
    const ocsp = await sent("/ocsp/issuing", "application/ocsp-request", noise)
    expect(readOcspResponse(new Uint8Array(await ocsp.arrayBuffer()))).toEqual({ status: "malformedRequest" })
    const tsa = await sent("/tsa", "application/timestamp-query", noise)
    expect([tsa.status, tsa.headers.get("content-type")]).toEqual([200, "application/timestamp-reply"])
  })

  it("refuse other methods, other content types, other paths and large bodies", async () => {
    const small = new Uint8Array(10)
    expect((await fetch(`${sandbox.url}/tsa`)).status).toBe(405)
    expect((await sent("/issuing.crt", "", small)).status).toBe(405)
    expect((await sent("/tsa", "text/plain", small)).status).toBe(415)
    expect((await sent("/ocsp/root", "application/timestamp-query", small)).status).toBe(415)
    for (const path of ["/", "/crl/other.crl", "/tsa/", "/ocsp/rootx", "/root.crt.bak"])
      expect((await fetch(`${sandbox.url}${path}`)).status).toBe(404)
    expect((await fetch(`${sandbox.url}/ocsp/root/%E0%A4%A`)).status).toBe(400)
    const large = new Uint8Array(65_537)
    expect((await sent("/tsa", "application/timestamp-query", large)).status).toBe(413)
  })

  it("are on the loopback address and on no other", async () => {
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && !one.internal && one.family === "IPv4")
    for (const other of others)
      expect(await opens(other?.address ?? "", new URL(sandbox.url).port)).toBe(false)
    expect(await opens("127.0.0.1", new URL(sandbox.url).port)).toBe(true)
  })
})

async function got(path: string): Promise<[string | null, Uint8Array]> {
  const response = await fetch(`${sandbox.url}${path}`)
  expect(response.status).toBe(200)
  return [response.headers.get("content-type"), new Uint8Array(await response.arrayBuffer())]
}

function sent(path: string, contentType: string, body: Uint8Array): Promise<Response> {
  const headers = contentType === "" ? {} : { "content-type": contentType }
  return fetch(`${sandbox.url}${path}`, { method: "POST", headers, body: Buffer.from(body) })
}

function opens(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), host)
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })
}
