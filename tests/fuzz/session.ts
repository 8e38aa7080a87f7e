// Runs one target in a thread of its own with limits on time and memory, and makes a finding of whatever ends it.

import { Worker } from "node:worker_threads"
import type { Order, Report } from "./worker.ts"

/** A reader that takes this long for one input has not been slow: it hangs. */
const HANG_MS = 10_000
const HEAP_MB = 512
const MAX_INPUT_BYTES = 1_048_576

export type Session = Omit<Order, "state" | "current"> & { readonly hangMs?: number }

export async function fuzz({ hangMs = HANG_MS, ...session }: Session): Promise<Report> {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const current = new Uint8Array(new SharedArrayBuffer(MAX_INPUT_BYTES))
  const workerData: Order = { ...session, state, current }
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // Not those of a test runner.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  const ended = (kind: "hang" | "crash", detail: string): Report => {
    const input = new Uint8Array(current.subarray(0, state[1] ?? 0))
    const key = `${kind} ${detail.slice(0, 100)}`
    const runs = Math.ceil((state[0] ?? 0) / 2)
    const { target, seed } = session
    return { target, seed, runs, accepted: 0, ways: 0, findings: [{ kind, key, detail, input }] }
  }
  try {
    return await new Promise<Report>((resolve) => {
      worker.once("message", (report: Report) => resolve(report))
      worker.once("error", (error: Error) => resolve(ended("crash", `${error.name}: ${error.message}`)))
      worker.once("exit", (code) => resolve(ended("crash", `the thread ended with ${code}`)))
      watchdog(worker, state, hangMs, () => resolve(ended("hang", `longer than ${hangMs} ms`)))
    })
  } finally {
    await worker.terminate()
  }
}

// An odd count means that an input is being read.
function watchdog(worker: Worker, state: Int32Array, hangMs: number, bark: () => void): void {
  let seen = -1
  let since = performance.now()
  const timer = setInterval(() => {
    const count = Atomics.load(state, 0)
    if (count !== seen || count % 2 === 0) {
      seen = count
      since = performance.now()
    } else if (performance.now() - since > hangMs) bark()
  }, 200)
  worker.once("exit", () => clearInterval(timer))
}
