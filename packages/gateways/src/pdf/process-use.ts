// What a child process takes, by proc(5). Where there is no /proc it is nothing, and only the other limits hold.
import { readFileSync } from "node:fs"

/** `VmRSS` is in kilobytes whatever the size of a page. */
export function rssBytes(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(processFile(pid, "status"))?.[1] ?? 0) * 1024
}

/** `utime` and `stime` are the 12th and 13th word behind the name of the program, in hundredths of a second. */
export function processorMs(pid: number | undefined): number {
  const words = processFile(pid, "stat").split(") ").at(-1)?.split(" ") ?? []
  return 10 * (Number(words[11]) + Number(words[12]))
}

function processFile(pid: number | undefined, name: "status" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}
