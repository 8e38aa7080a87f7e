import { getPriority, setPriority } from "node:os"

/** A third of an ordinary share: somebody waits for a small document, but a big one must still come to its end in time. */
export const GIVING_WAY = 5
const LEAST_URGENT = 19

/** Lowers the priority of a process to so much below that of this one. A process that is lower already stays there. */
export function lowerPriority(pid: number | undefined, by: number): void {
  const target = Math.min(getPriority() + by, LEAST_URGENT)
  try {
    if (pid !== undefined && by > 0 && getPriority(pid) < target) setPriority(pid, target)
  } catch {
    // It has ended already, which the asking will tell.
  }
}
