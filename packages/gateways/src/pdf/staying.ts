import type { SealedFile } from "@paraph/seal/file"
import type { Room } from "./room.ts"

/** From a mark that is prepared to the same one finished: a value, and a time-stamp. Who takes longer gets another process. */
const STAYS_MS = 10_000

export type StayingRooms = {
  readonly keep: (file: SealedFile, room: Room) => void
  /** A process that has read this very file, if there is one still; it is the caller's from now on. */
  readonly take: (file: SealedFile) => Room | undefined
}

type Kept = { readonly room: Room; readonly of: SealedFile; readonly timer: NodeJS.Timeout }

/** Processes that wait for what else is asked of the document that they have read. None of them ever sees another one (R18). */
export function createStaying(): StayingRooms {
  // Several, where several people sign the same document at once: any of them has read it.
  const rooms = new Map<string, Kept[]>()
  const forget = (path: string, which: (kept: Kept) => boolean): readonly Kept[] => {
    const all = rooms.get(path) ?? []
    const left = all.filter((kept) => !which(kept))
    if (left.length > 0) rooms.set(path, left)
    else rooms.delete(path)
    const forgotten = all.filter(which)
    for (const { timer } of forgotten) clearTimeout(timer)
    return forgotten
  }
  const end = (all: readonly Kept[]) => {
    for (const { room } of all) room.kill()
  }
  /** Another document lies there now. */
  const endOthers = ({ path, key }: SealedFile) =>
    end(forget(path, ({ of }) => Buffer.compare(of.key, key) !== 0))
  return {
    keep: (file, room) => {
      endOthers(file)
      const timer = setTimeout(() => end(forget(file.path, (kept) => kept.room === room)), STAYS_MS).unref()
      rooms.set(file.path, [...(rooms.get(file.path) ?? []), { room, of: file, timer }])
    },
    take: (file) => {
      endOthers(file)
      const [first] = rooms.get(file.path) ?? []
      return forget(file.path, (kept) => kept === first)[0]?.room
    },
  }
}
