import { compileAhead } from "./code-cache.ts"
import { type Program, type Room, type RoomLimits, startRoom } from "./room.ts"
import { GIVING_WAY, lowerPriority } from "./urgency.ts"

export type Stock = { readonly take: (by: Taker) => Room; readonly close: () => Promise<void> }

export type Taker = {
  readonly isDemo: boolean
  /** The last process that was started ahead is for another owner: this one has processes already. */
  readonly leavesLast: boolean
}

/**
 * Processes started ahead, because a fresh one takes longer to start than most documents take to read. Demo has half as many of its
 * own, from its first document on. They start at a low priority, so that a flood of demo documents slows down no start of production.
 */
export function createStock(sources: Program, folder: string, limits: RoomLimits, warm: number): Stock {
  const rooms = { production: new Set<Room>(), demo: new Set<Room>() }
  let closed = false
  let program = sources
  const ending = new AbortController()
  const poolOf = (isDemo: boolean) => (isDemo ? rooms.demo : rooms.production)
  const start = (isDemo: boolean) => {
    const room = startRoom(program, limits)
    if (isDemo) lowerPriority(room.process.pid, GIVING_WAY)
    poolOf(isDemo).add(room)
    room.process.once("close", () => poolOf(isDemo).delete(room))
    return room
  }
  const free = (isDemo: boolean) => [...poolOf(isDemo)].filter((room) => room.isFree())
  const fill = (isDemo: boolean) => {
    const wanted = isDemo ? Math.ceil(warm / 2) : warm
    try {
      for (let missing = wanted - free(isDemo).length; missing > 0; missing -= 1) start(isDemo)
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
    .then(() => closed || fill(false))
  return {
    take: ({ isDemo, leavesLast }) => {
      if (closed) throw new Error("The PDF rooms are closed.")
      const [first, second] = free(isDemo)
      const room = (leavesLast && second === undefined ? undefined : first) ?? start(isDemo)
      // After this turn of the event loop the room has its document and is no longer free.
      setImmediate(() => closed || fill(isDemo))
      return room
    },
    close: async () => {
      closed = true
      ending.abort()
      const all = [...rooms.production, ...rooms.demo]
      const ended = all.map((room) => new Promise((resolve) => room.process.once("close", resolve)))
      for (const room of all) room.kill()
      // Whoever closes the rooms may remove the folder next: nobody writes there any more.
      await Promise.all([...ended, compiling])
    },
  }
}

/** A process that loads native code gets none: what that code does is outside of Node's permissions. */
const compiled = (sources: Program, folder: string, ending: AbortSignal): Promise<string | null> =>
  sources.addons || sources.inOneFile ? Promise.resolve(null) : compileAhead(sources.file, folder, ending)
