// Starts the trust service (trust-service.ts) as a process of its own.
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { comesTrue, isAlive, launch, portAgain, stop } from "./process.ts"
import type { Service } from "./state.ts"

export async function startTrust(dir: string, earlier?: Service): Promise<Service> {
  for (const folder of [join(dir, "trust"), clocksFolder(dir)])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  const logFile = join(dir, "log", "trust.log")
  const port = await portAgain(earlier?.port)
  const program = join(import.meta.dirname, "trust-service.ts")
  const running = await launch({
    command: process.execPath,
    args: [program, String(port), join(dir, "trust"), clocksFolder(dir), trustRootFile(dir)],
    logFile,
  })
  const isReady = async () => existsSync(trustRootFile(dir)) && (await trustAnswers(port))
  const decided = async () => (await isReady()) || !(await isAlive(running))
  await comesTrue(decided, 20_000)
  if (!(await isReady())) {
    await stop(running)
    throw new Error(`The trust service does not start; see ${logFile}`)
  }
  return { port, process: running }
}

/** The list of the root is there once the root is. */
export async function trustAnswers(port: number): Promise<boolean> {
  const asked = fetch(`${trustUrl(port)}/now/crl/root.crl`, { signal: AbortSignal.timeout(2_000) })
  return asked.then(
    (answer) => answer.ok,
    () => false,
  )
}

export const trustUrl = (port: number): string => `http://127.0.0.1:${port}`

export const trustRootFile = (dir: string): string => join(dir, "trust", "root.pem")

/** Where a test says by how much its service is ahead. */
export const clocksFolder = (dir: string): string => join(dir, "clocks")
