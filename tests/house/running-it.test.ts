import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { templateOf } from "../../scripts/stack/template.ts"
import { call } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort, sharedStack } from "../service/settings.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { until } from "../service/until.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")

describe("running it", () => {
  let service: Service
  const spans: string[] = []
  const collector = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    spans.push(`${request.url} ${Buffer.concat(pieces).toString()}`)
    response.writeHead(200).end("{}")
  })

  beforeAll(async () => {
    await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done))
    const { port } = collector.address() as AddressInfo
    service = await startService({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: "1" },
    })
  })
  afterAll(async () => {
    await service?.close()
    collector.close()
  })

  const managed = (process: ServerProcess, path: string) =>
    call(`http://127.0.0.1:${/"managementPort":(\d+)/.exec(process.log())?.[1]}`, "GET", path, undefined, {})
  const doctor = (env: Record<string, string>) =>
    new Promise<{ code: number; out: string }>((done) => {
      const options = { env: { PATH: process.env.PATH, ...service.env, ...env } }
      execFile(process.execPath, [PARAPH, "doctor"], options, (error, out) =>
        done({ code: Number(error?.code ?? 0), out }),
      )
    })

  it("tells liveness from readiness, on a port of its own and, without detail, on the public one", async () => {
    for (const path of ["", "/liveness", "/readiness"])
      expect((await managed(service.api, `/management/health${path}`)).body.status).toBe("UP")
    const open = await call(service.url, "GET", "/management/health", undefined, {})
    expect(open.body).toEqual({ status: "UP", groups: ["liveness", "readiness"] })
    expect((await call(service.url, "GET", "/metrics", undefined, {})).status).toBe(404)
    const parts = async () => (await managed(service.worker, "/management/health/parts")).body
    // The first look starts the processes of both tokens; on a busy machine that is longer than a look waits.
    await until("every part has answered", async () => !Object.values(await parts()).includes("DOWN"))
    expect(await parts()).toEqual({
      database: "UP",
      documents: "UP",
      "operator key": "UP",
      scanner: "UP",
      "production keys": "UP",
      "demo keys": "UP",
    })
  })

  it("is alive but not ready while the bucket is away", async () => {
    const lonely = await service.startWorker({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` })
    expect((await managed(lonely, "/management/health/liveness")).status).toBe(200)
    expect((await managed(lonely, "/management/health/readiness")).status).toBe(503)
    await lonely.kill()
  })

  it("counts requests by route, jobs by task, and the age of the oldest job that waits", async () => {
    const signer = `metrics-${Date.now()}@example.org`
    await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: signer }],
    })
    await linkMailedTo(signer)
    const ofApi = (await managed(service.api, "/metrics")).bytes.toString()
    expect(ofApi).toMatch(
      /paraph_http_request_seconds_count\{method="POST",route="\/v2\/signature-requests",status="200"\} 1/,
    )
    const jobDone = /paraph_job_seconds_count\{task="invite-signer",outcome="done"\} 1/
    await until("the job is counted", async () =>
      jobDone.test((await managed(service.worker, "/metrics")).bytes.toString()),
    )
    expect(ofApi).toMatch(/paraph_queue_oldest_ready_seconds\{task="sign-document",mode="production"\} 0/)
    expect(ofApi).toContain("nodejs_eventloop_lag_p99_seconds")
  })

  it("sends traces of requests and jobs to the collector, by route and without a token", async () => {
    const sent = () => spans.join("\n")
    await until(
      "both kinds of spans come",
      () => sent().includes("/v2/signature-requests") && sent().includes("invite-signer"),
    )
    expect(spans.every((span) => span.startsWith("/v1/traces "))).toBe(true)
    expect(sent()).not.toContain(service.caller.token)
  })

  it("stops when it is asked to, after what is under way has ended", async () => {
    const port = await freePort()
    const api = await service.startApi({ PORT: String(port) })
    const content = contractPdf().toString("base64")
    const url = `http://localhost:${port}`
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const answers = Array.from({ length: 4 }, () =>
      call(url, "POST", "/v2/documents", { title: "C", content }, headers),
    )
    await Promise.race(answers)
    const [code, ...done] = await Promise.all([api.stop(), ...answers])
    expect(code).toBe(0)
    expect(done.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await (await service.startWorker()).stop()).toBe(0)
  })

  it("believes nobody's X-Forwarded-For unless the proxy is trusted", async () => {
    const limited = await service.startApi({ PORT: String(await freePort()), LOGINS_PER_ADDRESS: "3" })
    const port = /"port":(\d+)/.exec(limited.log())?.[1]
    const statuses = []
    for (let i = 0; i < 5; i += 1) {
      const credentials = { username: `forwarded-${i}`, "api-key": "wrong" }
      const headers = { "x-forwarded-for": `198.51.100.${i}` }
      statuses.push(
        (await call(`http://localhost:${port}`, "POST", "/v2/access/login", credentials, headers)).status,
      )
    }
    expect(statuses.slice(-2)).toEqual([429, 429])
    await limited.kill()
  })

  it("has a doctor who finds every part well", async () => {
    const { code, out } = await doctor({})
    expect(code).toBe(0)
    expect(out).toMatch(/^All parts work\.$/m)
  })

  it("has a doctor who says which part is not, and goes on to the others", async () => {
    const { rootFiles } = templateOf(sharedStack().dir)
    const { code, out } = await doctor({
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      DEMO_CERTIFICATE_FILE: rootFiles.demo,
      SERVICE_KEY_LABEL: await service.sql(
        "select key_label from authority where kind = 'demo' and role = 'service'",
      ),
    })
    expect(code).toBe(1)
    expect(out).toMatch(/^WRONG mail/m)
    expect(out).toMatch(/^WRONG keys .*another key/m)
    expect(out).toMatch(/^ok {4}database .*row-level security holds each business to its rows/m)
    expect(out).toMatch(/^2 of 16 parts do not work\.$/m)
  })

  it("[R31] has a doctor who sees that nobody confirms what the address promises", async () => {
    const one = service.env.DATABASE_URL ?? ""
    const [, host = ""] = /@([^/]+)\//.exec(one) ?? []
    const { code, out } = await doctor({ DATABASE_URL: one.replace(host, `${host},${host}`) })
    expect(code).toBe(1)
    expect(out).toMatch(/^WRONG standby .*synchronous_standby_names/m)
    expect(out).toMatch(/^1 of 16 parts do not work\.$/m)
  })

  it("has a doctor who says what is missing for a time-stamp, and what an api is not given", async () => {
    const { rootFiles } = templateOf(sharedStack().dir)
    const { code, out } = await doctor({ TRUST_ANCHORS_FILE: rootFiles.demo })
    expect(code).toBe(1)
    expect(out).toMatch(/^WRONG time-stamps .*TRUST_ANCHORS_FILE/m)
    const ofApi = await doctor({ ROLES: "api", SMTP_URL: "", TIMESTAMP_URLS: "" })
    expect(ofApi.code).toBe(0)
    for (const part of ["mail", "keys", "time-stamps"])
      expect(ofApi.out).toMatch(new RegExp(`^ok +${part} +not looked at`, "m"))
  })

  it("has a doctor who asks each provider of qualified signatures whether it is there", async () => {
    const { rootFiles } = templateOf(sharedStack().dir)
    const folder = mkdtempSync(join(tmpdir(), "paraph-doctor-"))
    writeFileSync(join(folder, "secret"), "a secret")
    const row = {
      ...{ name: "away", baseUrl: `http://127.0.0.1:${await freePort()}/csc/v2`, clientId: "paraph" },
      ...{ clientSecretFile: "secret", legislation: "EIDAS", kind: "demo", anchorsFile: rootFiles.demo },
    }
    const file = join(folder, "providers.json")
    writeFileSync(file, JSON.stringify([row]))
    const { code, out } = await doctor({ QES_PROVIDERS_FILE: file, QES_ALLOWED_HOSTS: "127.0.0.1" })
    rmSync(folder, { recursive: true })
    expect(code).toBe(1)
    expect(out).toMatch(/^WRONG qualified signatures +away: /m)
  })

  it("looks at the keys of each kind by itself: demo signs while the token of production is away", async () => {
    await service.worker.kill()
    const away = { PKCS11_PRODUCTION_TOKEN: "nobody has plugged this in" }
    const lonely = await service.startWorker(away)
    const keysOf = async (worker: ServerProcess) => {
      const { body } = await managed(worker, "/management/health/parts")
      return `${body["production keys"]} ${body["demo keys"]}`
    }
    await until("demo alone", async () => (await keysOf(lonely)) === "DOWN UP")
    expect((await managed(lonely, "/management/health/readiness")).status).toBe(503)
    const content = contractPdf().toString("base64")
    const uploaded = await service.caller.post("/v2/documents", { title: "Contract", content })
    const { id, signer } = await sendForSignature(service, uploaded.body.id)
    await signBy(service, id, signer)
    await lonely.kill()
    // And a demo token that is away is no reason to take the worker out.
    const other = await service.startWorker({ PKCS11_DEMO_TOKEN: "nobody has plugged this in" })
    await until("production alone", async () => (await keysOf(other)) === "UP DOWN")
    const isReady = async () => (await managed(other, "/management/health/readiness")).status === 200
    await until("it is ready", isReady)
    await other.kill()
  }, 300_000)
})
