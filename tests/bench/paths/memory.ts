// What an api process holds while many create and read. Nothing stands beside it but the promise.
import { readFileSync } from "node:fs"
import { uploadTo } from "../../service/requests.ts"
import type { Bench } from "../harness/bench.ts"
import { closedLoop, openCaller } from "../harness/drive.ts"
import { atMost, type Figure } from "../harness/figure.ts"

const AT_ONCE = 32
const PROMISED_MB = 250

export const memory = (bench: Bench, { calls }: { calls: number }): Promise<Figure> =>
  bench.withService({ worker: false }, async (service) => {
    const document = await uploadTo(service.caller, "v2")
    const signatures = [{ account_email: "a@example.org" }, { account_email: "b@example.org" }]
    const body = JSON.stringify({ title: "Contract", document_id: document, signatures })
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const caller = openCaller(service.url, AT_ONCE)
    await closedLoop(calls, AT_ONCE, async () => {
      const made = await caller.ask({ method: "POST", path: "/v2/signature-requests", headers, body })
      const { id } = JSON.parse(made.toString()) as { readonly id: string }
      await caller.ask({ method: "GET", path: `/v2/signature-requests/${id}`, headers })
      await caller.ask({ method: "GET", path: "/v2/signature-requests", headers })
    })
    caller.close()
    const status = readFileSync(`/proc/${service.api.pid}/status`, "utf8")
    return atMost(1, {
      path: "memory of an api process under load",
      unit: "MB at most, resident",
      ours: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000,
      bare: PROMISED_MB,
      beside: "what was set out",
    })
  })
