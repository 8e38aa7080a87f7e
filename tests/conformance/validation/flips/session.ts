// So many flips of each document, judged in threads.

import { once } from "node:events"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { newRandom, seedOf } from "../../../fuzz/random.ts"
import type { Document } from "./documents.ts"
import { type Flip, flipsInRanges, flipsInSignatures } from "./flip.ts"
import type { Judged, Order } from "./worker.ts"

export type Result = Judged & {
  readonly document: string
  /** Inside of what is signed, and inside of signatures themselves. */
  readonly inRanges: number
  readonly inSignatures: number
}

const AT_A_TIME = 100
/** For each flip of what is signed, at most so many of what a signer made of it. */
const IN_SIGNATURES = 0.2

/** `flips` are of what is signed, as many of each document; others come on top. What is drawn is the same for the same seed, the keys of our own are not. */
export async function judgeFlips(
  documents: readonly Document[],
  { flips, seed }: { readonly flips: number; readonly seed: number },
): Promise<readonly Result[]> {
  const each = Math.ceil(flips / documents.length)
  const drawn = documents.map((document) => {
    const random = newRandom(seedOf(document.name, seed))
    return {
      inRanges: firstOf(flipsInRanges(document, random), each),
      inSignatures: firstOf(flipsInSignatures(document, random), Math.ceil(each * IN_SIGNATURES)),
    }
  })
  const orders = drawn.flatMap(({ inRanges, inSignatures }, i) => ordersOf(i, [...inRanges, ...inSignatures]))
  const results = documents.map(({ name }, i): Result => {
    const { inRanges = [], inSignatures = [] } = drawn[i] ?? {}
    return { ...NOTHING, document: name, inRanges: inRanges.length, inSignatures: inSignatures.length }
  })
  const hand = async () => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: documents,
      // Not those of a test runner.
      execArgv: ["--disable-warning=ExperimentalWarning"],
    })
    try {
      for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
        worker.postMessage(order)
        const [judged] = (await once(worker, "message")) as [Judged]
        const known = results[order.document]
        if (known !== undefined) results[order.document] = { ...known, ...together(known, judged) }
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hand))
  return results
}

const NOTHING: Judged = { counts: {}, faults: [], slowestMs: 0 }

function firstOf(flips: Iterable<Flip>, count: number): Flip[] {
  const first: Flip[] = []
  for (const flip of flips) if (first.push(flip) >= count) break
  return first
}

function ordersOf(document: number, flips: readonly Flip[]): Order[] {
  const orders: Order[] = []
  for (let i = 0; i < flips.length; i += AT_A_TIME)
    orders.push({ document, flips: flips.slice(i, i + AT_A_TIME) })
  return orders
}

export function together(a: Judged, b: Judged): Judged {
  const counts: Record<string, number> = { ...a.counts }
  for (const [outcome, count] of Object.entries(b.counts)) counts[outcome] = (counts[outcome] ?? 0) + count
  return {
    counts,
    faults: [...a.faults, ...b.faults],
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
  }
}
