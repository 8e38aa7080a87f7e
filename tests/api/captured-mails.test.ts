import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, person } from "../service/account.ts"
import { type Api, createApi, type Json } from "../service/api.ts"
import { mailsComeTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

describe("copies of mails", () => {
  let service: Service
  let api: Api
  beforeAll(async () => {
    service = await startService()
    api = service.caller
  })
  afterAll(() => service?.close())

  const mailsOf = (as: Api, requestId: string, count: number) =>
    until(`${count} mails are there`, async () => {
      const { body } = await as.get(`/v3/mails?signature_request_id=${requestId}`)
      return body.length >= count && body.every(({ state }: Json) => state !== "WAITING") && (body as Json[])
    })

  it("hold what was sent about a demo request, so that a program can sign by the link in it", async () => {
    const email = newAddress("signer")
    const request = await sentTo(api, "v3", [email], { title: "Lease of the year" })
    const [mail] = await mailsOf(api, request.id, 1)
    expect(mail).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      channel: "EMAIL",
      to: email,
      type: "INVITATION",
      subject: expect.stringContaining("Lease of the year"),
      signature_request_id: request.id,
      state: "SENT",
    })
    const { body: whole } = await api.get(`/v3/mails/${mail.id}`)
    const [sent] = await mailsComeTo(email)
    expect(whole).toMatchObject({ ...mail, subject: sent?.subject })
    const link = /http\S+\/sign\/\S+/.exec(whole.text)?.[0] ?? ""
    expect(sent?.text).toContain(link)
    expect(whole.html).toContain(link)
    const signer = await openSession(service.url, link)
    expect((await signer.press("Ada Lovelace")).status).toBe(202)

    const both = await mailsOf(api, request.id, 2)
    expect(both.map(({ type }: Json) => type)).toEqual(["COMPLETED", "INVITATION"])
    const page = await api.get(`/v3/mails?signature_request_id=${request.id}&page_size=1`)
    const next = /<[^>]*(\/v3[^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? ""
    expect([...page.body, ...(await api.get(next)).body]).toEqual(both)
    for (const wrong of ["signature_request_id=x", "page_size=0", "more=1"])
      expect((await api.get(`/v3/mails?${wrong}`)).status).toBe(400)
  })

  it("[R06] are for those who may change the request, since their link signs: nobody else is told of them", async () => {
    const [reader, writer] = await Promise.all([
      addUser(service, "mails-reader"),
      addUser(service, "mails-writer"),
    ])
    const stranger = await addUser(service, "mails-stranger", {
      business: await addBusiness(service, "Other AG"),
    })
    const request = await sentTo(api, "v3", [newAddress("signer")], {
      read_access: ["mails-reader"],
      write_access: ["mails-writer"],
    })
    const [mail] = await mailsOf(writer, request.id, 1)
    expect((await writer.get(`/v3/mails/${mail.id}`)).status).toBe(200)
    for (const other of [reader, stranger]) {
      expect((await other.get("/v3/mails")).body).toEqual([])
      expect((await other.get(`/v3/mails/${mail.id}`)).status).toBe(404)
    }
    const production = await createApi(service.url, service.username, service.productionKey)
    expect((await production.get("/v3/mails")).body).toEqual([])
    expect((await production.get(`/v3/mails/${mail.id}`)).status).toBe(404)
    expect((await api.get(`/v3/mails/${randomUUID()}`)).status).toBe(404)
  })

  it("are for the people of the business too, all of them for who manages it or builds for it", async () => {
    const request = await sentTo(api, "v3", [newAddress("signer")])
    const [mail] = await mailsOf(api, request.id, 1)
    for (const role of ["owner", "admin", "developer", "member"] as const) {
      const who = await memberApi(service, role)
      const { body } = await who.get(`/v3/mails?signature_request_id=${request.id}`)
      const { status } = await who.get(`/v3/mails/${mail.id}`)
      expect([role, body.length, status]).toEqual(role === "member" ? [role, 0, 404] : [role, 1, 200])
    }
    const production = await memberApi(service, "owner", { kind: "production" })
    expect((await production.get(`/v3/mails/${mail.id}`)).status).toBe(404)
  })

  it("are never kept of production, nor of accounts, whatever is written to the table", async () => {
    const production = await createApi(service.url, service.username, service.productionKey)
    const email = newAddress("signer")
    const request = await sentTo(production, "v3", [email])
    await person(service.url).post(`${API}/register`, { email })
    await mailsComeTo(email, 2)
    await until(
      "it is in the log",
      async () =>
        (await service.sql(`select state from mail_log where request_id = '${request.id}'`)) === "SENT",
    )
    expect(await service.sql(`select count(*) from captured_mail where request_id = '${request.id}'`)).toBe(
      "0",
    )
    await expect(
      service.sql(
        `insert into captured_mail select gen_random_uuid(), business_id, id, 'invitation', '', '', 1, now()
           from signature_request where id = '${request.id}'`,
      ),
    ).rejects.toThrow("only mails about demo requests")
    expect(
      await service.sql("select count(*) from mail_log where type like 'account %' and business_id is null"),
    ).not.toBe("0")
    expect(await service.sql("select count(*) from captured_mail where type like 'account %'")).toBe("0")
  })

  it("are sealed in the database, where the log knows nobody by more than a letter, and go with the request and the week", async () => {
    const email = newAddress("sealed")
    const request = await sentTo(api, "v3", [email], { title: "Secret plan" })
    const [mail] = await mailsOf(api, request.id, 1)
    const stored = await service.sql(`select encode(envelope, 'escape') || encode(content, 'escape') || type
      from captured_mail where id = '${mail.id}'`)
    expect(stored).not.toContain(email)
    expect(stored).not.toContain("Secret plan")
    expect(stored).not.toContain("/sign/")
    expect(await service.sql(`select recipient from mail_log where id = '${mail.id}'`)).toBe(
      "s•••@example.org",
    )
    await service.paraph("keys", "rotate", "--business", service.business)
    expect((await api.get(`/v3/mails/${mail.id}`)).body.to).toBe(email)
    expect((await api.delete(`/v3/signature-requests/${request.id}`)).status).toBe(204)
    expect((await api.get(`/v3/mails/${mail.id}`)).status).toBe(404)

    const late = await sentTo(api, "v3", [newAddress("late")])
    await mailsOf(api, late.id, 1)
    service.moveClock(8 * 86_400_000)
    await until(
      "the copies of a week ago are gone",
      async () => (await service.sql("select count(*) from captured_mail")) === "0",
    )
    service.moveClock(0)
  })
})
