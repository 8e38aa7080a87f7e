import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join, resolve } from "node:path"
import { COMPILED } from "./compiled.ts"

const SOURCES = resolve(import.meta.dirname, "../..")

/** What the image sets for each process (Dockerfile, ENV). */
export const OF_THE_IMAGE = {
  MALLOC_ARENA_MAX: "2",
  NODE_OPTIONS: "--max-semi-space-size=8 --max-old-space-size=1536",
} as const

export type ServerProcess = {
  readonly pid: number
  /** Everything it has written so far, one JSON line per event. */
  readonly log: () => string
  /** Ends it at once, as a power cut would; resolves when it is gone. */
  readonly kill: () => Promise<void>
  /** Asks it to stop; answers its exit code. */
  readonly stop: () => Promise<number | null>
  /** Resolves when it has died by itself. */
  readonly died: Promise<NodeJS.Signals | null>
}

/** A real process of the server, by these sources or others, or of the router; resolves when it says that it is ready. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  sources = SOURCES,
  app: "server" | "router" = "server",
): Promise<ServerProcess> {
  const path = process.env.PATH ?? ""
  const child = spawn(process.execPath, [join(sources, `apps/${app}/src/main.ts`)], {
    env: { PATH: path, ...COMPILED, ...OF_THE_IMAGE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let log = ""
  let isReady = false
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>
  const ready = new Promise<void>((done, failed) => {
    const read = (chunk: Buffer) => {
      log += chunk.toString()
      // A log that is looked through at each line takes more time than what it tells of.
      if (!isReady && log.includes('"msg":"ready"')) {
        isReady = true
        done()
      }
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    exit.then(([code]) => failed(new Error(`The server ended with ${code}:\n${log}`)))
  })
  await ready
  return {
    pid: child.pid ?? 0,
    log: () => log,
    kill: () => end(child, exit, "SIGKILL").then(() => undefined),
    stop: () => end(child, exit, "SIGTERM").then(([code]) => code),
    died: exit.then(([, signal]) => signal),
  }
}

async function end(
  child: ChildProcess,
  exit: Promise<[number | null, NodeJS.Signals | null]>,
  signal: NodeJS.Signals,
) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  return exit
}
