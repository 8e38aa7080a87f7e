// The real services that a server needs, in a folder of their own, on free ports of this machine.
import { mkdir, readdir, rm, rmdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { clamdAnswers, startClamd } from "./clamd.ts"
import { type Env, settings, writeEnv } from "./env.ts"
import { mailboxAnswers, startMailbox } from "./mail.ts"
import { postgresAnswers, startPostgres, stopPostgres } from "./postgres.ts"
import { isAlive, stop } from "./process.ts"
import { s3Answers, startS3 } from "./s3.ts"
import { makeSecrets, makeTls } from "./secrets.ts"
import { makeTokens } from "./softhsm.ts"
import {
  locked,
  ownedPaths,
  readState,
  type Service,
  type ServiceName,
  type State,
  usersFile,
  writeState,
} from "./state.ts"
import { startTrust, trustAnswers } from "./trust.ts"

export type Stack = {
  readonly dir: string
  readonly env: Env
  readonly services: Readonly<Record<ServiceName, Service>>
  /** What this call had to start; empty when everything was running already. */
  readonly started: readonly ServiceName[]
}

export type UpOptions = { readonly fast?: boolean }

export const root = resolve(import.meta.dirname, "..", "..")

export const serviceNames: readonly ServiceName[] = ["postgres", "s3", "clamd", "mailbox", "trust"]

/** Starts what is not running and keeps what is. */
export function up(dir: string, options: UpOptions = {}): Promise<Stack> {
  return locked(resolve(dir), async () => {
    // Whoever asks for a stack by name keeps it: test runs that share it no longer turn it off.
    await rm(usersFile(resolve(dir)), { force: true })
    return upAlone(resolve(dir), options)
  })
}

export function down(dir: string, options: { readonly purge?: boolean } = {}): Promise<void> {
  return locked(resolve(dir), () => downAlone(resolve(dir), options.purge ?? false))
}

export type Health = { readonly name: ServiceName; readonly port: number; readonly healthy: boolean }

export async function status(dir: string): Promise<readonly Health[]> {
  const state = await readState(resolve(dir))
  return Promise.all(
    serviceNames.map(async (name) => {
      const service = state.services[name]
      return {
        name,
        port: service?.port ?? 0,
        healthy: service !== undefined && (await isHealthy(name, service)),
      }
    }),
  )
}

/** For callers that hold the lock. */
export async function upAlone(dir: string, { fast = false }: UpOptions): Promise<Stack> {
  await mkdir(join(dir, "log"), { recursive: true })
  const before = await readState(dir)
  const started: ServiceName[] = []
  const outcomes = await Promise.allSettled([
    ...serviceNames.map(async (name) => {
      const earlier = before.services[name]
      if (earlier && (await isHealthy(name, earlier))) return [name, earlier] as const
      if (earlier) await stopService(name, earlier)
      const service = await startService(dir, name, fast, earlier)
      started.push(name)
      return [name, service] as const
    }),
    makeSecrets(dir),
    makeTls(dir),
    makeTokens(dir),
  ])
  const running = outcomes.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []))
  const state = { ...before, fast, services: { ...before.services, ...Object.fromEntries(running) } }
  // Also when one did not start: whoever calls `down` must find the others.
  await writeState(dir, state)
  const failed = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
  if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, failed.join("\n"))

  const services = state.services as Record<ServiceName, Service>
  const env = await settings(dir, services)
  await writeEnv(dir, env)
  return { dir, env, services, started }
}

/** For callers that hold the lock. */
export async function downAlone(dir: string, purge: boolean): Promise<void> {
  const state = await readState(dir)
  await Promise.all(
    serviceNames.map(async (name) => {
      const service = state.services[name]
      if (service) await stopService(name, service)
    }),
  )
  await rm(usersFile(dir), { force: true })
  if (purge) await remove(dir, state)
}

async function remove(dir: string, state: State): Promise<void> {
  const dataDir = state.services.postgres?.dataDir
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
  for (const path of ownedPaths) await rm(join(dir, path), { recursive: true, force: true })
  await rm(join(dir, "lock"), { force: true })
  if ((await readdir(dir)).length === 0) await rmdir(dir)
}

function startService(dir: string, name: ServiceName, fast: boolean, earlier?: Service): Promise<Service> {
  if (name === "postgres") return startPostgres(dir, fast, earlier)
  if (name === "clamd") return startClamd(dir, earlier)
  if (name === "trust") return startTrust(dir, earlier)
  return name === "s3" ? startS3(root, dir, earlier) : startMailbox(dir, earlier)
}

function stopService(name: ServiceName, service: Service): Promise<void> {
  return name === "postgres" ? stopPostgres(service) : stop(service.process)
}

async function isHealthy(name: ServiceName, service: Service): Promise<boolean> {
  if (!(await isAlive(service.process))) return false
  if (name === "postgres") return postgresAnswers(service.port)
  if (name === "clamd") return clamdAnswers(service.port)
  if (name === "trust") return trustAnswers(service.port)
  return name === "s3" ? s3Answers(service.port) : mailboxAnswers(service.httpPort ?? 0)
}
