import { afterAll, beforeAll, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { passkeyHolder, signAdvanced } from "../service/release.ts"
import { createRequest, newAddress, openRequest, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

let service: Service
let developer: Api
beforeAll(async () => {
  service = await startService()
  developer = await memberApi(service, "developer")
}, 300_000)
afterAll(() => service?.close())

const NOTHING = {
  requests: 0,
  documents: 0,
  signatures: { SES: 0, AES: 0, AES_MINIMAL: 0, QES: 0 },
  declined: 0,
  mails: 0,
  seals: 0,
}
const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Zurich" }).format(Date.now())
const stateOf = async (api: Api, id: string) =>
  (await api.get(`/v3/signature-requests/${id}`)).body.status_overall

it("counts what was done, by kind and quality, and for good: nothing that is deleted later changes it", async () => {
  const { caller } = service
  const production = await createApi(service.url, service.username, service.productionKey)
  const [signer, decliner, real] = [newAddress("signer"), newAddress("decliner"), newAddress("real")]
  const holder = await passkeyHolder(service, signer)
  // What an account is written is nobody's usage: a code, and that there is a passkey.
  const ofAccount = 2
  await until("both came", async () => (await mailsTo(signer)).length === ofAccount)
  const signed = await openRequest(caller, "v3", await uploadTo(caller, "v3"), {
    quality: "AES",
    signatures: [{ account_email: signer }],
  })
  const declined = await sentTo(caller, "v2", [decliner])
  const ofProduction = await sentTo(production, "v2", [real])
  // A draft is a document and no request.
  await createRequest(caller, "v3", await uploadTo(caller, "v3"))
  await signAdvanced(service, signer, holder)
  await (await openSession(service.url, await linkMailedTo(real))).press("Ada Lovelace")
  await (await openSession(service.url, await linkMailedTo(decliner))).decline("Not mine.")
  await until("all is over", async () => {
    const states = [await stateOf(caller, signed.id), await stateOf(production, ofProduction.id)]
    return states.every((state) => state === "SIGNED")
  })
  expect(await stateOf(caller, declined.id)).toBe("DECLINED")
  /** That came, to whom they are about; nobody else is written to. */
  const mailsOf = async (...people: readonly string[]) =>
    (await Promise.all(people.map(mailsTo))).flat().length
  const nothingWaits = () =>
    service.sql(
      "select count(*) from jobs.job where name in ('send-mail', 'invite-signer') and state < 'completed'",
    )
  await until("every mail is sent", async () => (await nothingWaits()) === "0")
  const read = async (): Promise<Json> => (await developer.get("/v3/usage")).body
  const counted = {
    demo: {
      ...NOTHING,
      requests: 2,
      documents: 3,
      signatures: { ...NOTHING.signatures, AES: 1 },
      declined: 1,
      mails: (await mailsOf(signer, decliner)) - ofAccount,
    },
    production: {
      ...NOTHING,
      requests: 1,
      documents: 1,
      signatures: { ...NOTHING.signatures, SES: 1 },
      mails: await mailsOf(real),
    },
  }
  expect(counted.demo.mails).toBeGreaterThanOrEqual(3)
  const usage = await read()
  expect(usage.months).toHaveLength(12)
  expect(usage.months.at(-1)).toEqual({ month: today().slice(0, 7), ...counted })
  expect(usage.months[0]).toMatchObject({ demo: NOTHING, production: NOTHING })
  expect(usage.days).toHaveLength(31)
  expect(usage.days.at(-1)).toEqual({ day: today(), ...counted })
  expect(usage.days[0]).toMatchObject({ demo: NOTHING, production: NOTHING })
  for (const { id } of [signed, declined])
    expect((await caller.delete(`/v3/signature-requests/${id}`)).status).toBe(204)
  await until("every mail about that is sent", async () => (await nothingWaits()) === "0")
  const after = await read()
  expect(after.days.at(-1)).toEqual({ day: today(), ...counted })
  expect(after.months.at(-1)).toEqual({ month: today().slice(0, 7), ...counted })
})

it("answers the months that are asked for, and refuses what are none", async () => {
  const { body } = await developer.get("/v3/usage?from=2025-11&to=2026-02")
  expect(body.months.map(({ month }: Json) => month)).toEqual(["2025-11", "2025-12", "2026-01", "2026-02"])
  const { body: first } = await developer.get("/v3/usage?to=1000-02")
  expect(first.months.map(({ month }: Json) => month)).toEqual(["1000-01", "1000-02"])
  for (const query of [
    "from=2026-13",
    "to=yesterday",
    "from=2026-02&to=2026-01",
    "from=2000-01",
    "year=2026",
  ])
    expect([query, (await developer.get(`/v3/usage?${query}`)).status]).toEqual([query, 400])
})

it("is for owners, admins and developers", async () => {
  for (const who of [await memberApi(service, "member"), service.caller]) {
    const { status, body } = await who.get("/v3/usage")
    expect([status, body.key]).toEqual([403, "error.role.needed"])
  }
  for (const role of ["owner", "admin"] as const)
    expect((await (await memberApi(service, role)).get("/v3/usage")).status).toBe(200)
})
