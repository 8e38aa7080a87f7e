import { afterAll, beforeAll, expect, it } from "vitest"
import type { Answer, Api } from "../service/api.ts"
import { createRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const CONNECTIONS = 4
const SLOW_CALLS = 30

let service: Service
let other: Api
beforeAll(async () => {
  service = await startService({ worker: false, env: { DATABASE_CONNECTIONS: String(CONNECTIONS) } })
  other = await addUser(service, "other", { business: await addBusiness(service, "Other AG") })
})
afterAll(() => service?.close())

it("one business with many slow calls holds half of the connections, and another waits for none of them", async () => {
  const { body } = await createRequest(service.caller, "v3", await uploadTo(service.caller, "v3"))
  const row = await holdRequest(body.id)
  const answered: Answer[] = []
  const slow = Array.from({ length: SLOW_CALLS }, async (_, n) => {
    const answer = await service.caller.patch(`/v3/signature-requests/${body.id}`, { message: `${n}` })
    answered.push(answer)
    return answer.status
  })
  await until("half of the connections wait for the row", async () => (await waiting()) === CONNECTIONS / 2)

  // All of this happens while not one of the slow calls comes to its end.
  const created = await createRequest(other, "v3", await uploadTo(other, "v3"))
  const path = `/v3/signature-requests/${created.body.id}`
  const calls = [
    ...Array.from({ length: 20 }, () => other.get(path)),
    other.patch(path, { message: "Meanwhile." }),
    other.get("/v3/signature-requests"),
    other.get("/v3/documents"),
  ]
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  expect([answered.length, await waiting()]).toEqual([0, CONNECTIONS / 2])

  await row.letGo()
  expect(await Promise.all(slow)).toEqual(Array(SLOW_CALLS).fill(200))
})

/** Somebody else has the row of the request: whoever wants to change it waits within a transaction. */
async function holdRequest(id: string) {
  const held = service
    .sql(`begin; select id from signature_request where id = '${id}' for update; select pg_sleep(60)`)
    .catch(() => "ended")
  const pid = await until("the row is held", () =>
    service.sql(
      `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    ),
  )
  return {
    letGo: async () => {
      await service.sql(`select pg_terminate_backend(${pid})`)
      expect(await held).toBe("ended")
    },
  }
}

const waiting = async (): Promise<number> =>
  Number(
    await service.sql(
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    ),
  )
