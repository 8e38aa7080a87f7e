import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeSofthsmToken } from "@paraph/gateways/testing/softhsm-token"
import { readCertificate } from "@paraph/pki/certificate"
import { readCrl } from "@paraph/pki/crl"
import { ocspRequest } from "@paraph/pki/ocsp"
import { readOcspResponse } from "@paraph/pki/ocsp-response"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000

describe("the built-in authority, as the world sees it", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-pki-"))
  // Of its own: authorities leave keys behind, and the token of the stack is everybody's.
  const token = makeSofthsmToken()
  let service: Service
  beforeAll(async () => {
    const { tokenLabel, pinFile, env } = token.settings
    const place = { PKCS11_DEMO_TOKEN: tokenLabel, PKCS11_DEMO_PIN_FILE: pinFile }
    const other = { PKCS11_PRODUCTION_TOKEN: tokenLabel, PKCS11_PRODUCTION_PIN_FILE: pinFile }
    service = await startService({ env: { ...env, ...place, ...other }, authorities: false })
    await service.paraph(
      "ca",
      "init",
      "--kind",
      "demo",
      "--organization",
      "Acme Zürich AG",
      "--country",
      "CH",
    )
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await service?.close()
    token.remove()
  })

  const get = (path: string, init: RequestInit = {}) => fetch(`${service.url}/pki/${path}`, init)
  const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())
  const ask = (body: Uint8Array, type = "application/ocsp-request") =>
    get("demo/ocsp", { method: "POST", headers: { "content-type": type }, body: Buffer.from(body) })
  const newest = async (role: string) => {
    const row = `from authority where kind = 'demo' and role = '${role}' order by generation desc limit 1`
    return Buffer.from(await service.sql(`select encode(certificate, 'hex') ${row}`), "hex")
  }
  const questionAbout = async (serialNumber?: bigint) => {
    const certificate = readCertificate(await newest("service"))
    const issuer = readCertificate(await newest("issuing"))
    const about = serialNumber === undefined ? certificate : { ...certificate, serialNumber }
    return ocspRequest({ certificate: about, issuer, nonce: Buffer.alloc(16, 7) })
  }
  const pem = (name: string, der: Uint8Array) => {
    const file = join(folder, `${name}.pem`)
    const lines =
      Buffer.from(der)
        .toString("base64")
        .match(/.{1,64}/g) ?? []
    writeFileSync(file, `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`)
    return file
  }

  it("is listed, and is on record in the audit log with whoever made it", async () => {
    const { authorities } = (await service.paraph("ca", "list")) as unknown as {
      authorities: { name: string }[]
    }
    expect(authorities.map(({ name }) => name)).toEqual([
      "issuing-1",
      "report-1",
      "responder-1",
      "root-1",
      "service-1",
    ])
    expect(await service.sql("select act, shell_user is not null from audit_log where act like 'ca %'")).toBe(
      "ca init|t",
    )
    await expect(service.paraph("ca", "init", "--kind", "demo", "--organization", "Acme")).rejects.toThrow(
      "already",
    )
  })

  it("shows its certificates and lists at the addresses that its certificates name", async () => {
    const issuer = await get("demo/issuing-1.cer")
    expect(issuer.headers.get("content-type")).toBe("application/pkix-cert")
    expect(await bytesOf(issuer)).toEqual(new Uint8Array(await newest("issuing")))
    const list = await get("demo/issuing-1.crl")
    expect(list.headers.get("content-type")).toBe("application/pkix-crl")
    expect(list.headers.get("cache-control")).toMatch(
      /^public, max-age=8\d{4}, no-transform, must-revalidate$/,
    )
    const { subject } = readCertificate(await newest("issuing"))
    expect(Buffer.compare(readCrl(await bytesOf(list)).issuer, subject)).toBe(0)
    for (const path of [
      ...["demo/issuing-2.cer", "demo/responder-1.cer", "demo/issuing-1.pem", "demo/issuing-1.cer.cer"],
      ...[
        "production/issuing-1.cer",
        "demonic/issuing-1.cer",
        "demo/..%2f..%2fissuing-1.cer",
        "demo/issuing-01.cer",
      ],
    ])
      expect((await get(path)).status, path).toBe(404)
  })

  it("answers openssl, which believes it, by POST and by GET", async () => {
    const [root, issuing, subject] = [await newest("root"), await newest("issuing"), await newest("service")]
    const asked = [
      "-issuer",
      pem("issuing", issuing),
      "-cert",
      pem("service", subject),
      "-CAfile",
      pem("root", root),
    ]
    const { text } = await openssl("ocsp", "-url", `${service.url}/pki/demo/ocsp`, "-no_nonce", ...asked)
    expect(text).toContain("Response verify OK")
    expect(text).toContain("service.pem: good")
    const question = Buffer.from(await questionAbout()).toString("base64")
    const kept = await get(`demo/ocsp/${encodeURIComponent(question)}`)
    expect(kept.headers.get("content-type")).toBe("application/ocsp-response")
    expect(kept.headers.get("cache-control")).toMatch(
      /^max-age=3\d{5}, public, no-transform, must-revalidate$/,
    )
    expect(new Date(kept.headers.get("expires") ?? 0).getTime()).toBeGreaterThan(Date.now())
    expect(kept.headers.get("etag")).toMatch(/^"[0-9a-f]{32}"$/)
    const bare = await get(`demo/ocsp/${question}`)
    expect(await bytesOf(bare)).toEqual(await bytesOf(kept))
    const posted = await ask(await questionAbout())
    expect(posted.headers.get("cache-control")).toBe("no-store")
  })

  it("says nothing of what it never issued, nor to what is no question, and needs no key for that", async () => {
    const errors: [string, Promise<Response>, string][] = [
      ["an unknown serial", ask(await questionAbout(4711n)), "unauthorized"],
      ["a serial of another size", ask(await questionAbout(1n << 150n)), "unauthorized"],
      ["garbage", ask(Buffer.from("GET me an answer")), "malformedRequest"],
      ["nothing", ask(Buffer.alloc(0)), "malformedRequest"],
      ["garbage in the address", get("demo/ocsp/%00%ff"), "malformedRequest"],
      ["what is no base64", get("demo/ocsp/***"), "malformedRequest"],
      ["a very long address", get(`demo/ocsp/${"A".repeat(9000)}`), "malformedRequest"],
    ]
    for (const [what, asked, error] of errors) {
      const answer = await asked
      if (answer.status !== 200) expect(answer.status, what).toBe(400)
      else {
        expect(readOcspResponse(await bytesOf(answer)), what).toMatchObject({ status: error })
        expect(answer.headers.get("cache-control"), what).toBe("no-store")
      }
    }
    expect((await ask(Buffer.alloc(5000))).status).toBe(413)
    expect((await ask(Buffer.alloc(10), "text/plain")).status).toBe(415)
  })

  it("is reached by plain http where everything else is not", async () => {
    const port = await freePort()
    const env = { PUBLIC_URL: "https://sign.example.org", TRUSTED_PROXIES: "10.1.2.3", PORT: String(port) }
    const api = await service.startApi(env)
    const at = (path: string) => fetch(`http://localhost:${port}${path}`)
    expect((await at("/pki/demo/issuing-1.cer")).status).toBe(200)
    expect((await at("/pki/demo/nothing")).status).toBe(404)
    expect((await at("/.well-known/jwks.json")).status).toBe(403)
    await api.kill()
  })

  it("revokes by the serial that a certificate shows, and says so at once", async () => {
    const { serialNumber } = readCertificate(await newest("service"))
    const question = await questionAbout()
    const serial = serialNumber.toString(16)
    const told = await service.paraph(
      "ca",
      "revoke",
      "--kind",
      "demo",
      "--serial",
      serial,
      "--reason",
      "keyCompromise",
    )
    expect(told).toMatchObject({ revoked: serial, reason: "keyCompromise" })
    const response = readOcspResponse(await bytesOf(await ask(question)))
    expect(response).toMatchObject({ basic: { responses: [{ certStatus: { status: "revoked" } }, {}] } })
    const list = readCrl(await bytesOf(await get("demo/issuing-1.crl")))
    expect(list.entryCount).toBe(1)
    await expect(service.paraph("ca", "revoke", "--kind", "demo", "--serial", serial)).rejects.toThrow(
      "revoked before",
    )
    await expect(service.paraph("ca", "revoke", "--kind", "demo", "--serial", "abc")).rejects.toThrow(
      "No certificate",
    )
    // A successor was made in the same breath.
    expect(readCertificate(await newest("service")).serialNumber).not.toBe(serialNumber)
  })

  it("has its next generation made by a worker when years have passed, and is asked about as before", async () => {
    service.moveClock(5.5 * 365 * DAY_MS)
    await until("a second issuing authority", async () => (await get("demo/issuing-2.crl")).status === 200)
    await until("a certificate of the service by it", async () => {
      const issuer = readCertificate(await newest("issuing"))
      return Buffer.compare(readCertificate(await newest("service")).issuer, issuer.subject) === 0
    })
    expect(readOcspResponse(await bytesOf(await ask(await questionAbout())))).toMatchObject({
      status: "successful",
    })
    expect(
      await service.sql("select count(*) > 0 from audit_log where act = 'ca roll' and shell_user = 'worker'"),
    ).toBe("t")
  })

  it("signs and answers as before when the clock was wrong, and is put back", async () => {
    const saidAt = async () => readCrl(await bytesOf(await get("demo/issuing-1.crl"))).thisUpdate.getTime()
    await until("a list of the future", async () => (await saidAt()) > Date.now() + 365 * DAY_MS)
    service.moveClock(0)
    const content = contractPdf().toString("base64")
    const uploaded = await service.caller.post("/v2/documents", { title: "Contract", content })
    const { id, signer } = await sendForSignature(service, uploaded.body.id)
    expect((await signBy(service, id, signer)).signatures).toMatchObject([{ waiting_for: null }])
    await until("a list of today", async () => (await saidAt()) <= Date.now())
    const answeredAt = async () => {
      const answer = readOcspResponse(await bytesOf(await ask(await questionAbout())))
      return answer.status === "successful" && answer.basic.producedAt.getTime() <= Date.now()
    }
    await until("an answer of today", answeredAt)
  })
})

function openssl(...args: readonly string[]): Promise<{ readonly text: string }> {
  return new Promise((resolve) => {
    execFile("openssl", [...args], (_, stdout, stderr) => resolve({ text: stdout + stderr }))
  })
}
