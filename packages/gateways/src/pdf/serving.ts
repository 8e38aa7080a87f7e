import { processorMs, rssBytes } from "./process-use.ts"
import type { Room } from "./room.ts"

/** Over all businesses: as many as are at work at once; more would only take memory. */
const MOST = 4
const WAITS_MS = 10_000
/** Far from the limits of a process, so that the next document has nearly all of them before it. */
const MOST_DOCUMENTS = 50
const MOST_PROCESSOR_MS = 2_000
const MOST_BYTES = 200_000_000

export type ServingRooms = {
  readonly keep: (whose: string, room: Room) => void
  /** One that has read nobody else's documents; it is the caller's from now on. */
  readonly take: (whose: string) => Room | undefined
}

type Kept = { readonly whose: string; readonly room: Room; readonly timer: NodeJS.Timeout }

/** Processes that have read a document of a business, and wait for its next one; never for another's (ADR 0069). */
export function createServing(): ServingRooms {
  let waiting: readonly Kept[] = []
  const served = new WeakMap<Room, number>()
  const forget = (gone: Kept) => {
    waiting = waiting.filter((kept) => kept !== gone)
    clearTimeout(gone.timer)
  }
  const end = (kept: Kept) => {
    forget(kept)
    kept.room.kill()
  }
  return {
    keep: (whose, room) => {
      const documents = 1 + (served.get(room) ?? 0)
      served.set(room, documents)
      if (documents >= MOST_DOCUMENTS || hasGrown(room)) return room.kill()
      const kept: Kept = { whose, room, timer: setTimeout(() => end(kept), WAITS_MS).unref() }
      waiting = [...waiting, kept]
      const [oldest] = waiting
      if (waiting.length > MOST && oldest !== undefined) end(oldest)
    },
    take: (whose) => {
      // The one that waits the shortest is the warmest; the others may end.
      const kept = waiting.findLast((one) => one.whose === whose && one.room.isStaying())
      if (kept !== undefined) forget(kept)
      return kept?.room
    },
  }
}

const hasGrown = ({ process: { pid } }: Room): boolean =>
  processorMs(pid) > MOST_PROCESSOR_MS || rssBytes(pid) > MOST_BYTES
