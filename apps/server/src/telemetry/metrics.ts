import type { QueueState } from "@paraph/store/jobs/queue-states"
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import type { CpuUse } from "./cpu-use.ts"

export type Metrics = {
  readonly text: () => Promise<string>
  readonly contentType: string
  readonly request: (labels: { method: string; route: string; status: number }, seconds: number) => void
  readonly job: (labels: { task: string; outcome: "done" | "failed" }, seconds: number) => void
}

/** What an operator watches from the first day; `queues` is asked at each scrape. `protections` of PDF processes do not change. */
export function createMetrics(
  queues: () => Promise<readonly (Omit<QueueState, "task"> & { readonly task: string })[]>,
  cpuUse: CpuUse,
  protections: Readonly<Record<string, boolean>> = {},
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: "paraph_http_request_seconds",
    help: "Time to answer, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15],
    registers,
  })
  const jobs = new Histogram({
    name: "paraph_job_seconds",
    help: "Time of one attempt at a job, by task and outcome.",
    labelNames: ["task", "outcome"],
    buckets: [0.02, 0.1, 0.5, 1, 2, 5, 15, 60],
    registers,
  })
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["task", "mode"], registers })
  const ready = gauge("paraph_queue_ready", "Jobs that wait for a worker.")
  const active = gauge("paraph_queue_active", "Jobs being worked on.")
  const oldest = gauge(
    "paraph_queue_oldest_ready_seconds",
    "Age of the oldest job that is ready; 0 when none is.",
  )
  const cpu = cpuMetrics(registers, cpuUse)
  const sandbox = new Gauge({
    name: "paraph_pdf_sandbox",
    help: "1 where a protection of PDF and picture processes is active, else 0.",
    labelNames: ["protection"],
    registers,
  })
  for (const [protection, active] of Object.entries(protections)) sandbox.set({ protection }, Number(active))
  return {
    text: async () => {
      cpu.scrape()
      for (const { task, mode, ...state } of await queues()) {
        ready.set({ task, mode }, state.ready)
        active.set({ task, mode }, state.active)
        oldest.set({ task, mode }, state.oldestReadySeconds)
      }
      return registry.metrics()
    },
    contentType: registry.contentType,
    request: (labels, seconds) => requests.observe(labels, seconds),
    job: (labels, seconds) => jobs.observe(labels, seconds),
  }
}

/** By mode and kind of work; and of the businesses with the most, so that the number of label values is bounded. */
function cpuMetrics(registers: Registry[], { onUse, top }: CpuUse) {
  const seconds = new Counter({
    name: "paraph_business_work_cpu_seconds_total",
    help: "CPU seconds of PDF processes, and seconds of malware scans, by mode and kind of work.",
    labelNames: ["mode", "work"],
    registers,
  })
  const highest = new Gauge({
    name: "paraph_business_cpu_budget_spent_seconds",
    help: "CPU seconds that a business has spent and time has not paid off yet: the ten with the most.",
    labelNames: ["mode", "business"],
    registers,
  })
  onUse(({ kind }, work, ms) => seconds.inc({ mode: kind, work }, ms / 1000))
  return {
    scrape: () => {
      highest.reset()
      for (const { kind, businessId, spentMs } of top())
        highest.set({ mode: kind, business: businessId }, spentMs / 1000)
    },
  }
}
