import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Received, type Receiver, type Reply, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness } from "../service/users.ts"

/** Until somebody has made the table. */
const WAITS =
  "do $$ begin while not exists (select from pg_class where relname = 'now_it_may_commit') loop perform pg_sleep(0.05); end loop; end $$;"
const CALLBACKS = 10_000
const PER_LINE = 4

/**
 * The calls are put into the table of deliveries as the service puts them there, by SQL and many at a time: ten thousand
 * requests over HTTP would take an hour and show the same. The worker, its database and the receivers are real.
 */
describe("receivers that misbehave", { timeout: 300_000 }, () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { DELIVERY_PAUSE_MS: "20" } })
  })
  afterAll(() => service?.close())

  /** So many requests of a business, each with callbacks to one URL of its own; those behind the first wait for it. */
  const owe = (business: string, url: string, requests: number, perLine: number) => `
    insert into delivery (id, business_id, kind, subject_id, line, type, url, readers, state, due_at, give_up_at, created_at, updated_at)
    select gen_random_uuid(), '${business}', 'demo', r.id, sha256(convert_to(r.id::text, 'UTF8')), 'update',
           '${url}/' || r.id || '/' || n, '{}', 'OPEN', case when n = 1 then now() else 'infinity' end,
           now() + interval '72 hours', now(), now()
      from (select gen_random_uuid() as id from generate_series(1, ${requests})) as r cross join generate_series(1, ${perLine}) as n
     order by r.id, n;`
  const nothingIsOwed = async () =>
    (await service.sql("select pg_sleep(0.5), count(*) from delivery where state = 'OPEN'")) === "|0"

  it("[R16] [EVT-07 v2] 10,000 callbacks to a receiver that fails, hangs, resets, redirects and recovers: each comes at least once, in order per request and URL, none before its commit", async () => {
    const seen = new Map<string, number>()
    const receiver = await startReceiver(({ path }) => misbehaving(path, seen))
    try {
      // Not before its commit: what is in a transaction that waits is called when that has ended, and not earlier.
      const late = service.sql(
        `begin; ${owe(service.business, `${receiver.url}/late`, 50, 1)} ${WAITS} commit;`,
      )
      await service.sql(owe(service.business, receiver.url, CALLBACKS / PER_LINE, PER_LINE))
      await until("some have come", () => receiver.received.length > 100)
      expect(callsOf(receiver, "/late")).toEqual([])
      await service.sql("create table now_it_may_commit ()")
      await late
      await until("each has come", () => seen.size === CALLBACKS + 50, 240_000)
      await until("nothing is owed any more", nothingIsOwed, 240_000)
      expect(callsOf(receiver, "/late")).toHaveLength(50)

      const rows = (await service.sql("select url from delivery where url not like '%/late/%'")).split("\n")
      expect(rows).toHaveLength(CALLBACKS)
      const delivered = receiver.received.filter(({ path }) => !path.startsWith("/late"))
      const paths = new Set(delivered.map(({ path }) => path))
      expect(rows.filter((url) => !paths.has(new URL(url).pathname))).toEqual([])
      expect(outOfOrder(delivered)).toEqual([])
      // It did misbehave: a good part was called more than once.
      expect(delivered.length).toBeGreaterThan(CALLBACKS * 1.2)
    } finally {
      await receiver.close()
    }
  })

  it("10,000 dead receivers of one business delay another's callbacks by under 1 s at p95", async () => {
    const dead = await startReceiver(() => "hang")
    const good = await startReceiver()
    try {
      const [slow, other] = [await addBusiness(service, "Slow AG"), await addBusiness(service, "Other AG")]
      await service.sql(owe(slow, dead.url, CALLBACKS, 1))
      await until("the dead ones are being called", () => dead.received.length >= 8)
      // One every 50 milliseconds, each due at a moment that is known.
      await service.sql(`${owe(other, good.url, 100, 1)}
        update delivery set due_at = moment, created_at = moment
          from (select id, now() + interval '1 second' + row_number() over () * interval '50 milliseconds' as moment
                  from delivery where business_id = '${other}') as at where at.id = delivery.id;`)
      await until("they are called", () => good.received.length === 100, 240_000)
      const rows = await service.sql(
        `select url, extract(epoch from created_at) * 1000 from delivery where business_id = '${other}'`,
      )
      const dueAt = new Map(
        rows.split("\n").map((row) => [new URL(row.split("|")[0] ?? "").pathname, Number(row.split("|")[1])]),
      )
      const delays = good.received
        .map(({ path, at }) => performance.timeOrigin + at - (dueAt.get(path) ?? 0))
        .toSorted((a, b) => a - b)
      expect(delays[94]).toBeLessThan(1000)
      const dying = `select count(*) from delivery where url like '${dead.url}/%' and state = 'OPEN'`
      expect(await service.sql(dying)).toBe(String(CALLBACKS))
    } finally {
      await Promise.all([dead.close(), good.close()])
    }
  })
})

const callsOf = ({ received }: Receiver, prefix: string) =>
  received.filter(({ path }) => path.startsWith(prefix))

/** Three in ten fail at their first call, each in one way, and all recover. Few hang, since each takes 15 seconds. */
function misbehaving(path: string, seen: Map<string, number>): Reply {
  const calls = (seen.get(path) ?? 0) + 1
  seen.set(path, calls)
  const number = Number.parseInt(path.slice(1, 9), 16)
  const kind = number % 100
  if (path.startsWith("/late") || calls > 2) return { status: 200 }
  if (calls === 2) return kind < 10 ? { status: 503, headers: { "retry-after": "1" } } : { status: 204 }
  if (kind < 10) return { status: 500 }
  if (kind < 20) return "reset"
  if (kind < 30) return { status: 302, headers: { location: "/elsewhere" } }
  return number % 250 === 99 && path.endsWith("/1") ? "hang" : { status: 200 }
}

/** For each line: the first success of a call comes before any call of the next one. */
function outOfOrder(received: readonly Received[]): readonly string[] {
  const reached = new Map<string, number>()
  return received.flatMap(({ path }) => {
    const [, request = "", n = ""] = path.split("/")
    const furthest = reached.get(request) ?? 0
    reached.set(request, Math.max(furthest, Number(n)))
    return Number(n) === furthest || Number(n) === furthest + 1 ? [] : [path]
  })
}
