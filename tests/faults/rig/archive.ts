// A PostgreSQL server that archives its write-ahead log, and others that are made of a copy of it and what it archived.
import { cp, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { comesTrue } from "../../../scripts/stack/process.ts"
import { createTools, type Server } from "./server.ts"

export type Archive = {
  /** The time of the server, by which it can be set back. */
  readonly now: () => Promise<string>
  /** Resolves when all that was written is in the archive. */
  readonly complete: () => Promise<void>
  /** Another server, as this one was at that moment; resolves when it takes writes. */
  readonly restore: (moment: string, port: number) => Promise<Restored>
  readonly close: () => Promise<void>
}

export type Restored = { readonly port: number; readonly close: () => Promise<void> }

export async function startArchive(dir: string, server: Server): Promise<Archive> {
  const tools = await createTools(dir)
  const [archive, base] = [`${server.dataDir}-archive`, `${server.dataDir}-base`]
  await mkdir(archive, { mode: 0o700 })
  await tools.give(archive)
  await tools.sql(server, "alter system set archive_mode = on")
  await tools.sql(server, `alter system set archive_command = 'cp %p ${archive}/%f'`)
  await tools.kill(server)
  await tools.start(server)
  await tools.copy(server, { ...server, dataDir: base })
  return {
    now: () => tools.sql(server, "select clock_timestamp()"),
    complete: async () => {
      const last = await tools.sql(server, "select pg_walfile_name(pg_switch_wal())")
      const isThere = async () =>
        (await tools.sql(server, "select coalesce(last_archived_wal, '') from pg_stat_archiver")) >= last
      if (!(await comesTrue(isThere, 60_000))) throw new Error("The log is not archived.")
    },
    restore: async (moment, port) => {
      const dataDir = `${server.dataDir}-${port}`
      await cp(base, dataDir, { recursive: true })
      const lines = [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${moment}'`,
        "recovery_target_action = promote",
        "archive_mode = off",
        "",
      ]
      await writeFile(join(dataDir, "postgresql.auto.conf"), lines.join("\n"))
      await writeFile(join(dataDir, "recovery.signal"), "")
      await tools.give(dataDir)
      const restored: Server = { ...server, name: "restored", port, dataDir }
      await tools.start(restored)
      const takesWrites = async () =>
        (await tools.sql(restored, "select pg_is_in_recovery()").catch(() => "t")) === "f"
      if (!(await comesTrue(takesWrites, 120_000))) throw new Error(`Not set back; see the logs in ${dir}.`)
      return {
        port,
        close: async () => {
          await tools.kill(restored)
          await rm(dataDir, { recursive: true, force: true })
        },
      }
    },
    close: async () => {
      for (const folder of [archive, base]) await rm(folder, { recursive: true, force: true })
    },
  }
}
