// A PostgreSQL of our own: own data folder, own port, loopback only.
import { randomBytes } from "node:crypto"
import { existsSync, globSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Account, comesTrue, isAlive, launch, portAgain, type Running, run, stop } from "./process.ts"
import { secret } from "./secrets.ts"
import type { Service } from "./state.ts"

export async function startPostgres(dir: string, fast: boolean, earlier?: Service): Promise<Service> {
  const bin = await postgresBin()
  const account = await serverAccount()
  const dataDir = earlier?.dataDir ?? (await dataFolder(dir, account))
  if (!existsSync(join(dataDir, "PG_VERSION"))) await initialise(dir, bin, dataDir, account)

  const port = await portAgain(earlier?.port)
  const running = await launchUntilReady(dir, bin, dataDir, port, fast, account)
  await makeDatabase(dir, bin, port)
  return { port, process: running, dataDir }
}

/** SIGINT is PostgreSQL's "fast" shutdown: it does not wait for clients that stay connected. */
export function stopPostgres(service: Service): Promise<void> {
  return stop(service.process, "SIGINT")
}

export async function postgresAnswers(port: number): Promise<boolean> {
  const bin = await postgresBin()
  const asked = run(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)])
  return asked.then(
    () => true,
    () => false,
  )
}

/** By the role that the server comes by, and by the one that the schema belongs to. */
export async function databaseUrls(dir: string, port: number) {
  const server = await secret(dir, "postgres-paraph-server")
  const owner = await secret(dir, "postgres-paraph")
  return {
    DATABASE_URL: `postgresql://paraph_server:${server}@127.0.0.1:${port}/paraph`,
    DATABASE_OWNER_URL: `postgresql://paraph:${owner}@127.0.0.1:${port}/paraph`,
  }
}

export async function postgresBin(): Promise<string> {
  const asked = await run("pg_config", ["--bindir"])
    .then(({ stdout }) => stdout.trim())
    .catch(() => "")
  const byVersion = globSync("/usr/lib/postgresql/*/bin").sort(
    (a, b) => Number(b.split("/")[4]) - Number(a.split("/")[4]),
  )
  // pg_config may come with the client library alone, so what counts is the server beside it.
  const found = [asked, ...byVersion].find((bin) => bin && existsSync(join(bin, "initdb")))
  if (!found) throw new Error("No PostgreSQL server found (initdb). Run: npm run setup")
  return found
}

/** PostgreSQL refuses to run as root, so root lends it another account. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    const uid = await run("id", ["-u", name]).catch(() => undefined)
    const gid = await run("id", ["-g", name]).catch(() => undefined)
    if (uid && gid) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")
}

/** Inside the stack's folder where the server's account can reach it (a home folder is often closed), else in tmp. */
async function dataFolder(dir: string, account: Account | undefined): Promise<string> {
  const wanted = join(dir, "postgres")
  await mkdir(wanted, { recursive: true, mode: 0o700 })
  if (!account) return wanted
  await chown(wanted, account.uid, account.gid)
  const reachable = await run("test", ["-w", wanted], { ...account, cwd: "/" }).catch(() => undefined)
  if (reachable) return wanted
  await rm(wanted, { recursive: true })
  const elsewhere = await mkdtemp(join(tmpdir(), "paraph-postgres-"))
  await chown(elsewhere, account.uid, account.gid)
  return elsewhere
}

async function initialise(dir: string, bin: string, dataDir: string, account?: Account): Promise<void> {
  const passwordFile = join(tmpdir(), `paraph-initdb-${randomBytes(8).toString("hex")}`)
  await writeFile(passwordFile, await secret(dir, "postgres-superuser"), { mode: 0o600, flag: "wx" })
  if (account) await chown(passwordFile, account.uid, account.gid)
  const options = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
  try {
    await run(join(bin, "initdb"), ["-D", dataDir, ...options, ...locale], { ...account, cwd: "/" })
    await chmod(dataDir, 0o700)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function launchUntilReady(
  dir: string,
  bin: string,
  dataDir: string,
  port: number,
  fast: boolean,
  account?: Account,
): Promise<Running> {
  const logFile = join(dir, "log", "postgres.log")
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    // A socket's path is limited to some 100 characters, and nobody needs one here.
    "unix_socket_directories=",
    "max_connections=300",
    // For tests that may lose their data with the machine's power, and only for them.
    // Databases that live for seconds need no vacuum; and nobody but a superuser can drop one while it is vacuumed.
    ...(fast ? ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"] : []),
  ].flatMap((setting) => ["-c", setting])
  const command = join(bin, "postgres")
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const running = await launch({
      command,
      args: ["-D", dataDir, ...settings],
      logFile,
      ...(account && { account }),
    })
    const ready = async () => (await postgresAnswers(port)) || !(await isAlive(running))
    await comesTrue(ready, 30_000)
    // After a kill −9 the old server's children may hold its memory for a moment: then it ends, and we try again.
    if (await isAlive(running)) return running
  }
  throw new Error(
    `PostgreSQL does not start; see ${logFile}:\n${(await readFile(logFile, "utf8")).slice(-1000)}`,
  )
}

/**
 * As in production: one role that the schema belongs to, and one that the server comes by. The first is no superuser either; it may
 * create databases, because each test has its own.
 */
async function makeDatabase(dir: string, bin: string, port: number): Promise<void> {
  const password = await secret(dir, "postgres-paraph")
  const serverPassword = await secret(dir, "postgres-paraph-server")
  const sql = `
    select format('create role paraph login createdb password %L', '${password}')
      where not exists (select from pg_roles where rolname = 'paraph') \\gexec
    select format('create role paraph_server login password %L', '${serverPassword}')
      where not exists (select from pg_roles where rolname = 'paraph_server') \\gexec
    -- So that a test sees what the server's role waits for, and can end it.
    grant pg_read_all_stats, pg_signal_backend to paraph;
    select 'create database paraph owner paraph'
      where not exists (select from pg_database where datname = 'paraph') \\gexec`
  const env = { ...process.env, PGPASSWORD: await secret(dir, "postgres-superuser") }
  const target = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", "postgres"]
  const asked = run(join(bin, "psql"), ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", ...target], { env })
  asked.child.stdin?.end(sql)
  await asked
}
