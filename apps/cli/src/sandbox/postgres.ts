// A PostgreSQL for as long as the sandbox runs: own folder, own port, loopback only.
import { execFile, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import { NotUnderstood } from "../not-understood.ts"
import { postgresFiles } from "./postgres-files.ts"
import { keptIn } from "./private-file.ts"

export type SandboxPostgres = {
  readonly env: { readonly DATABASE_URL: string; readonly DATABASE_OWNER_URL: string }
  readonly stop: () => Promise<void>
}

type Account = { readonly uid: number; readonly gid: number }

export async function startSandboxPostgres(folder: string): Promise<SandboxPostgres> {
  const files = postgresFiles(folder)
  const account = serverAccount()
  // The account that is lent must come through; what lies inside stays closed to it, but for its own.
  if (account) chmodSync(folder, 0o711)
  const data = join(folder, "database")
  const secret = (name: string) => keptIn(join(folder, name), () => randomBytes(24).toString("hex"))
  const [superuser, owner, server] = [
    await secret("superuser"),
    await secret("owner"),
    await secret("server"),
  ]
  if (!existsSync(join(data, "PG_VERSION"))) await initialise(files.initdb, folder, data, superuser, account)
  const port = await freePort()
  const log = join(folder, "postgres.log")
  const child = spawn(files.postgres, ["-D", data, ...settingsAt(port)], {
    ...account,
    cwd: folder,
    stdio: ["ignore", openSync(log, "a"), openSync(log, "a")],
  })
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  const stop = async () => {
    // PostgreSQL's "fast" shutdown: it does not wait for clients that stay connected.
    child.kill("SIGINT")
    await ended
  }
  const at = (user: string, password: string, database: string) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
  try {
    await answering(at("postgres", superuser, "postgres"), () => child.exitCode === null)
    await makeDatabase(at("postgres", superuser, "postgres"), owner, server)
  } catch (error) {
    await stop()
    throw new NotUnderstood(`PostgreSQL does not start:\n${readFileSync(log, "utf8").slice(-1000)}`, {
      cause: error,
    })
  }
  return {
    env: {
      DATABASE_URL: at("paraph_server", server, "paraph"),
      DATABASE_OWNER_URL: at("paraph", owner, "paraph"),
    },
    stop,
  }
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

/** PostgreSQL refuses to run as root, so root lends it another account. */
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    const id = (which: string) =>
      Number(execFileSync("id", [which, name], { stdio: ["ignore", "pipe", "ignore"] }))
    try {
      return { uid: id("-u"), gid: id("-g") }
    } catch {}
  }
  throw new NotUnderstood("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")
}

async function initialise(
  initdb: string,
  folder: string,
  data: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const passwordFile = join(folder, "initdb-password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (account) for (const path of [passwordFile, data]) chownSync(path, account.uid, account.gid)
  const who = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
  try {
    await promisify(execFile)(initdb, ["-D", data, "--no-sync", ...who, ...locale], {
      ...account,
      cwd: folder,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error
    throw new NotUnderstood(`PostgreSQL does not run as root, and nobody else may enter ${folder}.`, {
      cause: error,
    })
  } finally {
    rmSync(passwordFile)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === "object" && address !== null ? address.port : 0
}

async function answering(url: string, isAlive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && isAlive(); tries += 1) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    const connected = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (connected) return
    await pause(50)
  }
  throw new Error("It does not answer.")
}

/** As in production: one role that the schema belongs to, and one that the server comes by. */
async function makeDatabase(url: string, owner: string, server: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'paraph'")
    if (rowCount === 1) return
    await client.query(`create role paraph login password '${owner}'`)
    await client.query(`create role paraph_server login password '${server}'`)
    await client.query("create database paraph owner paraph")
  } finally {
    await client.end()
  }
}
