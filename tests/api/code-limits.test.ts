import { afterAll, beforeAll, expect, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { enter, type Visitor } from "../service/visitor.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** The preview of a request that asks this address for a signature, in a browser of its own. */
async function preview(caller: Api, email: string): Promise<Visitor> {
  const { status, body } = await caller.post("/v2/signature-requests", {
    title: "Rental agreement",
    document_id: await uploadTo(caller, "v2"),
    signatures: [{ signer_identity_data: { email_address: email, identity_reference: "x-1" } }],
  })
  expect(status).toBe(200)
  return enter(service, body.signatures[0].signing_url)
}
async function newCode(visitor: Visitor, email: string): Promise<string> {
  const codes = async () =>
    (await mailsTo(email)).flatMap(({ subject }) => /(\d{6})$/.exec(subject)?.[1] ?? [])
  const before = (await codes()).length
  expect((await visitor.post("/signature/code")).status).toBe(202)
  return until(`a code comes to ${email}`, async () => (await codes())[before])
}
const check = (visitor: Visitor, code: string) => visitor.post("/signature/code/check", { code })

it("[B8] 25 wrong codes by a demo key of one business leave the right code of another business, and of production, valid", async () => {
  const email = newAddress("shared")
  const attacker = service.caller
  const answers: string[] = []
  for (let signatures = 0; signatures < 5; signatures += 1) {
    const visitor = await preview(attacker, email)
    const code = await newCode(visitor, email)
    for (let tries = 0; tries < 5; tries += 1)
      answers.push((await check(visitor, code === "000000" ? "111111" : "000000")).body.key)
  }
  // The attacker's own business and mode are locked for the day.
  expect(answers.slice(0, 20).filter((key) => key !== "error.code.wrong")).toEqual([
    "error.code.locked",
    "error.code.locked",
    "error.code.locked",
    "error.code.locked",
  ])
  expect(answers.slice(20)).toEqual(Array(5).fill("error.code.locked"))
  const locked = await preview(attacker, email)
  expect((await check(locked, await newCode(locked, email))).body.key).toBe("error.code.locked")

  const business = await addBusiness(service, "Neighbour AG")
  const neighbour = await addUser(service, "neighbour", { business })
  const production = await createApi(service.url, service.username, service.productionKey)
  for (const caller of [neighbour, production]) {
    const visitor = await preview(caller, email)
    const proved = await check(visitor, await newCode(visitor, email))
    expect([proved.status, proved.body.screen]).toEqual([200, "read"])
  }
})

it("[B8] codes that demo keys have sent leave those of production to be sent", async () => {
  const email = newAddress("flooded")
  for (let sent = 0; sent < 10; sent += 1) {
    const visitor = await preview(service.caller, email)
    expect((await visitor.post("/signature/code")).status).toBe(202)
  }
  const refused = await preview(service.caller, email)
  expect((await refused.post("/signature/code")).status).toBe(429)
  const production = await createApi(service.url, service.username, service.productionKey)
  const visitor = await preview(production, email)
  expect((await visitor.post("/signature/code")).status).toBe(202)
})
