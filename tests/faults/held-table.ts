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

/** Resolves when so many transactions wait for a lock. */
export const untilWaiting = (service: Service, count: number): Promise<boolean> =>
  until(`${count} wait for a lock`, async () => (await waiting(service)) === count)

async function waiting(service: Service): Promise<number> {
  const pids = await active(service, "wait_event_type = 'Lock'")
  return pids === "" ? 0 : pids.split("\n").length
}

const active = ({ sql }: Service, what: string): Promise<string> =>
  sql(`select pid from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and state = 'active' and ${what}`)
