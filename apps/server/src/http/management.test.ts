import Fastify from "fastify"
import { describe, expect, it } from "vitest"
import { createCpuUse } from "../telemetry/cpu-use.ts"
import { createMetrics } from "../telemetry/metrics.ts"
import { createManagement, health, type Readiness } from "./management.ts"

const up = async () => undefined
const down = async () => {
  throw new Error("connection to 10.1.2.3 refused")
}

describe("health", () => {
  it("of a process whose parts work is UP", async () => {
    const answer = await ask({ database: up, documents: up }, "/management/health")
    expect(answer).toEqual({ status: 200, body: { status: "UP", groups: ["liveness", "readiness"] } })
  })

  it("of a process with a part that is down is DOWN, and says no more to outsiders", async () => {
    for (const url of ["/management/health", "/management/health/readiness"]) {
      const answer = await ask({ database: down, documents: up }, url)
      expect(answer.status).toBe(503)
      expect(answer.body).toMatchObject({ status: "DOWN" })
      expect(JSON.stringify(answer.body)).not.toMatch(/database|10\.1\.2\.3/)
    }
  })

  it("keeps liveness apart: a process is not restarted because a part is down", async () => {
    const answer = await ask({ database: down }, "/management/health/liveness")
    expect(answer).toEqual({ status: 200, body: { status: "UP" } })
  })
})

describe("the management port", () => {
  const queues = async () =>
    [{ task: "sign-document", mode: "demo", ready: 3, active: 1, oldestReadySeconds: 4.5 }] as const

  it("names the part that is down, and not why", async () => {
    const server = createManagement(
      { database: down, documents: up },
      createMetrics(queues, createCpuUse(60)),
    )
    const answer = await server.inject("/management/health/parts")
    expect(answer.json()).toEqual({ database: "DOWN", documents: "UP" })
    await server.close()
  })

  it("tells also of parts that the process can do without for a while", async () => {
    const server = createManagement({ database: up }, createMetrics(queues, createCpuUse(60)), {
      scanner: down,
    })
    const told = (await server.inject("/management/health/parts")).json()
    expect(told).toEqual({ database: "UP", scanner: "DOWN" })
    expect((await server.inject("/management/health/readiness")).statusCode).toBe(200)
    await server.close()
  })

  it("measures requests, jobs and queues for Prometheus", async () => {
    const metrics = createMetrics(queues, createCpuUse(60))
    metrics.request({ method: "GET", route: "/v2/documents/:id", status: 200 }, 0.01)
    metrics.job({ task: "sign-document", outcome: "failed" }, 0.2)
    const server = createManagement({}, metrics)
    const { body, headers } = await server.inject("/metrics")
    expect(headers["content-type"]).toContain("text/plain")
    const lines = body.split("\n")
    expect(lines).toContain('paraph_queue_ready{task="sign-document",mode="demo"} 3')
    expect(lines).toContain('paraph_queue_oldest_ready_seconds{task="sign-document",mode="demo"} 4.5')
    expect(lines).toContain(
      'paraph_http_request_seconds_count{method="GET",route="/v2/documents/:id",status="200"} 1',
    )
    expect(lines).toContain('paraph_job_seconds_count{task="sign-document",outcome="failed"} 1')
    await server.close()
  })

  it("[B6] tells which protections of PDF processes are active", async () => {
    const lines = (
      await createMetrics(queues, createCpuUse(60), { landlock: true, uid: false }).text()
    ).split("\n")
    expect(lines).toContain('paraph_pdf_sandbox{protection="landlock"} 1')
    expect(lines).toContain('paraph_pdf_sandbox{protection="uid"} 0')
  })
})

async function ask(readiness: Readiness, url: string) {
  const server = Fastify()
  health(server, readiness)
  const answer = await server.inject(url)
  await server.close()
  return { status: answer.statusCode, body: answer.json() }
}
