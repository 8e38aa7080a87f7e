// The thread that reads trusted lists: some megabytes of XML and its signatures, which would hold up everybody else for seconds.
// It has no network; what it needs it asks for.
import { setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { loadTrustedLists } from "@paraph/validation/load-trusted-lists"
import type { FromLoad, LoadTold, ToLoad } from "./messages.ts"

const LESS_URGENT = 5
if (process.platform === "linux") setPriority(LESS_URGENT)

const { sources, known, now, online } = workerData as LoadTold
const waiting = new Map<number, (answer: ToLoad) => void>()
const say = (message: FromLoad): void => parentPort?.postMessage(message)

parentPort?.on("message", (answer: ToLoad) => {
  waiting.get(answer.id)?.(answer)
  waiting.delete(answer.id)
})

let ids = 0
const fetchList = (address: string): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const id = ++ids
    waiting.set(id, ({ bytes, failed }) =>
      bytes === undefined ? reject(new Error(failed ?? "nothing came")) : resolve(bytes),
    )
    say({ type: "asks", id, address })
  })

loadTrustedLists({ sources, known, now, ...(online && { fetchList }) }).then(
  (loaded) => say({ type: "loaded", loaded }),
  (error: unknown) => say({ type: "failed", message: error instanceof Error ? error.message : "unknown" }),
)
