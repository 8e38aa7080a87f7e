import { readdirSync, readFileSync, readlinkSync } from "node:fs"

export type Child = { readonly pid: number; readonly command: string; readonly network: string }

/** The processes that a process has started and that are still there, each with the network that it is in. */
export function childrenOf(parent: number): readonly Child[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, status = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Z] )/)
        if (Number(status.split(" ")[1]) !== parent) return []
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
        return [{ pid: Number(pid), command, network: networkOf(pid) }]
      } catch {
        // It ended while we looked.
        return []
      }
    })
}

export const networkOf = (pid: number | string): string => readlinkSync(`/proc/${pid}/ns/net`)

/** Those that wait for a page to draw, or draw one; not the one that only compiles, when a service starts. */
export const drawing = (parent: number): readonly Child[] =>
  childrenOf(parent).filter(
    ({ command }) => command.includes("--permission") && command.includes("render-child"),
  )
