// What the processors spent on programs of the service, each with all that it started (proc(5)). Load of others on the machine
// hardly shows in it, as it does in the time by the clock.
import { readdirSync, readFileSync } from "node:fs"

type Line = {
  readonly pid: number
  readonly parent: number
  /** By itself, and by children that have ended. */
  readonly ownMs: number
  readonly endedMs: number
  readonly command: string
}

/** In milliseconds, by the names given. Of a worker its children are apart: those that hold keys, and those that read PDFs. */
export function processorTimes(
  programs: Readonly<Record<string, readonly number[]>>,
  workers: readonly number[],
): Record<string, number> {
  const lines = allProcesses()
  const below = (pid: number): readonly Line[] =>
    lines.filter(({ parent }) => parent === pid).flatMap((line) => [line, ...below(line.pid)])
  const self = (pid: number) => lines.filter((line) => line.pid === pid)
  const times: Record<string, number> = {}
  const add = (name: string, all: readonly Line[], how: (line: Line) => number) => {
    times[name] = (times[name] ?? 0) + all.reduce((sum, line) => sum + how(line), 0)
  }
  const whole = ({ ownMs, endedMs }: Line) => ownMs + endedMs
  for (const pid of workers) {
    const holdsKeys = ({ command }: Line) => command.includes("keys-pkcs11/child.ts")
    const mainMs = mainThreadMs(pid)
    add("worker, main thread", self(pid), () => mainMs)
    add("worker, other threads", self(pid), ({ ownMs }) => ownMs - mainMs)
    add("key processes", below(pid).filter(holdsKeys), whole)
    // Those that have ended were nearly all of this kind.
    add("PDF processes", self(pid), ({ endedMs }) => endedMs)
    const others = below(pid).filter((line) => !holdsKeys(line))
    add("PDF processes", others, whole)
  }
  for (const [name, pids] of Object.entries(programs))
    for (const pid of pids) add(name, [...self(pid), ...below(pid)], whole)
  return times
}

const TICK_MS = 10

/** The main thread has the number of its process. */
function mainThreadMs(pid: number): number {
  try {
    return ownMsOf(statOf(`/proc/${pid}/task/${pid}/stat`))
  } catch {
    return 0
  }
}

const statOf = (file: string): readonly number[] =>
  readFileSync(file, "latin1").split(") ").at(-1)?.split(" ").map(Number) ?? []

/** `utime` and `stime` (proc(5)). */
const ownMsOf = (words: readonly number[]): number => TICK_MS * ((words[11] ?? 0) + (words[12] ?? 0))

function allProcesses(): readonly Line[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const words = statOf(`/proc/${name}/stat`)
      const [, parent = 0] = words
      const [ended = 0, endedSystem = 0] = words.slice(13, 15)
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1")
      const ownMs = ownMsOf(words)
      return [{ pid: Number(name), parent, ownMs, endedMs: TICK_MS * (ended + endedSystem), command }]
    } catch {
      // It has ended meanwhile, and counts with its parent from now on.
      return []
    }
  })
}
