import { closeSync, openSync, readFileSync, readSync } from "node:fs"

export type Scan = {
  /** Which of the needles the process holds, by name. */
  readonly found: readonly string[]
  readonly bytes: number
}

const CHUNK_BYTES = 4_194_304

/** Looks for bytes in all memory of a process that can be read, its stack and environment included. */
export function scanMemory(pid: number, needles: Readonly<Record<string, Buffer>>): Scan {
  const found = new Set<string>()
  const overlap = Math.max(...Object.values(needles).map(({ length }) => length)) - 1
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const memory = openSync(`/proc/${pid}/mem`, "r")
  let bytes = 0
  try {
    for (const { start, end } of readableRegions(pid))
      for (let at = start; at < end; ) {
        const length = Math.min(CHUNK_BYTES, end - at)
        const read = readAt(memory, chunk, length, at)
        const held = chunk.subarray(0, read)
        for (const [name, needle] of Object.entries(needles)) if (held.includes(needle)) found.add(name)
        bytes += read
        if (read < length || at + length >= end) break
        // What begins at the end of one chunk is seen whole in the next.
        at += length - overlap
      }
  } finally {
    closeSync(memory)
  }
  return { found: [...found].sort(), bytes }
}

function readableRegions(pid: number) {
  return readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, start = "", end = "", name = ""] =
        /^([0-9a-f]+)-([0-9a-f]+) r.{3} \S+ \S+ \S+ *(.*)$/.exec(line) ?? []
      if (start === "" || name === "[vvar]" || name === "[vsyscall]" || name === "[vvar_vclock]") return []
      return [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }]
    })
}

/** A region can end while it is read. */
function readAt(memory: number, into: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch {
    return 0
  }
}
