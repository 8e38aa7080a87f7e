// What a stack remembers between commands: stack.json in its folder, and a lock so that two commands take turns.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import { comesTrue, isAlive, ownProcess, type Running } from "./process.ts"

export type ServiceName = "postgres" | "s3" | "clamd" | "mailbox" | "trust"

export type Service = {
  readonly port: number
  readonly process: Running
  /** The mailbox has a second port, for people and tests. */
  readonly httpPort?: number
  /** Where PostgreSQL keeps its data, when that could not be inside the stack's folder. */
  readonly dataDir?: string
}

export type State = {
  readonly fast: boolean
  readonly services: Readonly<Partial<Record<ServiceName, Service>>>
}

export const emptyState: State = { fast: false, services: {} }

/** Everything a stack writes; `down --purge` removes these and nothing else, so a stack may live inside another. */
export const ownedPaths = [
  "postgres",
  "s3",
  "softhsm",
  "clamd",
  "mailbox",
  "tls",
  "trust",
  "clocks",
  "identity",
  "secrets",
  "log",
  "users",
  "env",
  "stack.json",
] as const

/** The test runs that share a stack; there is none for a stack that was started by hand. */
export function usersFile(dir: string): string {
  return join(dir, "users")
}

export async function readState(dir: string): Promise<State> {
  const text = await readFile(join(dir, "stack.json"), "utf8").catch(() => undefined)
  return text === undefined ? emptyState : (JSON.parse(text) as State)
}

export async function writeState(dir: string, state: State): Promise<void> {
  await writePrivate(join(dir, "stack.json"), `${JSON.stringify(state, null, 2)}\n`)
}

/** One command at a time per folder. A lock whose holder died is taken over. */
export async function locked<T>(dir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  const path = join(dir, "lock")
  const me = JSON.stringify(await ownProcess())
  if (!(await comesTrue(() => takeLock(path, me), 120_000)))
    throw new Error(`Another command holds ${path}; remove it if you are sure that none does.`)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function takeLock(path: string, me: string): Promise<boolean> {
  try {
    await writeFile(path, me, { flag: "wx", mode: 0o600 })
    return true
  } catch {
    const holder = await readFile(path, "utf8").catch(() => undefined)
    // A lock that is still empty is being written this moment.
    if (holder && !(await isAlive(JSON.parse(holder) as Running))) await rm(path, { force: true })
    return false
  }
}
