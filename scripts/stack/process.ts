// Long-lived processes that outlive the command that started them, and how to know them again later.
import { execFile, spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"

/** A pid alone may belong to somebody else tomorrow; together with its start it names one process. */
export type Running = { readonly pid: number; readonly startedAt: string }

export type Account = { readonly uid: number; readonly gid: number }

export type Launch = {
  readonly command: string
  readonly args: readonly string[]
  readonly logFile: string
  readonly env?: Readonly<Record<string, string>>
  readonly account?: Account
}

export const run = promisify(execFile)

export async function launch({ command, args, logFile, env, account }: Launch): Promise<Running> {
  const log = openSync(logFile, "a", 0o600)
  try {
    const child = spawn(command, args, {
      detached: true,
      // Another account may not be allowed to stand in the folder we stand in.
      cwd: "/",
      stdio: ["ignore", log, log],
      env: { ...process.env, ...env },
      ...account,
    })
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve)
      child.once("error", reject)
    })
    child.unref()
    const pid = child.pid ?? 0
    return { pid, startedAt: (await startOf(pid)) ?? "gone" }
  } finally {
    closeSync(log)
  }
}

export async function isAlive({ pid, startedAt }: Running): Promise<boolean> {
  return (await startOf(pid)) === startedAt
}

/** Asks first, insists after ten seconds; a process that is not the one we started is left alone. */
export async function stop(running: Running, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  for (const attempt of [signal, "SIGKILL"] as const) {
    if (!(await isAlive(running))) return
    process.kill(running.pid, attempt)
    const gone = async () => !(await isAlive(running))
    if (await comesTrue(gone, 10_000)) return
  }
  throw new Error(`Process ${running.pid} does not end.`)
}

/** Polls until the question is answered with yes; false when time is up. */
export async function comesTrue(question: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (!(await question())) {
    if (Date.now() > deadline) return false
    await pause(25)
  }
  return true
}

/**
 * Ports below the range from which the system serves outgoing connections: a service that was stopped finds its
 * port free again, so the settings written for it stay true.
 */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await isFree(port)) return port
  }
  throw new Error("No free port between 20000 and 29999.")
}

/**
 * The port that a service had, so that the settings written for it stay true. A process that was killed is a zombie
 * while its last threads still end and hold the port, hence the patience.
 */
export async function portAgain(earlier: number | undefined): Promise<number> {
  const kept = earlier !== undefined && (await comesTrue(() => isFree(earlier), 2_000))
  return kept ? earlier : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** When this process started, in whatever words the system has for it; undefined when there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return startOnLinux(pid)
  try {
    const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)])
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    // proc(5): the name in brackets may hold anything, so count after the last bracket; state is field 3, start 22.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export async function ownProcess(): Promise<Running> {
  return { pid: process.pid, startedAt: (await startOf(process.pid)) ?? "gone" }
}
