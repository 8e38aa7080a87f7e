import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createScanner } from "../scanner.ts"

/** The stack's clamd knows this text too (scripts/stack/clamd.ts). */
export const PLANTED = "PARAPH-TEST-PLANTED-MALWARE"

export type OwnClamd = {
  readonly address: string
  readonly folder: string
  readonly process: ChildProcess
  readonly close: () => Promise<void>
}

/** A clamd that one test may stop, kill and configure: its own defaults, and these lines. */
export async function startOwnClamd(...lines: readonly string[]): Promise<OwnClamd> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-clamd-"))
  const socket = join(folder, "clamd.sock")
  const signature = `Paraph.Test.Planted:0:*:${Buffer.from(PLANTED).toString("hex")}\n`
  await writeFile(join(folder, "paraph.ndb"), signature)
  const config = ["Foreground yes", `LocalSocket ${socket}`, `TemporaryDirectory ${folder}`]
  const database = [`DatabaseDirectory ${folder}`, "DisableCache yes"]
  await writeFile(join(folder, "clamd.conf"), `${[...config, ...database, ...lines].join("\n")}\n`)

  const program = existsSync("/usr/sbin/clamd") ? "/usr/sbin/clamd" : "clamd"
  const process = spawn(program, ["--config-file", join(folder, "clamd.conf")], {
    stdio: "ignore",
    // The time of its signatures is told in the zone in which it runs.
    env: { TZ: "UTC" },
  })
  const close = async () => {
    if (process.exitCode === null && process.signalCode === null) {
      process.kill("SIGKILL")
      await once(process, "exit")
    }
    await rm(folder, { recursive: true, force: true })
  }
  const address = `unix:${socket}`
  const { health } = createScanner({ address })
  const deadline = Date.now() + 30_000
  while (!(await health().then(Boolean, () => false))) {
    if (process.exitCode !== null || Date.now() > deadline) {
      await close()
      throw new Error("clamd does not start.")
    }
    await pause(25)
  }
  return { address, folder, process, close }
}
