import { readFileSync } from "node:fs"
import type { Clock } from "@paraph/core/ports"

/**
 * The time that everything of ours goes by. In a sandbox a file may say by how many milliseconds it is ahead (or, with a
 * minus, behind), or at which time it stands: the processes of one service share it, so a test moves all of them by six months
 * at once, and whoever looks next sees it. PostgreSQL, the queue's delays and the operating system keep their own time.
 */
export function createClock(file: string): Clock {
  if (file === "") return () => new Date()
  return () => timeIn(file)
}

/** Read each time: a few microseconds, and no doubt whether a change was seen. No file: nobody has moved it yet. */
function timeIn(file: string): Date {
  const text = contentOf(file).trim()
  if (/^@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text)) return new Date(text.slice(1))
  if (/^-?\d{0,14}$/.test(text)) return new Date(Date.now() + Number(text))
  throw new Error("CLOCK_FILE holds neither a number of milliseconds nor a time behind an @.")
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw error
  }
}
