// The thread that writes a report for people: lines, pages and fonts, which would hold up everybody else. It asks nobody anything.
import { parentPort, workerData } from "node:worker_threads"
import type { Writing } from "./write.ts"

const bytes = await written(workerData as Writing)
// As large as it is, and no part of anything else: so it can be handed over and need not be copied.
const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
parentPort?.postMessage(own, [own.buffer as ArrayBuffer])

async function written({ type, order }: Writing): Promise<Uint8Array> {
  if (type === "protocol") return (await import("../protocol/paper.ts")).writeProtocolPaper(order)
  return (await import("@paraph/validation/pdf-report")).writePdfReport(order)
}
