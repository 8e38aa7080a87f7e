import { Worker } from "node:worker_threads"
import type { LoadedLists, LoadOrder } from "@paraph/validation/load-trusted-lists"
import type { FromLoad, LoadTold, ToLoad } from "./messages.ts"

/** Lists are strangers' bytes: whatever they do to the thread that reads them, it ends, and is told. */
const LIMITS = { maxOldGenerationSizeMb: 1024 }
const WITHIN_MS = 10 * 60_000

/** `loadTrustedLists` in a thread of its own, which lives for this. */
export function loadApart({ fetchList, ...order }: LoadOrder): Promise<LoadedLists> {
  const told: LoadTold = { ...order, online: fetchList !== undefined }
  const thread = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: told,
    resourceLimits: LIMITS,
  })
  const { promise, resolve, reject } = Promise.withResolvers<LoadedLists>()
  const late = setTimeout(() => reject(new Error("The trusted lists took too long.")), WITHIN_MS)
  const answer = (to: ToLoad) => thread.postMessage(to)
  thread.on("message", (said: FromLoad) => {
    if (said.type === "loaded") resolve(said.loaded)
    else if (said.type === "failed") reject(new Error(said.message))
    else
      Promise.resolve(fetchList?.(said.address)).then(
        (bytes) => answer({ id: said.id, ...(bytes !== undefined && { bytes }) }),
        (error: unknown) =>
          answer({ id: said.id, failed: error instanceof Error ? error.message : "nothing came" }),
      )
  })
  thread.on("error", reject)
  thread.on("exit", () => reject(new Error("The thread that reads trusted lists ended.")))
  thread.unref()
  late.unref()
  return promise.finally(() => {
    clearTimeout(late)
    void thread.terminate()
  })
}
