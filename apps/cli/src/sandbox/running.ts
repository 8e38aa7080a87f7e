import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { NotUnderstood } from "../not-understood.ts"
import { writePrivate } from "./private-file.ts"

/** What the other commands know of a sandbox that runs. */
export type Running = {
  readonly pid: number
  readonly url: string
  readonly mails: string
  readonly folder: string
}

const home = () => join(homedir(), ".paraph")
const file = () => join(home(), "sandbox.json")

export async function noteRunning(running: Running): Promise<void> {
  mkdirSync(home(), { recursive: true, mode: 0o700 })
  await writePrivate(file(), JSON.stringify(running))
  await writePrivate(join(running.folder, "running.json"), JSON.stringify(running))
}

export function forgetRunning({ pid }: Pick<Running, "pid">): void {
  if (read(file())?.pid === pid) rmSync(file(), { force: true })
}

/** The one in that folder, or the last that was started. */
export function findRunning(folder: string | undefined): Running {
  const found = read(folder === undefined ? file() : join(folder, "running.json"))
  if (found === null || !isAlive(found.pid)) throw new NotUnderstood("No sandbox runs here: paraph sandbox")
  return found
}

const read = (path: string): Running | null =>
  existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
