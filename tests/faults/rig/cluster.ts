// Two PostgreSQL servers, one of which follows the other and has to have everything before it counts. The first is the stack's own.
import { rm } from "node:fs/promises"
import { comesTrue, isAlive } from "../../../scripts/stack/process.ts"
import { createTools, type Server, signal, type Tools } from "./server.ts"

export type Cluster = {
  readonly servers: readonly [Server, Server]
  readonly primary: () => Server
  readonly standby: () => Server
  /** Ends the primary as a power cut would, and makes the other one the primary; resolves when it takes writes. */
  readonly failOver: (standby?: { readonly stopped: boolean }) => Promise<void>
  /** Starts what was the primary just as it was, as somebody would who knows of nothing. */
  readonly startUnfenced: () => Promise<void>
  /** Has what was the primary follow the new one; resolves when it counts as synchronous. */
  readonly rejoin: () => Promise<void>
  readonly sql: Tools["sql"]
  readonly close: () => Promise<void>
}

export async function startCluster(dir: string, a: Server, port: number): Promise<Cluster> {
  const tools = await createTools(dir)
  const b: Server = { name: "b", port, dataDir: `${a.dataDir}-b`, process: a.process }
  // Once more by our own settings, and then with somebody who follows.
  await tools.kill(a)
  await tools.start(a)
  await tools.copy(a, b)
  await tools.sql(a, "alter system set synchronous_standby_names = '*'")
  await tools.sql(a, "select pg_reload_conf()")
  await follow(tools, b, a)
  let [primary, standby] = [a, b]
  return {
    servers: [a, b],
    primary: () => primary,
    standby: () => standby,
    failOver: async ({ stopped } = { stopped: false }) => {
      await tools.kill(primary)
      if (stopped) signal(standby, "SIGCONT")
      ;[primary, standby] = [standby, primary]
      await tools.sql(primary, "select pg_promote(true, 30)")
    },
    startUnfenced: () => tools.start(standby),
    rejoin: async () => {
      if (await isAlive(standby.process)) await tools.kill(standby)
      await tools.windBack(standby, primary).catch(() => tools.copy(primary, standby))
      await follow(tools, standby, primary)
    },
    sql: tools.sql,
    close: async () => {
      await tools.kill(b)
      await tools.kill(a)
      await rm(b.dataDir, { recursive: true, force: true })
    },
  }
}

async function follow(tools: Tools, server: Server, primary: Server): Promise<void> {
  await tools.writeFollowing(server, primary)
  await tools.start(server)
  const count = "select count(*) from pg_stat_replication where sync_state = 'sync'"
  const isSynchronous = async () => (await tools.sql(primary, count).catch(() => "0")) === "1"
  if (!(await comesTrue(isSynchronous, 60_000)))
    throw new Error("The standby does not come up with the primary.")
}
