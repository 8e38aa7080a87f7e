import { getPriority, setPriority } from "node:os"

/** A third of an ordinary share: somebody waits for a small document, but a big one must still come to its end in time. */
export const GIVING_WAY = 5
const LEAST_URGENT = 19

/** Than this process is. */
export function lessUrgent(pid: number | undefined, by: number): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + by, LEAST_URGENT))
  } catch {
    // It has ended already, which the asking will tell.
  }
}
