// Other programs that sign, on the same files with the same keys, each timed inside a process of its own: neither the start
// of Python nor that of Java is counted, and Java may warm up.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Effort, Spent } from "./fastest.ts"
import type { IdentityFiles } from "./identity-files.ts"
import { fileOf, type Input } from "./inputs.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const JAVA_CLASSES = ["../../.tools/java-oracles/judges.jar", "../../.tools/java-oracles/lib/*"]

const PROGRAMS = {
  "LibPDF 0.4.2": [process.execPath, here("drivers/libpdf.ts")],
  pyHanko: [here("../../.tools/pyhanko/bin/python"), here("drivers/pyhanko-sign.py")],
  "EU DSS": ["java", "-cp", JAVA_CLASSES.map(here).join(":"), "paraph.DssBench"],
} as const

export type Program = keyof typeof PROGRAMS
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as Program[]

export type Job = { readonly input: Input; readonly files: IdentityFiles; readonly effort: Effort }
/** What it took, or what the program said instead. */
export type Answer = Spent | { readonly error: string }

/** One answer per job, in their order. A program that ends early has no answer to the rest. */
export async function askProgram(program: Program, jobs: readonly Job[]): Promise<readonly Answer[]> {
  const [command, ...args] = PROGRAMS[program]
  const order = jobs.map(({ input, files, effort }) => ({ file: fileOf(input), files, ...effort }))
  const { lines, why } = await converse(command, args, JSON.stringify({ jobs: order }))
  return jobs.map((_, i) => (lines[i] === undefined ? { error: why } : (JSON.parse(lines[i]) as Answer)))
}

function converse(
  command: string,
  args: readonly string[],
  input: string,
): Promise<{ readonly lines: readonly string[]; readonly why: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { stdio: "pipe" })
    let [output, complaints] = ["", ""]
    child.stdout.on("data", (part) => {
      output += part
    })
    child.stderr.on("data", (part) => {
      complaints += part
    })
    const end = (how: string) => {
      const [complaint = ""] = complaints.trim().split("\n").slice(-1)
      resolve({ lines: output.split("\n").filter((line) => line !== ""), why: `${how} ${complaint}`.trim() })
    }
    child.on("error", (error) => end(String(error)))
    child.on("close", (code, signal) => end(`It ended (${code ?? signal}).`))
    // A program that is not there takes no order; "close" or "error" tells.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
}
