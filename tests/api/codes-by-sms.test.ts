import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import type { ServerProcess } from "../service/process.ts"
import type { Reply } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { bySms, capturedSms, codeIn, type Gateway, startSmsGateway, type Texted } from "../service/sms.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { enter, isDone, signAs, type Visitor } from "../service/visitor.ts"

const TAKEN: Reply = { status: 202, body: Buffer.from('{"id":"g-1"}') }
let answer: (sms: Texted) => Reply = () => TAKEN
let gateway: Gateway
let service: Service
let production: Api
beforeAll(async () => {
  gateway = await startSmsGateway((sms) => answer(sms))
  service = await startService({ worker: false, env: { ...gateway.env, SMS_PER_BUSINESS: "6" } })
  production = await createApi(service.url, service.username, service.productionKey)
})
afterAll(async () => {
  await service?.close()
  await gateway?.close()
})

let numbers = 0
/** A number that no other test has used up. */
const newNumber = () => `+41 79 555 ${String(10 + ++numbers).padStart(2, "0")} 67`
const plain = (number: string) => number.replaceAll(" ", "")
const ask = (person: Visitor) => person.post("/signature/code")
const check = (person: Visitor, code: string) => person.post("/signature/code/check", { code })
const textsTo = (number: string) => gateway.texted().filter(({ to }) => to === plain(number))
const textComesTo = (number: string, count = 1) =>
  until(`${count} text messages come to ${number}`, () => {
    const texts = textsTo(number)
    return texts.length >= count && texts
  })
const TOLD = ["kind", "to", "through", "id", "letter"]
const eventsOf = async (sid: string) => {
  const id = await service.sql(`select request_id from signature where id = '${sid}'`)
  return (await storyOf(service, id)).filter(({ signature }) => signature === sid)
}
const evidenceOf = async (sid: string) =>
  (await eventsOf(sid))
    .filter(({ type }) => /factor|consented|sms|bounced/.test(type))
    .map(({ type, data }) => [type, ...TOLD.map((member) => data[member] ?? "")].join("|"))
    .join("\n")
const everything = async (sid: string) =>
  [
    JSON.stringify(await eventsOf(sid)),
    await service.sql("select data from jobs.job where name = 'send-code'"),
    await service.sql(`select * from mail_log where signature_id = '${sid}'`),
    await service.sql("select encode(envelope, 'escape') || encode(content, 'escape') from captured_mail"),
    worker.log(),
    service.api.log(),
  ].join("\n")

let worker: ServerProcess

it("a worker that dies after the gateway took a message: it is handed over again, word for word, and counts", async () => {
  const number = newNumber()
  const { url } = await bySms(production, "v2", number)
  const person = await enter(service, url)
  const doomed = await service.startWorker({ FAULT_POINT: "sms-sent" })
  expect((await ask(person)).status).toBe(202)
  expect(await doomed.died).toBe("SIGKILL")
  const [first] = await textComesTo(number)
  const heir = await service.startWorker()
  const [, again] = await textComesTo(number, 2)
  expect(again).toEqual(first)
  expect((await check(person, codeIn(first?.text ?? ""))).body.screen).toBe("read")
  await heir.kill()
}, 300_000)

describe("a signer without an e-mail address", () => {
  beforeAll(async () => {
    worker = await service.startWorker()
  })

  it.each(["v1", "v2", "v3"] as const)(
    "[URL-07] of a demo key signs in %s by a code that is kept for whoever has the key, and sent to nobody",
    async (v) => {
      const number = newNumber()
      const { url, sid, request } = await bySms(service.caller, v, number)
      const person = await enter(service, url)
      const view = await person.view()
      const shown = `+41 79 ••• •• 67`
      expect(view).toMatchObject({
        screen: "preview",
        proof: { channel: "sms", sentTo: shown, sentAt: null, unreachable: false },
      })
      // Who holds the link alone does not learn the number.
      expect(JSON.stringify(view).replaceAll(/[\s-]/g, "")).not.toContain("79555")
      expect((await signAs(person)).status).toBe(403)

      expect((await ask(person)).status).toBe(202)
      const [sms] = await capturedSms(service.caller, request.id)
      expect(sms).toMatchObject({ channel: "SMS", type: "CODE", to: plain(number), subject: "", html: "" })
      const code = codeIn(sms?.text)
      expect(sms?.text).toBe(
        `${code} is your signing code for Acme AG. Type it on the signing page only. Nobody ever asks you for it. (TEST)`,
      )
      expect((await check(person, code === "000000" ? "111111" : "000000")).body.key).toBe("error.code.wrong")
      const proved = await check(person, code)
      expect([proved.status, proved.body.screen, proved.body.proof]).toEqual([200, "read", null])
      expect((await signAs(person)).status).toBe(202)
      await isDone(person)
      expect((await evidenceOf(sid)).split("\n")).toEqual([
        "sms.sent|||||code",
        `factor.passed|sms-code|${plain(number)}|||`,
        "signature.consented|||SMS code||",
      ])
      expect(textsTo(number)).toEqual([])
      expect(await everything(sid)).not.toMatch(new RegExp(`\\b${code}\\b`))
    },
  )

  it("[URL-07] of a production key is sent the code by the operator's gateway, and nothing of it is kept", async () => {
    const number = newNumber()
    const { url, sid, request } = await bySms(production, "v2", number, { signer: { language: "de" } })
    const person = await enter(service, url)
    expect((await ask(person)).status).toBe(202)
    const [sms] = await textComesTo(number)
    const code = codeIn(sms?.text ?? "")
    expect(sms).toEqual({
      to: plain(number),
      from: "Paraph",
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: `${code} ist Ihr Signaturcode für Acme AG. Geben Sie ihn nur auf der Signaturseite ein. Niemand fragt Sie danach.`,
    })
    const call = gateway.received.find(({ text }) => text.includes(plain(number)))
    expect([call?.method, call?.path, call?.headers.authorization, call?.headers["idempotency-key"]]).toEqual(
      ["POST", "/messages", "Bearer a-token-of-the-tests", sms?.reference],
    )
    // A program is quicker than the worker that notes what it sent.
    await until(
      "that it was sent is on record",
      async () => (await evidenceOf(sid)) === "sms.sent||||g-1|code",
    )
    expect((await check(person, `${code.slice(0, 3)} ${code.slice(3)}`)).body.screen).toBe("read")
    expect((await signAs(person)).status).toBe(202)
    await isDone(person)
    expect((await evidenceOf(sid)).split("\n")).toEqual([
      "sms.sent||||g-1|code",
      `factor.passed|sms-code|${plain(number)}|||`,
      "signature.consented|||SMS code||",
    ])
    const [log] = (
      await service.sql(`select channel, recipient, state, type from mail_log where signature_id = '${sid}'`)
    ).split("\n")
    expect(log).toBe("sms|+41 79 ••• •• 67|SENT|code")
    expect(await service.sql(`select count(*) from captured_mail where request_id = '${request.id}'`)).toBe(
      "0",
    )
    const all = await everything(sid)
    expect(all).not.toMatch(new RegExp(`\\b${code}\\b|a-token-of-the-tests`))
  })

  it("who has an address too is written to, and no text message is sent", async () => {
    const number = newNumber()
    const email = `with-${numbers}@example.org`
    const { url } = await bySms(production, "v2", number, {
      signer: { signer_identity_data: { email_address: email, mobile_number: number } },
    })
    const person = await enter(service, url)
    expect((await person.view()).proof).toMatchObject({ channel: "mail", sentTo: "w•••@example.org" })
    expect((await ask(person)).status).toBe(202)
    await until(
      "the code is mailed",
      async () =>
        (await service.sql("select state from mail_log where type = 'code' and channel = 'mail'")) === "SENT",
    )
    expect(textsTo(number)).toEqual([])
  })

  it.each([
    ["a number without its country", "079 123 45 67"],
    ["a country that the operator did not name", "+49 151 23456789"],
    ["numbers of a country that the operator left out", "+41 900 123 456"],
  ])("%s: the address stays a preview, and nothing is asked of the gateway", async (_, number) => {
    const { url } = await bySms(production, "v3", number)
    const person = await enter(service, url)
    expect(await person.view()).toMatchObject({ screen: "preview", proof: null })
    expect((await ask(person)).status).toBe(403)
    expect((await check(person, "123456")).status).toBe(403)
    expect((await signAs(person)).status).toBe(403)
    expect(textsTo(number)).toEqual([])
  })

  it("is sent the same words under the same reference until the gateway takes them", async () => {
    const number = newNumber()
    const replies: Reply[] = [{ status: 503 }, "reset", { status: 200, body: Buffer.from("<html>") }]
    answer = ({ to }) => (to === plain(number) ? (replies.shift() ?? TAKEN) : TAKEN)
    const { url, sid } = await bySms(production, "v2", number)
    const person = await enter(service, url)
    expect((await ask(person)).status).toBe(202)
    const texts = await textComesTo(number, 4)
    expect(new Set(texts.map(({ text, reference }) => `${reference} ${text}`)).size).toBe(1)
    await until("it is on record", async () => (await evidenceOf(sid)) === "sms.sent||||g-1|code")
    const log = await service.sql(`select state, attempts, error from mail_log where signature_id = '${sid}'`)
    expect(log).toBe("SENT|4|")
    expect((await check(person, codeIn(texts[0]?.text ?? ""))).body.screen).toBe("read")
  })

  it("whose number the gateway never reaches: the sender sees it at the signature, and it is on record", async () => {
    const number = newNumber()
    answer = ({ to }) => (to === plain(number) ? { status: 422 } : TAKEN)
    const { url, sid, request } = await bySms(production, "v2", number)
    const person = await enter(service, url)
    expect((await ask(person)).status).toBe(202)
    const problem = await until("the sender sees it", async () => {
      const { body } = await production.get(`/v2/signature-requests/${request.id}`)
      return (body.signatures as Json[])[0]?.mail_problem
    })
    expect(problem).toBe("No SMS reaches this mobile number.")
    expect((await person.view()).proof).toMatchObject({ channel: "sms", unreachable: true })
    expect((await evidenceOf(sid)).split("\n")).toEqual([
      "sms.failed|||||code",
      "signature.mail-bounced|||||",
    ])
    expect(await service.sql(`select state, error from mail_log where signature_id = '${sid}'`)).toBe(
      "FAILED|The SMS gateway does not reach this number.",
    )
    expect(textsTo(number)).toHaveLength(1)
  })
})

describe("codes by SMS", () => {
  it("cost money: of one number and network five a day, and of one business as many as the operator says", async () => {
    answer = () => TAKEN
    const business = await addBusiness(service, "Other AG")
    const api = await addUser(service, "sms-limits", { business, kind: "production" })
    const [number, other, third] = [newNumber(), newNumber(), newNumber()]
    const asks = async (to: string, as: Api = api) =>
      (await ask(await enter(service, (await bySms(as, "v2", to)).url))).status
    for (let sent = 0; sent < 5; sent += 1) expect(await asks(number)).toBe(202)
    expect(await asks(number)).toBe(429)
    expect([await asks(other), await asks(third)]).toEqual([202, 429])
    // Another business has its own, and a demo key costs nobody anything.
    expect([await asks(third, production), await asks(number, service.caller)]).toEqual([202, 202])
    await Promise.all([textComesTo(other), textComesTo(number, 5), textComesTo(third)])
    expect(textsTo(number)).toHaveLength(5)
  })
})
