// One PostgreSQL server of the two: how it is started, ended, asked and copied.
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { postgresAnswers, postgresBin, serverAccount } from "../../../scripts/stack/postgres.ts"
import {
  type Account,
  comesTrue,
  isAlive,
  launch,
  type Running,
  run,
} from "../../../scripts/stack/process.ts"
import { secret } from "../../../scripts/stack/secrets.ts"
import { childrenOf } from "../../service/children.ts"

export type Server = {
  readonly name: "a" | "b" | "restored"
  readonly port: number
  readonly dataDir: string
  process: Running
}

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=300",
  // The faults here end processes, not the machine: what was handed to the system stays.
  "fsync=off",
  // So that the one that was the primary can be wound back to where the other left it.
  "wal_log_hints=on",
  "wal_keep_size=512MB",
  "wal_sender_timeout=5s",
  "wal_receiver_timeout=5s",
  "wal_retrieve_retry_interval=200ms",
]

export type Tools = {
  /** To the account that the servers run by, with all that is in it. */
  readonly give: (path: string) => Promise<void>
  readonly start: (server: Server) => Promise<void>
  readonly kill: (server: Server) => Promise<void>
  readonly sql: (server: Server, statement: string, database?: string) => Promise<string>
  /** A copy of the one is where the other keeps its data. */
  readonly copy: (from: Server, to: Server) => Promise<void>
  /** What the one has and the other never got is undone. */
  readonly windBack: (server: Server, to: Server) => Promise<void>
  /** Writes down whom it follows, and that it needs somebody who follows it, should it be the primary one day. */
  readonly writeFollowing: (server: Server, primary: Server) => Promise<void>
}

export async function createTools(dir: string): Promise<Tools> {
  const bin = await postgresBin()
  const account = await serverAccount()
  const password = await secret(dir, "postgres-superuser")
  const env = { ...process.env, PGPASSWORD: password, PGCONNECT_TIMEOUT: "3" } as Record<string, string>
  const tool = (name: string, ...words: string[]) =>
    run(join(bin, name), words, { ...account, cwd: "/", env, timeout: 60_000 })
  const give = async (path: string) => {
    if (account) await run("chown", ["-R", `${account.uid}:${account.gid}`, path])
  }
  return {
    give,
    start: async (server) => {
      for (const until = Date.now() + 60_000; Date.now() < until; ) {
        server.process = await launchServer(dir, bin, server, account)
        const isDecided = async () => (await postgresAnswers(server.port)) || !(await isAlive(server.process))
        await comesTrue(isDecided, 60_000)
        // After a kill the old server's children may hold its memory for a moment: then it ends, and is started again.
        if (await isAlive(server.process)) return
      }
      throw new Error(`PostgreSQL ${server.name} does not come; see the logs in ${dir}.`)
    },
    kill: async (server) => {
      signal(server, "SIGKILL")
      await comesTrue(async () => !(await isAlive(server.process)), 10_000)
    },
    sql: async ({ port }, statement, database = "postgres") => {
      const url = `postgresql://postgres@127.0.0.1:${port}/${database}`
      const { stdout } = await tool("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, url)
      return stdout.trim()
    },
    copy: async (from, to) => {
      await rm(to.dataDir, { recursive: true, force: true })
      await mkdir(to.dataDir, { mode: 0o700 })
      await give(to.dataDir)
      const whole = ["-c", "fast", "-X", "stream", "--no-sync"]
      await tool("pg_basebackup", "-D", to.dataDir, "-d", conninfo(from), ...whole)
    },
    windBack: async (server, to) => {
      await tool("pg_rewind", "-D", server.dataDir, `--source-server=${conninfo(to)}`, "--no-sync")
    },
    writeFollowing: async (server, primary) => {
      const source = `${conninfo(primary)} password=${password} application_name=${server.name}`
      const lines = ["synchronous_standby_names = '*'", `primary_conninfo = '${source}'`, ""]
      for (const [name, text] of [
        ["standby.signal", ""],
        ["postgresql.auto.conf", lines.join("\n")],
      ] as const) {
        await writeFile(join(server.dataDir, name), text)
        await give(join(server.dataDir, name))
      }
    },
  }
}

/** To all of its processes: they are in sessions of their own, and outlive the first of them for a moment. */
export function signal({ process: { pid } }: Server, name: NodeJS.Signals): void {
  for (const one of [pid, ...childrenOf(pid).map((child) => child.pid)])
    try {
      process.kill(one, name)
    } catch {
      // It has ended by itself.
    }
}

const conninfo = ({ port }: Server): string => `host=127.0.0.1 port=${port} user=postgres dbname=postgres`

function launchServer(dir: string, bin: string, server: Server, account?: Account): Promise<Running> {
  const settings = [...SETTINGS, `port=${server.port}`].flatMap((setting) => ["-c", setting])
  return launch({
    command: join(bin, "postgres"),
    args: ["-D", server.dataDir, ...settings],
    logFile: join(dir, "log", `postgres-${server.name}.log`),
    ...(account && { account }),
  })
}
