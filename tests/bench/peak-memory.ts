// The most memory that this process ever had, in bytes.

import { readFileSync } from "node:fs"

/**
 * What the kernel calls the high-water mark of this program (proc(5), VmHWM). `process.resourceUsage().maxRSS` would
 * count what the parent had when it forked, too.
 */
export function peakMemory(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]
  if (kilobytes === undefined) throw new Error("This system does not say how much memory a process had.")
  return Number(kilobytes) * 1024
}
