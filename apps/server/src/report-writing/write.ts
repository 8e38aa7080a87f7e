import { Worker } from "node:worker_threads"
import type { PdfReportOrder } from "@paraph/validation/pdf-report"
import type { ProtocolOrder } from "../protocol/paper.ts"

/** What can be written: about a validation, or about a request. */
export type Writing =
  | { readonly type: "validation"; readonly order: PdfReportOrder }
  | { readonly type: "protocol"; readonly order: ProtocolOrder }

/** What strangers wrote is set in it: whatever that does to the thread, it ends, and is told. */
const LIMITS = { maxOldGenerationSizeMb: 512 }
const WITHIN_MS = 60_000

/** Written in a thread of its own, which lives for this: two hundred signatures take a second. */
export function writeApart(writing: Writing): Promise<Uint8Array> {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: writing,
    resourceLimits: LIMITS,
  })
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const late = setTimeout(() => reject(new Error("The report took too long to write.")), WITHIN_MS)
  thread.on("message", resolve)
  thread.on("error", reject)
  thread.on("exit", () => reject(new Error("The thread that writes reports ended.")))
  return promise.finally(() => {
    clearTimeout(late)
    void thread.terminate()
  })
}
