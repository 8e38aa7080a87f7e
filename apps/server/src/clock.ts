import { readFileSync } from "node:fs"
import type { Clock } from "@paraph/core/ports"

/**
 * The time that everything of ours goes by. In a sandbox a file may say by how many milliseconds it is ahead (or, with a
 * minus, behind): the processes of one service share it, so a test moves all of them by six months at once, and whoever
 * looks next sees it. PostgreSQL, the queue's delays and the operating system keep their own time.
 */
export function createClock(file: string): Clock {
  if (file === "") return () => new Date()
  return () => new Date(Date.now() + offsetIn(file))
}

/** Read each time: a few microseconds, and no doubt whether a change was seen. No file: nobody has moved it yet. */
function offsetIn(file: string): number {
  const text = contentOf(file).trim()
  if (!/^-?\d{0,14}$/.test(text)) throw new Error("CLOCK_FILE holds no number of milliseconds.")
  return Number(text)
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw error
  }
}
