import { expect } from "vitest"
import type { Service } from "../service/service.ts"
import { until } from "../service/until.ts"

/** Somebody else has the table: who wants to write waits within a transaction, when all else is done. */
export async function holdTable(service: Service, table: string) {
  const held = service
    .sql(`begin; lock table ${table} in share mode; select pg_sleep(60)`)
    .catch(() => "ended")
  const pid = await until("the table is held", () => active(service, "wait_event = 'PgSleep'"))
  return {
    letGo: async () => {
      await service.sql(`select pg_terminate_backend(${pid})`)
      expect(await held).toBe("ended")
    },
  }
}

/** Resolves when so many wait to insert into it; the sweep waits too, and is not counted. */
export const untilWaiting = (service: Service, table: string, count: number): Promise<boolean> =>
  until(`${count} wait for the table`, async () => {
    const pids = await active(service, `wait_event_type = 'Lock' and query ~ '^insert into "${table}"'`)
    return pids.split("\n").filter(Boolean).length === count
  })

const active = ({ sql }: Service, what: string): Promise<string> =>
  sql(`select pid from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and state = 'active' and ${what}`)
