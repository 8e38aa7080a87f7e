// Certificates of somebody else's authority by EST: GlobalSign's server (Go) issues, our token holds the key, PostgreSQL the record.

import { spawn } from "node:child_process"
import { randomUUID, X509Certificate } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { CertificateOrder } from "@paraph/gateways/issuing-ca/built-in"
import { createEstAuthority, readAnchors } from "@paraph/gateways/issuing-ca/est"
import { createOutbound, type Outbound } from "@paraph/gateways/outbound"
import { readCertificate } from "@paraph/pki/certificate"
import { createCertificateRequests } from "@paraph/store/postgres/certificate-requests"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"
import { type Office, openOffice, openssl, openToken, type Token, writePem } from "./authority-world.ts"

const PROGRAM = resolve(import.meta.dirname, "../../.tools/bin/estserver")
const title = existsSync(PROGRAM)
  ? "an authority that speaks EST"
  : "an authority that speaks EST (skipped: .tools/bin/estserver has not been built)"

describe.skipIf(!existsSync(PROGRAM))(title, { timeout: 300_000 }, () => {
  let token: Token
  let office: Office
  let server: Est
  beforeAll(async () => {
    token = await openToken()
    server = await startEst(token.folder)
  })
  afterAll(async () => {
    await server.close()
    await token.close()
  })
  beforeEach(async () => {
    office = await openOffice(token)
    return () => office.database.close()
  })

  const authority = (more: { label?: string; url?: string; anchor?: string } = {}) => {
    const { label = null, url = server.url, anchor = server.root } = more
    return createEstAuthority({
      records: createCertificateRequests(office.database.db),
      keys: () => token.keys,
      anchors: readAnchors([new X509Certificate(readFileSync(anchor)).raw]),
      server: { outbound: server.outbound, url, label, login: { username: "paraph", password: "pässword" } },
    })
  }
  const orderOf = (more: Partial<CertificateOrder> = {}) => office.order(more, new Date())
  const called = (commonName: string) => {
    const order = orderOf()
    return { ...order, subject: { ...order.subject, commonName } }
  }
  const calls = () => readFileSync(server.log, "utf8").split("/simpleenroll").length - 1

  it("issues for a key in the token, and OpenSSL verifies the chain that we keep", async () => {
    const order = orderOf()
    const { certificate, chain } = await authority()(order, new Date())
    expect(readCertificate(certificate).subjectName).toBe(order.subject.commonName)
    expect(Buffer.compare(readCertificate(certificate).publicKeySpki, order.publicKeySpki)).toBe(0)
    const [issuing = certificate, root = certificate] = chain
    expect(chain).toHaveLength(2)
    const trusted = [
      "-CAfile",
      writePem(token, "est-root", root),
      "-untrusted",
      writePem(token, "est-issuing", issuing),
    ]
    expect(await openssl("verify", ...trusted, writePem(token, "est-signer", certificate))).toMatchObject({
      ok: true,
    })
  })

  it("is asked once for one order, whoever asks, and how often", async () => {
    const order = orderOf()
    const before = calls()
    const asked = () =>
      authority({ label: "people" })(order, new Date()).catch((error: { code: string }) => error.code)
    const [one, other] = await Promise.all([asked(), asked()])
    const done = [one, other].filter((answer) => typeof answer !== "string")
    expect(
      [one, other].filter((answer) => typeof answer === "string").every((code) => code === "pending"),
    ).toBe(true)
    expect(done.length).toBeGreaterThan(0)
    expect(await asked()).toEqual(done[0])
    expect(calls() - before).toBe(1)
    const meanwhile = { ...order, subject: { ...order.subject, surname: "Meier" } }
    await expect(authority()(meanwhile, new Date())).rejects.toMatchObject({ code: "another-order" })
  })

  it("is waited for as long as it wants, and asked the same again", async () => {
    const order = called("Trigger Error Deferred")
    const [now, before] = [new Date(), calls()]
    const slow = authority({ label: "triggererrors" })
    const waiting = { code: "pending", retryAfterSeconds: 600 }
    await expect(slow(order, now)).rejects.toMatchObject(waiting)
    await expect(slow(order, new Date(now.getTime() + 300_000))).rejects.toMatchObject({
      code: "pending",
      retryAfterSeconds: 300,
    })
    expect(calls() - before).toBe(1)
    const { rows: first } = await office.database.pool.query("select request from certificate_request")
    await expect(slow(order, new Date(now.getTime() + 601_000))).rejects.toMatchObject(waiting)
    expect(calls() - before).toBe(2)
    const { rows: second } = await office.database.pool.query("select request from certificate_request")
    expect(second).toEqual(first)
    // The same authority under another label is in a hurry.
    const { certificate } = await authority()(order, new Date(now.getTime() + 1_300_000))
    expect(readCertificate(certificate).subjectName).toBe("Trigger Error Deferred")
  })

  it("may say no, or be out of order, or not be there; only the last two are worth another try", async () => {
    const failing = authority({ label: "triggererrors" })
    await expect(failing(called("Trigger Error Forbidden"), new Date())).rejects.toMatchObject({
      code: "refused",
    })
    const order = called("Trigger Error Unknown")
    await expect(failing(order, new Date())).rejects.toMatchObject({ code: "unreachable" })
    const gone = authority({ url: `https://localhost:${await freePort()}` })
    await expect(gone(order, new Date())).rejects.toMatchObject({ code: "unreachable" })
    await expect(authority()(order, new Date())).resolves.toMatchObject({ chain: { length: 2 } })
  })

  it("is not believed where its certificates lead to no anchor of ours, and nothing of it is kept", async () => {
    const stranger = await makeRoot(token.folder, "stranger")
    const order = orderOf()
    await expect(authority({ anchor: stranger.certificate })(order, new Date())).rejects.toMatchObject({
      code: "wrong-answer",
      message: expect.stringContaining("anchors"),
    })
    const { rows } = await office.database.pool.query("select certificate from certificate_request")
    expect(rows).toEqual([{ certificate: null }])
  })
})

type Est = {
  readonly url: string
  readonly root: string
  readonly log: string
  readonly outbound: Outbound
  readonly close: () => Promise<void>
}

/** With an issuing authority under a root, and TLS by the same root. */
async function startEst(folder: string): Promise<Est> {
  const port = await freePort()
  const root = await makeRoot(folder, "est-root-ca")
  const issuing = await makeUnder(
    folder,
    root,
    "est-issuing-ca",
    "basicConstraints=critical,CA:TRUE\nsubjectKeyIdentifier=hash\nkeyUsage=keyCertSign,cRLSign",
  )
  const tls = await makeUnder(folder, root, "localhost", "subjectAltName=DNS:localhost,IP:127.0.0.1")
  const chain = join(folder, "est-chain.pem")
  writeFileSync(chain, readFileSync(issuing.certificate, "utf8") + readFileSync(root.certificate, "utf8"))
  const log = join(folder, "est.log")
  const config = {
    mock_ca: { certificates: chain, private_key: issuing.key },
    tls: {
      listen_address: `localhost:${port}`,
      certificates: tls.certificate,
      private_key: tls.key,
      client_cas: [root.certificate],
    },
    allowed_hosts: ["localhost", `localhost:${port}`],
    healthcheck_password: randomUUID(),
    rate_limit: 10_000,
    timeout: 30,
    log_file: log,
  }
  const file = join(folder, "est.json")
  writeFileSync(file, JSON.stringify(config))
  const child = spawn(PROGRAM, ["-config", file], { stdio: "ignore" })
  const direct = createOutbound({
    allowedHosts: { certificates: ["localhost"] },
    caFile: root.certificate,
    clientCertificate: { certFile: tls.certificate, keyFile: tls.key },
  })
  // Its label for errors makes one of this question too, which is asked first.
  const outbound: Outbound = {
    ...direct,
    request: (purpose, url, message) =>
      direct.request(purpose, url.replace("/triggererrors/cacerts", "/cacerts"), message),
  }
  const message = { method: "GET", headers: {}, maxBytes: 65_536, timeoutMs: 5_000 } as const
  const isUp = () =>
    outbound.request("certificates", `https://localhost:${port}/.well-known/est/cacerts`, message).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until("the EST server answers", isUp)
  return {
    url: `https://localhost:${port}`,
    root: root.certificate,
    log,
    outbound,
    close: async () => {
      const gone = new Promise((done) => child.once("exit", done))
      child.kill()
      await gone
    },
  }
}

type Made = { readonly key: string; readonly certificate: string }

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

async function makeRoot(folder: string, name: string): Promise<Made> {
  const made = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) }
  const out = ["-keyout", made.key, "-out", made.certificate, "-days", "3650", "-subj", `/CN=${name}`]
  expect(await openssl("req", "-x509", ...NEW_KEY, ...out)).toMatchObject({ ok: true })
  return made
}

async function makeUnder(folder: string, root: Made, name: string, extensions: string): Promise<Made> {
  const made = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) }
  const [request, file] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)]
  writeFileSync(file, extensions)
  await openssl("req", "-new", ...NEW_KEY, "-keyout", made.key, "-out", request, "-subj", `/CN=${name}`)
  const by = ["-CA", root.certificate, "-CAkey", root.key, "-days", "300", "-extfile", file]
  expect(await openssl("x509", "-req", "-in", request, ...by, "-out", made.certificate)).toMatchObject({
    ok: true,
  })
  return made
}
