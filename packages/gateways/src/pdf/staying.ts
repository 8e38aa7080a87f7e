import type { SealedFile } from "@paraph/seal/file"
import type { Room } from "./room.ts"

/** From a mark that is prepared to the same one finished: a value, and a time-stamp. Who takes longer gets another process. */
const STAYS_MS = 10_000

export type StayingRooms = {
  readonly keep: (file: SealedFile, room: Room) => void
  /** The process that has read this very file, if there is one still; it is the caller's from now on. */
  readonly take: (file: SealedFile) => Room | undefined
}

/** Processes that wait for what else is asked of the document that they have read. None of them ever sees another one (R18). */
export function createStaying(): StayingRooms {
  const rooms = new Map<
    string,
    { readonly room: Room; readonly of: SealedFile; readonly timer: NodeJS.Timeout }
  >()
  const forget = (path: string) => {
    const kept = rooms.get(path)
    clearTimeout(kept?.timer)
    rooms.delete(path)
    return kept
  }
  return {
    keep: (file, room) => {
      const { path } = file
      forget(path)?.room.kill()
      const timer = setTimeout(() => forget(path)?.room.kill(), STAYS_MS).unref()
      rooms.set(path, { room, of: file, timer })
    },
    take: (file) => {
      const kept = forget(file.path)
      if (kept === undefined || Buffer.compare(kept.of.key, file.key) === 0) return kept?.room
      // Another document lies there now.
      kept.room.kill()
      return undefined
    },
  }
}
