import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { PdfRefused } from "@paraph/pades/refused"
import type { Said } from "./answer.ts"
import { type Frame, readFrames, writeFrame } from "./frame.ts"

export type RoomLimits = {
  readonly rssLimitBytes: number
  readonly wallMs: number
  readonly cpuSeconds: number
}

export type Program = {
  readonly file: string
  /** What the child may read, as Node's permission model writes it. */
  readonly readable: readonly string[]
  /** Native add-ons are outside the permission model, so only a child that needs one may load one. */
  readonly addons: boolean
}

export type Room = {
  readonly process: ChildProcess
  /** False once the child has ended, or was given its document. */
  readonly isFree: () => boolean
  /** Once in the life of a room. */
  readonly ask: (header: unknown, bytes: Uint8Array) => Promise<Frame>
  readonly kill: () => void
}

const PRLIMIT = "/usr/bin/prlimit"
const MAX_ANSWER_BYTES = 128_000_000
const WATCH_EVERY_MS = 50

/** A child process for one document: no environment, no files but its own code, and an end in any case. */
export function startRoom(program: Program, limits: RoomLimits): Room {
  const child = spawnLimited(program, limits)
  let free = true
  let ready = false
  let settle: ((outcome: Frame | Error) => void) | null = null
  // The child's own words come before its exit; what remains silent until then was ended from outside.
  const end = (outcome: Frame | Error) => {
    free = false
    settle?.(outcome)
    settle = null
    child.kill("SIGKILL")
  }
  child.on("error", (cause) => end(new Error("A PDF process could not be started.", { cause })))
  child.on("close", () =>
    end(ready ? tooComplex("The PDF ended its process.") : new Error("A PDF process did not start.")),
  )
  child.stdin?.on("error", () => undefined)
  child.stdout?.on("error", () => end(tooComplex("The PDF broke its process.")))
  if (child.stdout)
    readFrames(child.stdout, MAX_ANSWER_BYTES, (frame) => {
      if ((frame.header as Said).type === "ready") ready = true
      else end(frame)
    })

  const ask = (header: unknown, bytes: Uint8Array) =>
    new Promise<Frame>((resolve, reject) => {
      if (!free || !child.stdin) return reject(new Error("The PDF process is gone."))
      free = false
      const late = setTimeout(() => end(tooComplex("The PDF took too long.")), limits.wallMs)
      const watch = setInterval(() => {
        if (rssBytes(child.pid) > limits.rssLimitBytes) end(tooComplex("The PDF took too much memory."))
      }, WATCH_EVERY_MS)
      settle = (outcome) => {
        clearTimeout(late)
        clearInterval(watch)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      writeFrame(child.stdin, header, bytes)
    })
  return {
    process: child,
    isFree: () => free,
    ask,
    kill: () => end(new Error("The PDF process was stopped.")),
  }
}

function spawnLimited({ file, readable, addons }: Program, { cpuSeconds }: RoomLimits): ChildProcess {
  const node = [
    process.execPath,
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...(addons ? ["--allow-addons"] : []),
    "--disable-warning=SecurityWarning",
    file,
  ]
  // The limit on memory is the watch below, because V8 does not start under a small address space.
  const limited = [PRLIMIT, `--cpu=${cpuSeconds}`, "--core=0", "--fsize=0", ...node]
  const [command = process.execPath, ...args] = existsSync(PRLIMIT) ? limited : node
  return spawn(command, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
}

/** `VmRSS` is in kilobytes whatever the size of a page. Where there is no /proc only the other limits hold. */
function rssBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function tooComplex(message: string): PdfRefused {
  return new PdfRefused("too-complex", message)
}
