// How much of the processors of a virtual machine its host gave to others while somebody of ours wanted them (proc(5): steal).
import { readFileSync } from "node:fs"

export type Ticks = { readonly stolen: number; readonly all: number }

export function stolen(): Ticks {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? ""
  // cpu user nice system idle iowait irq softirq steal; what guests had is among user and nice.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, n) => sum + n, 0) }
}

export const shareStolen = (before: Ticks, after: Ticks): number =>
  (after.stolen - before.stolen) / Math.max(1, after.all - before.all)
