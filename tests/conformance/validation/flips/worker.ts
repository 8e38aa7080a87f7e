// A thread that judges flips of the documents that it was given.

import { parentPort, workerData } from "node:worker_threads"
import type { Document } from "./documents.ts"
import { type Flip, judgeFlip } from "./flip.ts"

export type Order = { readonly document: number; readonly flips: readonly Flip[] }
export type Judged = {
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly (Flip & { readonly document: string; readonly fault: string })[]
  readonly slowestMs: number
}

const documents = workerData as readonly Document[]

parentPort?.on("message", async (order: Order) => {
  parentPort?.postMessage(await work(order))
})

async function work({ document: index, flips }: Order): Promise<Judged> {
  const document = documents[index]
  if (document === undefined) throw new RangeError("There is no such document.")
  const counts: Record<string, number> = {}
  const faults: Judged["faults"][number][] = []
  let slowestMs = 0
  for (const flip of flips) {
    const start = performance.now()
    const { outcome, fault } = await judgeFlip(document, flip)
    slowestMs = Math.max(slowestMs, performance.now() - start)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (fault !== undefined) faults.push({ ...flip, document: document.name, fault })
  }
  return { counts, faults, slowestMs }
}
