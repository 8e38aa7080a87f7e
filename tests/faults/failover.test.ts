import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isPartDown } from "@paraph/store/part-down"
import { type OpenDatabase, openDatabase } from "@paraph/store/postgres/database"
import { migrate } from "@paraph/store/postgres/migrate"
import { sql } from "kysely"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { databaseUrls, startPostgres } from "../../scripts/stack/postgres.ts"
import { makeSecrets } from "../../scripts/stack/secrets.ts"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"
import { type Cluster, startCluster } from "./rig/cluster.ts"
import { signal } from "./rig/server.ts"

// Security, R31, F03 to F06: two servers, of which one follows the other.
describe("a database with a standby", { timeout: 120_000 }, () => {
  let parent: string
  let cluster: Cluster
  let opened: OpenDatabase
  let [owner, server] = ["", ""]
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "paraph-cluster-"))
    const dir = join(parent, "stack")
    await mkdir(join(dir, "log"), { recursive: true })
    await makeSecrets(dir)
    const { port, dataDir = "", process } = await startPostgres(dir, false)
    const urls = await databaseUrls(dir, port)
    cluster = await startCluster(dir, { name: "a", port, dataDir, process }, await freePort())
    const [a, b] = cluster.servers
    const byBoth = (url: string) =>
      url.replace(`127.0.0.1:${port}`, `127.0.0.1:${a.port},127.0.0.1:${b.port}`)
    owner = byBoth(urls.DATABASE_OWNER_URL)
    server = byBoth(urls.DATABASE_URL)
    opened = openDatabase(owner, { max: 4, name: "paraph-test" })
    await sql`create table note (text text primary key)`.execute(opened.db)
  }, 120_000)
  afterAll(async () => {
    await opened?.close()
    await cluster?.close()
    await rm(parent, { recursive: true, force: true })
  })
  afterEach(() => signal(cluster.standby(), "SIGCONT"))

  const write = (text: string) =>
    opened.db.transaction().execute((trx) => sql`insert into note values (${text})`.execute(trx))
  /** As a good client does: again, until it is told that it is there. */
  const writeAtLast = (text: string) =>
    until(
      `${text} is written`,
      () =>
        write(text).then(
          () => true,
          () => false,
        ),
      30_000,
    )
  const notes = async () =>
    (await sql<{ text: string }>`select text from note order by text`.execute(opened.db)).rows.map(
      ({ text }) => text,
    )
  const waiters = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: Error) => error,
    )

  it("[R31] a commit whose wait for the standby is cancelled is not acknowledged, though PostgreSQL says that it is", async () => {
    signal(cluster.standby(), "SIGSTOP")
    const writing = refusal(write("cancelled"))
    await until("it waits", async () => (await cluster.sql(cluster.primary(), waiters)) === "1")
    await cluster.sql(
      cluster.primary(),
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
    )
    const error = await writing
    expect([error?.name, isPartDown(error)]).toEqual(["OutcomeUnknown", true])
    // It is here all the same, and would be lost with this server.
    expect(await notes()).toEqual(["cancelled"])
  })

  it("[R31] a standby that stands still: the answer is after five seconds that nobody knows", async () => {
    signal(cluster.standby(), "SIGSTOP")
    const started = performance.now()
    const error = await refusal(write("late"))
    expect([error?.name, isPartDown(error)]).toEqual(["OutcomeUnknown", true])
    expect(performance.now() - started).toBeLessThan(15_000)
    signal(cluster.standby(), "SIGCONT")
    await until("it comes through", async () => (await notes()).includes("late"))
  })

  it("[R31] the primary is killed: the promoted standby is found, and has whatever was acknowledged", async () => {
    await writeAtLast("before")
    await cluster.failOver()
    const following = cluster.rejoin()
    await writeAtLast("after")
    await following
    expect(await notes()).toEqual(expect.arrayContaining(["before", "after"]))
  })

  it("[R31] the schema is brought to both by the address of both, whoever of them is the primary", async () => {
    expect((await migrate(owner, server)).length).toBeGreaterThan(20)
    await cluster.failOver()
    await cluster.rejoin()
    expect(await migrate(owner, server)).toEqual([])
  })

  it("[R31] what was the primary comes back and knows of nothing: nobody goes there", async () => {
    await cluster.failOver()
    await cluster.startUnfenced()
    const writing = writeAtLast("where it counts")
    const told = "select count(*) from pg_stat_activity where application_name = 'paraph-test'"
    expect(await cluster.sql(cluster.standby(), told)).toBe("0")
    await cluster.rejoin()
    await writing
    expect(
      await cluster.sql(
        cluster.primary(),
        "select count(*) from note where text = 'where it counts'",
        "paraph",
      ),
    ).toBe("1")
    expect(await cluster.sql(cluster.standby(), told)).toBe("0")
  })

  it("[R31] nor does who was there before, and does not hear the new one yet", async () => {
    await writeAtLast("known")
    const [known] = [cluster.primary()]
    await cluster.failOver()
    await cluster.startUnfenced()
    signal(cluster.primary(), "SIGSTOP")
    try {
      expect(isPartDown(await refusal(write("nowhere")))).toBe(true)
      const told = "select count(*) from pg_stat_activity where application_name = 'paraph-test'"
      expect([known.port === cluster.standby().port, await cluster.sql(cluster.standby(), told)]).toEqual([
        true,
        "0",
      ])
    } finally {
      signal(cluster.primary(), "SIGCONT")
      await cluster.rejoin()
    }
    await writeAtLast("heard at last")
  })

  it("[R31] who starts then, and hears of no other, does not take it for the primary: it waits until the other is heard", async () => {
    await cluster.failOver()
    await cluster.startUnfenced()
    signal(cluster.primary(), "SIGSTOP")
    const late = openDatabase(server, { max: 1, name: "paraph-late" })
    const at = () => sql<{ port: number }>`select inet_server_port() as port`.execute(late.db)
    try {
      expect(isPartDown(await refusal(at()))).toBe(true)
      signal(cluster.primary(), "SIGCONT")
      expect((await at()).rows[0]?.port).toBe(cluster.primary().port)
    } finally {
      signal(cluster.primary(), "SIGCONT")
      await late.close()
      await cluster.rejoin()
    }
  })
})
