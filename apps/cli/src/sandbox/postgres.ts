// A PostgreSQL for as long as the sandbox runs: own folder, own port, loopback only.
import { spawn } from "node:child_process"
import { chmodSync, closeSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { NotUnderstood } from "../not-understood.ts"
import { type Account, serverAccount } from "./account.ts"
import { clusterIn, secretIn } from "./cluster.ts"
import { postgresFiles } from "./postgres-files.ts"

export type SandboxPostgres = {
  readonly env: { readonly DATABASE_URL: string; readonly DATABASE_OWNER_URL: string }
  readonly stop: () => Promise<void>
}

/** With the schema of this version in it. */
export async function startSandboxPostgres(folder: string): Promise<SandboxPostgres> {
  const files = postgresFiles(folder)
  const account = serverAccount()
  // The account that is lent must come through; what lies inside stays closed to it, but for its own.
  if (account) chmodSync(folder, 0o711)
  const { superuser, keep, forget } = await clusterIn(folder, files, account)
  const [owner, server] = [await secretIn(folder, "owner"), await secretIn(folder, "server")]
  const start = async (): Promise<SandboxPostgres> => {
    const { port, stop, isAlive } = await startProgram(folder, files.postgres, account)
    const at = (user: string, password: string, database: string) =>
      `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
    const env = {
      DATABASE_URL: at("paraph_server", server, "paraph"),
      DATABASE_OWNER_URL: at("paraph", owner, "paraph"),
    }
    try {
      await readied(at("postgres", superuser, "postgres"), isAlive, owner, server).catch(notStarting(folder))
      const { migrate } = await import("@paraph/store/postgres/migrate")
      await migrate(env.DATABASE_OWNER_URL, env.DATABASE_URL)
      return { env, stop }
    } catch (error) {
      await stop()
      forget()
      throw error
    }
  }
  const started = await start()
  if (keep === null) return started
  // Files of a server that runs are no copy of anything.
  await started.stop()
  keep()
  return start()
}

async function startProgram(folder: string, postgres: string, account: Account | undefined) {
  const port = await freePort()
  const log = openSync(logIn(folder), "a")
  const child = spawn(postgres, ["-D", join(folder, "database"), ...settingsAt(port)], {
    ...account,
    cwd: folder,
    stdio: ["ignore", log, log],
  })
  closeSync(log)
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  const stop = async () => {
    // PostgreSQL's "fast" shutdown: it does not wait for clients that stay connected.
    child.kill("SIGINT")
    await ended
  }
  return { port, stop, isAlive: () => child.exitCode === null }
}

const logIn = (folder: string): string => join(folder, "postgres.log")

const notStarting =
  (folder: string) =>
  (cause: unknown): never => {
    const end = readFileSync(logIn(folder), "utf8").slice(-1000)
    throw new NotUnderstood(`PostgreSQL does not start:\n${end}`, { cause })
  }

/** What is here may be lost with the machine's power. */
const settingsAt = (port: number): string[] =>
  [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    // A socket's path is limited to some 100 characters, and nobody needs one here.
    "unix_socket_directories=",
    "max_connections=60",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
  ].flatMap((setting) => ["-c", setting])

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === "object" && address !== null ? address.port : 0
}

/**
 * As in production: one role that the schema belongs to, and one that the server comes by. Their passwords are this sandbox's,
 * wherever the files come from.
 */
async function readied(url: string, isAlive: () => boolean, owner: string, server: string): Promise<void> {
  const client = await connected(url, isAlive)
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'paraph'")
    const roles = [`paraph login password '${owner}'`, `paraph_server login password '${server}'`]
    for (const role of roles) await client.query(`${rowCount === 1 ? "alter" : "create"} role ${role}`)
    if (rowCount === 0) await client.query("create database paraph owner paraph")
  } finally {
    await client.end()
  }
}

async function connected(url: string, isAlive: () => boolean): Promise<pg.Client> {
  for (let tries = 0; tries < 1_500 && isAlive(); tries += 1) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    if (isConnected) return client
    await client.end().catch(() => undefined)
    await pause(20)
  }
  throw new Error("It does not answer.")
}
