import { compileAhead } from "./code-cache.ts"
import { type Program, type Room, type RoomLimits, startRoom } from "./room.ts"

export type Stock = { readonly take: () => Room; readonly close: () => Promise<void> }

/** Processes started ahead, because a fresh one takes longer to start than most documents take to read. */
export function createStock(sources: Program, folder: string, limits: RoomLimits, warm: number): Stock {
  const rooms = new Set<Room>()
  let closed = false
  let program = sources
  const ending = new AbortController()
  const start = () => {
    const room = startRoom(program, limits)
    rooms.add(room)
    room.process.once("close", () => rooms.delete(room))
    return room
  }
  const free = () => [...rooms].filter((room) => room.isFree())
  const fill = () => {
    try {
      for (let missing = warm - free().length; missing > 0; missing -= 1) start()
    } catch {
      // The spool takes no folder, for example because its disk is full. The next process that is taken says so.
    }
  }
  // Until then, and where it cannot be had, each process reads the sources for itself; those that only wait are started after it.
  const compiling = compiled(sources, folder, ending.signal)
    .then(
      (code) => {
        if (code !== null) program = { ...sources, code }
      },
      () => undefined,
    )
    .then(() => closed || fill())
  return {
    take: () => {
      if (closed) throw new Error("The PDF rooms are closed.")
      const room = free()[0] ?? start()
      // After this turn of the event loop the room has its document and is no longer free.
      setImmediate(() => closed || fill())
      return room
    },
    close: async () => {
      closed = true
      ending.abort()
      const ended = [...rooms].map((room) => new Promise((resolve) => room.process.once("close", resolve)))
      for (const room of rooms) room.kill()
      // Whoever closes the rooms may remove the folder next: nobody writes there any more.
      await Promise.all([...ended, compiling])
    },
  }
}

/** A process that loads native code gets none: what that code does is outside of Node's permissions. */
const compiled = (sources: Program, folder: string, ending: AbortSignal): Promise<string | null> =>
  sources.addons || sources.inOneFile ? Promise.resolve(null) : compileAhead(sources.file, folder, ending)
