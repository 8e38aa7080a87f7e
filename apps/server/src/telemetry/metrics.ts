import type { QueueState } from "@paraph/store/jobs/jobs"
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

export type Metrics = {
  readonly text: () => Promise<string>
  readonly contentType: string
  readonly request: (labels: { method: string; route: string; status: number }, seconds: number) => void
  readonly job: (labels: { task: string; outcome: "done" | "failed" }, seconds: number) => void
}

/** What an operator watches from the first day; `queues` is asked at each scrape. `protections` of PDF processes do not change. */
export function createMetrics(
  queues: () => Promise<readonly (Omit<QueueState, "task"> & { readonly task: string })[]>,
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
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ["task"], registers })
  const ready = gauge("paraph_queue_ready", "Jobs that wait for a worker.")
  const active = gauge("paraph_queue_active", "Jobs being worked on.")
  const oldest = gauge(
    "paraph_queue_oldest_ready_seconds",
    "Age of the oldest job that is ready; 0 when none is.",
  )
  const sandbox = new Gauge({
    name: "paraph_pdf_sandbox",
    help: "1 where a protection of PDF and picture processes is active, else 0.",
    labelNames: ["protection"],
    registers,
  })
  for (const [protection, active] of Object.entries(protections)) sandbox.set({ protection }, Number(active))
  return {
    text: async () => {
      for (const { task, ...state } of await queues()) {
        ready.set({ task }, state.ready)
        active.set({ task }, state.active)
        oldest.set({ task }, state.oldestReadySeconds)
      }
      return registry.metrics()
    },
    contentType: registry.contentType,
    request: (labels, seconds) => requests.observe(labels, seconds),
    job: (labels, seconds) => jobs.observe(labels, seconds),
  }
}
