import { afterAll, beforeAll, expect, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { linkMailedTo, mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { createRequest, entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { enter } from "../service/visitor.ts"

const [DEMO, PRODUCTION] = [6, 9]

let service: Service
let production: Api
let neighbour: Api
beforeAll(async () => {
  const caps = { DAILY_DEMO_MAILS_PER_RECIPIENT: `${DEMO}`, DAILY_MAILS_PER_RECIPIENT: `${PRODUCTION}` }
  service = await startService({ env: caps })
  production = await createApi(service.url, service.username, service.productionKey)
  neighbour = await addUser(service, "neighbour", { business: await addBusiness(service, "Neighbour AG") })
})
afterAll(() => service?.close())

async function invite(caller: Api, email: string) {
  const documentId = await uploadTo(caller, "v2")
  return createRequest(caller, "v2", documentId, { signatures: [entry("v2", email)] })
}

it("[B10] one address gets so many mails a day from all businesses, fewer by demo keys; beyond it calls answer 429", async () => {
  const victim = newAddress("victim")
  for (let mails = 0; mails < DEMO; mails += 1)
    expect((await invite(mails % 2 ? neighbour : service.caller, victim)).status).toBe(200)
  for (const caller of [service.caller, neighbour]) {
    const refused = await invite(caller, victim.toUpperCase())
    expect([refused.status, refused.body.key]).toEqual([429, "error.rate_limit.exceeded"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60)
  }
  // Minutes later nothing has changed, and what demo keys sent takes nothing from production.
  service.moveClock(10 * 60_000)
  expect((await invite(service.caller, victim)).status).toBe(429)
  await mailsComeTo(victim, DEMO)
  for (let mails = 0; mails < PRODUCTION; mails += 1)
    expect((await invite(production, victim)).status).toBe(200)
  expect((await invite(production, victim)).status).toBe(429)
  await mailsComeTo(victim, DEMO + PRODUCTION)
  expect((await invite(service.caller, newAddress("other"))).status).toBe(200)
  service.moveClock(0)
})

it("[B10] a one-time code of a production signature is sent when the address has had all its mails", async () => {
  const email = newAddress("coded")
  for (let mails = 0; mails < PRODUCTION; mails += 1) await invite(production, email)
  await mailsComeTo(email, PRODUCTION)
  const created = await production.post("/v2/signature-requests", {
    title: "Rental agreement",
    document_id: await uploadTo(production, "v2"),
    signatures: [
      { signer_identity_data: { email_address: email, identity_reference: "x-1" }, notify: false },
    ],
  })
  expect(created.status).toBe(200)
  const visitor = await enter(service, created.body.signatures[0].signing_url)
  expect((await visitor.post("/signature/code")).status).toBe(202)
  await until(
    "the code comes",
    async () => (await mailsTo(email)).filter(({ subject }) => /\d{6}$/.test(subject)).length === 1,
  )
})

it("[B10] what follows from a signer's act is not refused: the mails beyond the cap wait for the next day", async () => {
  const [victim, first] = [newAddress("followed"), newAddress("first")]
  const documentId = await uploadTo(service.caller, "v2")
  const later = Array.from({ length: DEMO + 4 }, () => entry("v2", victim, { place: 2 }))
  const { id } = await openRequest(service.caller, "v2", documentId, {
    signatures: [entry("v2", first, { place: 1 }), ...later],
  })
  expect(
    (await (await openSession(service.url, await linkMailedTo(first))).press("Ada Lovelace")).status,
  ).toBe(202)
  const states = () =>
    service.sql(`select state || ' ' || coalesce(error, '') from mail_log
      where request_id = '${id}' and type = 'invitation' and recipient like 'f%' order by 1`)
  const counted = async (start: string) =>
    (await states()).split("\n").filter((each) => each.startsWith(start)).length
  const waits = "WAITING This address has had as many mails today as one may get."
  await until("all are looked at", async () => (await counted(waits)) === 4)
  // The first signer's own mail is among those that were sent.
  expect(await counted("SENT")).toBe(DEMO + 1)
  expect(await mailsTo(victim)).toHaveLength(DEMO)
  // What was sent the day before counts for less and less until then.
  service.moveClock(2 * 86_400_000)
  await service.sql("update jobs.job set start_after = now() where state = 'retry'")
  await mailsComeTo(victim, DEMO + 4)
  service.moveClock(0)
})

it("[B10] a mail that waited for 72 hours is given up, and the sender sees why", async () => {
  const [victim, first] = [newAddress("given-up"), newAddress("opens")]
  const documentId = await uploadTo(service.caller, "v2")
  const later = Array.from({ length: DEMO + 1 }, () => entry("v2", victim, { place: 2 }))
  const { id } = await openRequest(service.caller, "v2", documentId, {
    signatures: [entry("v2", first, { place: 1 }), ...later],
  })
  await (await openSession(service.url, await linkMailedTo(first))).press("Ada Lovelace")
  await mailsComeTo(victim, DEMO)
  const waiting = `from jobs.job where name = 'invite-signer' and state = 'retry' and data->>'requestId' = '${id}'`
  await until("one waits", async () => (await service.sql(`select count(*) ${waiting}`)) === "1")
  await service.sql(`update jobs.job set created_on = created_on - interval '73 hours', retry_count = 20, start_after = now()
    where id = (select id ${waiting})`)
  await until("it is given up", async () => {
    const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
    return JSON.stringify(body).includes("This address has had as many mails today as one may get.")
  })
})
