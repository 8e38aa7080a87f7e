/** A process of the service from its start until it dies; what is started in its place is another one. */
export type Process = {
  readonly name: string
  alive: boolean
  /** It stands still until then, and knows nothing of it: a stopped machine, a long collection of garbage. */
  pausedUntil: number
  readonly onDeath: (() => void)[]
}

export const newProcess = (name: string): Process => ({ name, alive: true, pausedUntil: 0, onDeath: [] })

type Event = {
  readonly time: number
  /** Those of one moment happen in the order in which they were planned. */
  readonly order: number
  /** In whom it happens; null: outside, where nobody dies. */
  readonly process: Process | null
  readonly label: string
  readonly run: () => void
}

export type Schedule = ReturnType<typeof createSchedule>

/**
 * Virtual time, and everything that is still to happen in it. Between two events all promises run dry, so that one event is
 * one step of one process, and the same events give the same run.
 */
export function createSchedule(beginning: number, traced: boolean) {
  const events = createHeap()
  const trace: string[] = []
  let [now, order, hash, steps] = [beginning, 0, 0x811c9dc5, 0]
  let arriving: (process: Process) => void = () => undefined

  const mix = (text: string) => {
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  const note = (label: string, process: Process | null = null) => {
    hash = Math.imul(hash ^ Math.floor(now * 1000), 0x01000193)
    if (process !== null) mix(process.name)
    mix(label)
    if (traced) trace.push(`${new Date(now).toISOString()} ${process?.name ?? "-"} ${label}`)
  }
  const at = (time: number, process: Process | null, label: string, run: () => void) => {
    order += 1
    events.push({ time: Math.max(time, now), order, process, label, run })
  }
  const happen = ({ time, process, label, run }: Event) => {
    now = time
    if (process === null) {
      note(label)
      return run()
    }
    if (!process.alive) return
    if (process.pausedUntil > time) return at(process.pausedUntil, process, label, run)
    // A process may die or be stopped whenever something reaches it.
    arriving(process)
    if (!process.alive) return
    if (process.pausedUntil > time) return at(process.pausedUntil, process, label, run)
    note(label, process)
    run()
  }
  return {
    now: () => now,
    trace,
    hash: () => (hash >>> 0).toString(16).padStart(8, "0"),
    steps: () => steps,
    note,
    at,
    onArrival: (told: (process: Process) => void) => {
      arriving = told
    },
    /** Until nothing is left to happen; false: there was no end to it. */
    run: (stepsMax: number) =>
      new Promise<boolean>((resolve) => {
        let isOver = false
        const end = (isQuiet: boolean) => {
          isOver = true
          resolve(isQuiet)
        }
        const turn = () => {
          if (isOver) return
          const event = events.pop()
          if (event === undefined) return end(true)
          steps += 1
          if (steps > stepsMax) return end(false)
          happen(event)
        }
        // Not a time: Node comes to the next of them when no promise has anything left to do. Many at once, since it looks at
        // the world outside after each lot.
        const turns = () => {
          if (isOver) return
          for (let n = 0; n < TURNS; n += 1) setImmediate(turn)
          setImmediate(turns)
        }
        turns()
      }),
  }
}

const TURNS = 100

/** The earliest first. */
function createHeap() {
  const heap: Event[] = []
  const isBefore = (a: Event, b: Event) => a.time < b.time || (a.time === b.time && a.order < b.order)
  const down = (last: Event) => {
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (!isBefore(child, last)) break
      heap[place] = child
      place = 2 * place + (isRight ? 2 : 1)
    }
    heap[place] = last
  }
  return {
    push: (event: Event) => {
      let place = heap.length
      while (place > 0) {
        const above = (place - 1) >> 1
        const parent = heap[above] as Event
        if (!isBefore(event, parent)) break
        heap[place] = parent
        place = above
      }
      heap[place] = event
    },
    pop: (): Event | undefined => {
      const [first] = heap
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) down(last)
      return first
    },
  }
}
