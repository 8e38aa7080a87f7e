import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { type Child, childrenOf } from "../service/children.ts"
import { scanMemory } from "../service/memory.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const keys = { current: randomBytes(32), earlier: randomBytes(32) }

/** The forms in which a program would hold a key. */
const NEEDLES = Object.fromEntries(
  Object.entries(keys).flatMap(([name, key]) => {
    const hex = key.toString("hex")
    return [
      [`${name} raw`, key],
      [`${name} hex`, Buffer.from(hex)],
      [`${name} hex in UTF-16`, Buffer.from(hex, "utf16le")],
    ]
  }),
)

const isKeyProcess = ({ command }: Child): boolean => command.includes("key-encryption/key-process/child.ts")
const keyProcessOf = ({ pid }: ServerProcess): Child | undefined => childrenOf(pid).find(isKeyProcess)

describe("the operator's key in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-operators-key-"))
  let service: Service
  beforeAll(async () => {
    const fileOf = (name: keyof typeof keys) => {
      const file = join(folder, name)
      writeFileSync(file, `${keys[name].toString("hex")}\n`, { mode: 0o600 })
      return file
    }
    service = await startService({
      env: { KEK_FILE: fileOf("current"), KEK_EARLIER_FILE: fileOf("earlier") },
      validation: true,
    })
  })
  afterAll(async () => {
    await service?.close()
    rmSync(folder, { recursive: true })
  })

  const upload = (caller = service.caller) =>
    caller.post("/v2/documents", { title: "Contract", content: contractPdf().toString("base64") })
  /** Wraps a key and unwraps it, with every key of the ring. */
  const readiness = async ({ log }: ServerProcess): Promise<number> => {
    const port = /"managementPort":(\d+)/.exec(log())?.[1]
    return (await fetch(`http://127.0.0.1:${port}/management/health/readiness`)).status
  }
  const newCaller = async (username: string) => {
    const { business = "" } = await service.paraph("admin", "create-business", "--name", username)
    await service.paraph("admin", "create-user", "--business", business, "--username", username)
    const key = await service.paraph("admin", "create-key", "--user", username, "--kind", "demo")
    return createApi(service.url, username, key["api-key"] ?? "")
  }

  it("[B6] the api's memory does not hold the operator's key, nor does the worker's or a PDF process's", async () => {
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await upload(await newCaller(`memory-${nth}`))).status).toBe(200)
      for (const each of [service.api, service.worker]) expect(await readiness(each)).toBe(200)
    }
    const servers = [service.api, service.worker]
    const others = servers.flatMap(({ pid }) => childrenOf(pid).filter((child) => !isKeyProcess(child)))
    expect(others.filter(({ command }) => command.includes("--permission")).length).toBeGreaterThan(0)
    const scans = [...servers, ...others].map(({ pid }) => scanMemory(pid, NEEDLES))
    expect(scans.flatMap(({ found }) => found)).toEqual([])
    expect(scans[0]?.bytes).toBeGreaterThan(50_000_000)

    // The control: where a key is, it is found.
    for (const each of servers) {
      const { found } = scanMemory(keyProcessOf(each)?.pid ?? 0, NEEDLES)
      expect(found).toEqual(expect.arrayContaining(["current raw", "earlier raw"]))
    }
  })

  it("[B6] no environment and no command line holds it, and the key process has no environment at all", () => {
    for (const server of [service.api, service.worker]) {
      const all = [{ pid: server.pid }, ...childrenOf(server.pid)]
      for (const { pid } of all)
        for (const name of ["environ", "cmdline"])
          for (const needle of Object.values(NEEDLES))
            expect(readFileSync(`/proc/${pid}/${name}`).includes(needle)).toBe(false)
      expect(readFileSync(`/proc/${keyProcessOf(server)?.pid}/environ`, "utf8")).toBe("")
    }
  })

  it("[B6] a key process that hangs is a 503, and the next one is started by itself", async () => {
    const caller = await newCaller("hanging")
    const before = keyProcessOf(service.api)?.pid ?? 0
    process.kill(before, "SIGSTOP")
    const answer = await upload(caller)
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"])
    await until("another key process is there", () => {
      const now = keyProcessOf(service.api)?.pid
      return now !== undefined && now !== before
    })
    await until("the api is ready", async () => (await readiness(service.api)) === 200)
    expect((await upload(caller)).status).toBe(200)
  })

  it("[B6] ends with its server", async () => {
    const extra = await service.startApi({ PORT: "0" })
    const keyProcess = keyProcessOf(extra)?.pid ?? 0
    expect(keyProcess).toBeGreaterThan(0)
    await extra.kill()
    await until("the key process is gone", () => !isRunning(keyProcess))
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
