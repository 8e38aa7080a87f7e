// What the processes that judge and compare PDFs cost, looked at many times a second from outside (proc(5)).

import { readFileSync } from "node:fs"
import { childrenOf } from "./children.ts"

export type Costs = {
  /** Of all that ended, since the watch began. */
  readonly processorMs: number
  /** Of the one that had most. */
  readonly peakBytes: number
}

const EVERY_MS = 10
const TICK_MS = 10

/** Ends with what it saw. Those that only wait cost nothing. */
export function watchCosts(parent: number): () => Costs {
  const before = new Map<number, number>()
  const seen = new Map<number, { processorMs: number; peakBytes: number }>()
  const look = () => {
    for (const { pid, command } of childrenOf(parent)) {
      if (!/--permission.*(validate|compare)-child/.test(command)) continue
      const cost = costOf(pid)
      if (cost !== undefined) seen.set(pid, cost)
    }
  }
  look()
  for (const [pid, { processorMs }] of seen) before.set(pid, processorMs)
  const timer = setInterval(look, EVERY_MS)
  return () => {
    clearInterval(timer)
    const alive = new Set(childrenOf(parent).map(({ pid }) => pid))
    const ended = [...seen].filter(([pid]) => !alive.has(pid))
    return {
      processorMs: ended.reduce((sum, [pid, cost]) => sum + cost.processorMs - (before.get(pid) ?? 0), 0),
      peakBytes: Math.max(0, ...ended.map(([, { peakBytes }]) => peakBytes)),
    }
  }
}

function costOf(pid: number): { readonly processorMs: number; readonly peakBytes: number } | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ").map(Number) ?? []
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    if (peak === undefined) return undefined
    return {
      processorMs: TICK_MS * ((words[11] ?? 0) + (words[12] ?? 0)),
      peakBytes: 1024 * Number(peak),
    }
  } catch {
    // It ended while we looked.
    return undefined
  }
}
