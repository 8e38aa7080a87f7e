// The same two servers under Patroni, with etcd: nobody but Patroni promotes, rewinds and decides who must confirm.
import { chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { postgresBin, serverAccount } from "../../../scripts/stack/postgres.ts"
import { comesTrue, launch, type Running, stop } from "../../../scripts/stack/process.ts"
import { secret } from "../../../scripts/stack/secrets.ts"
import { freePort } from "../../service/settings.ts"
import type { Cluster } from "./cluster.ts"
import { createTools, type Server } from "./server.ts"

type Watched = {
  readonly server: Server
  readonly restPort: number
  readonly config: string
  patroni: Running | undefined
}

export async function startPatroniCluster(dir: string, a: Server, port: number): Promise<Cluster> {
  const tools = await createTools(dir)
  const b: Server = { name: "b", port, dataDir: `${a.dataDir}-b`, process: a.process }
  await tools.kill(a)
  const etcd = await startEtcd(dir)
  const watched = [await describe(dir, a, etcd.port), await describe(dir, b, etcd.port)] as const
  let [primary, standby]: Watched[] = [...watched]
  const isLeader = ({ restPort }: Watched) => answers(`http://127.0.0.1:${restPort}/primary`)
  const isSynchronous = ({ restPort }: Watched) => answers(`http://127.0.0.1:${restPort}/synchronous`)
  const must = async (what: string, question: () => Promise<boolean>) => {
    if (!(await comesTrue(question, 120_000))) throw new Error(`${what}; see the logs in ${dir}.`)
  }
  const run = async (one: Watched) => {
    one.patroni = await launchPatroni(dir, one)
  }
  const end = async (one: Watched) => {
    if (one.patroni !== undefined) await stop(one.patroni, "SIGKILL")
    one.server.process = await postmasterOf(one.server)
    await tools.kill(one.server)
  }
  const take = (one: Watched | undefined): Watched => {
    if (one === undefined) throw new Error("There are two.")
    return one
  }
  await run(watched[0])
  await must("Patroni does not make the first one the primary", () => isLeader(watched[0]))
  await run(watched[1])
  await must("the second does not follow", () => isSynchronous(watched[1]))
  return {
    servers: [a, b],
    primary: () => take(primary).server,
    standby: () => take(standby).server,
    failOver: async () => {
      await end(take(primary))
      ;[primary, standby] = [standby, primary]
      await must("nobody is promoted", () => isLeader(take(primary)))
    },
    startUnfenced: () => Promise.reject(new Error("Patroni does not let it.")),
    rejoin: async () => {
      await run(take(standby))
      await must("the old one does not follow", () => isSynchronous(take(standby)))
    },
    sql: tools.sql,
    close: async () => {
      for (const one of watched) await end(one)
      await stop(etcd.process)
      await rm(b.dataDir, { recursive: true, force: true })
    },
  }
}

async function startEtcd(dir: string): Promise<{ readonly port: number; readonly process: Running }> {
  const [port, peers] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  const process = await launch({
    command: "etcd",
    args: [
      ...["--data-dir", join(dir, "etcd"), "--listen-client-urls", client, "--advertise-client-urls", client],
      ...[
        "--listen-peer-urls",
        peer,
        "--initial-advertise-peer-urls",
        peer,
        "--initial-cluster",
        `default=${peer}`,
      ],
    ],
    logFile: join(dir, "log", "etcd.log"),
  })
  if (!(await comesTrue(() => answers(`${client}/health`), 30_000))) throw new Error("etcd does not come.")
  return { port, process }
}

/** YAML has JSON in it. */
async function describe(dir: string, server: Server, etcdPort: number): Promise<Watched> {
  const restPort = await freePort()
  const password = await secret(dir, "postgres-superuser")
  const superuser = { username: "postgres", password }
  const folder = join(dirname(server.dataDir), `patroni-${server.name}`)
  const parameters = {
    fsync: "off",
    max_connections: 300,
    unix_socket_directories: "",
    wal_keep_size: "512MB",
    wal_log_hints: "on",
  }
  const config = {
    scope: "paraph",
    name: server.name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, maximum_lag_on_failover: 0 },
        // Strict: without somebody who confirms, nothing is acknowledged.
        ...{ synchronous_mode: true, synchronous_mode_strict: true },
        postgresql: { use_pg_rewind: true, parameters },
      },
    },
    postgresql: {
      listen: `127.0.0.1:${server.port}`,
      connect_address: `127.0.0.1:${server.port}`,
      data_dir: server.dataDir,
      bin_dir: await postgresBin(),
      pgpass: join(folder, "pgpass"),
      authentication: { superuser, replication: superuser, rewind: superuser },
      parameters,
    },
  }
  const file = join(folder, "patroni.yml")
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify(config))
  const account = await serverAccount()
  if (account) for (const path of [folder, file]) await chown(path, account.uid, account.gid)
  await chmod(file, 0o600)
  return { server, restPort, config: file, patroni: undefined }
}

async function launchPatroni(dir: string, { server, config }: Watched): Promise<Running> {
  const account = await serverAccount()
  const logFile = join(dir, "log", `patroni-${server.name}.log`)
  return launch({ command: "patroni", args: [config], logFile, ...(account && { account }) })
}

/** The first line of its pid file; Patroni has started it, and not we. */
async function postmasterOf({ dataDir, process: before }: Server): Promise<Running> {
  const text = await readFile(join(dataDir, "postmaster.pid"), "utf8").catch(() => "")
  const pid = Number(text.split("\n")[0])
  return pid > 0 ? { pid, startedAt: before.startedAt } : before
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
