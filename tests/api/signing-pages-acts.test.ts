import { type ClientRequest, request as httpRequest } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, createApi, type Json } from "../service/api.ts"
import { linkMailedTo, mailsTo, rawMail } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { pathOf } from "../service/signer.ts"
import { bySms } from "../service/sms.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { enter, invited, isDone, listen, previewed, signAs, type Visitor } from "../service/visitor.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

let aheadMs = 0
const move = (ms: number) => {
  aheadMs += ms
  service.moveClock(aheadMs)
}

const codeIn = (subject: string) => /(\d{6})$/.exec(subject)?.[1] ?? ""
const codesTo = async (email: string, count: number) =>
  until(`${count} codes come to ${email}`, async () => {
    const codes = (await mailsTo(email)).map(({ subject }) => codeIn(subject)).filter((code) => code !== "")
    return codes.length >= count && codes
  })

describe("an address that others can read too", () => {
  const acts = (person: Visitor) =>
    Promise.all([signAs(person), person.post("/signature/decline", { reason: "x" })])

  it("[URL-07] is a preview: to be read, and to act on only with the code that was mailed", async () => {
    const creator = newAddress("creator")
    const member = ["--business", service.business, "--email", creator, "--name", "Ann", "--role", "member"]
    await service.paraph("admin", "add-member", ...member)
    const { url, email, request } = await previewed(service, {}, { creator })
    const person = await enter(service, url)
    const view = await person.view()
    expect(view).toMatchObject({ screen: "preview", proof: { sentAt: null, attemptsLeft: 5 } })
    expect(view.proof.sentTo).toBe(`p•••@${email.split("@")[1]}`)
    expect((await person.get(`/documents/${view.documents[0].id}/content`)).status).toBe(200)
    for (const { status } of await acts(person)) expect(status).toBe(403)

    const asked = await person.post("/signature/code")
    expect([asked.status, asked.body.screen]).toEqual([202, "preview"])
    expect(Date.parse(asked.body.proof.resendAt) - Date.parse(asked.body.proof.sentAt)).toBe(30_000)
    const [code = ""] = await codesTo(email, 1)
    const mail = (await mailsTo(email)).find(({ subject }) => subject.endsWith(code))
    expect(mail?.text).not.toContain("http")
    // Whoever answers sends the code along; it must not go to the one whom it is kept from.
    const [head = ""] = mail === undefined ? [] : String(await rawMail(mail)).split("\r\n\r\n")
    expect(head).toMatch(/^From: (?!.*via)/im)
    expect(head).not.toMatch(/^Reply-To:/im)
    // Nowhere in plain, neither in a row of ours nor in a job.
    expect(await service.sql(`select count(*) from jobs.job where data::text like '%${code}%'`)).toBe("0")
    expect(await service.sql("select count(*) from signer_code where code_hash is not null")).toBe("1")

    // Another session of the very same address cannot use it.
    const other = await enter(service, url)
    expect((await other.post("/signature/code/check", { code })).body.key).toBe("error.code.locked")
    const wrong = await person.post("/signature/code/check", {
      code: code === "000000" ? "1".repeat(6) : "000000",
    })
    expect([wrong.status, wrong.body.key, wrong.body.detail]).toEqual([
      400,
      "error.code.wrong",
      expect.stringContaining("Attempts left: 4."),
    ])
    for (const each of [person, other]) for (const { status } of await acts(each)) expect(status).toBe(403)

    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const proved = await person.post("/signature/code/check", { code: spaced })
    expect([proved.status, proved.body.screen, proved.body.proof]).toEqual([200, "read", null])
    expect((await other.view()).screen).toBe("preview")
    expect((await signAs(person)).status).toBe(202)
    await isDone(person)
    const steps = ["signature.opened", "factor.passed", "signature.consented"]
    const told = (await storyOf(service, request.id)).filter(({ type }) => steps.includes(type))
    expect(told.map(({ type, data }) => [type, data.kind ?? data.through])).toEqual([
      ["signature.opened", "preview"],
      ["signature.opened", "preview"],
      ["factor.passed", "e-mail-code"],
      ["signature.consented", "e-mail code"],
    ])
  })

  it("[R29] [URL-07] a code is good for 10 minutes and 5 attempts, is sent again after 30 seconds, and 5 times an hour", async () => {
    const { url, email } = await previewed(service, { language: "de" })
    const person = await enter(service, url)
    const ask = () => person.post("/signature/code")
    const check = (code: string) => person.post("/signature/code/check", { code })
    expect((await check("123456")).body.key).toBe("error.code.locked")
    expect((await ask()).status).toBe(202)
    const soon = await ask()
    expect([soon.status, Number(soon.headers.get("retry-after")) <= 30]).toEqual([429, true])
    const [first = ""] = await codesTo(email, 1)
    expect((await mailsTo(email)).at(-1)?.subject).toContain("Ihr Code für «Rental agreement»")
    move(31_000)
    expect((await ask()).status).toBe(202)
    const [, second = ""] = await codesTo(email, 2)
    if (first !== second) expect((await check(first)).body.key).toBe("error.code.wrong")
    const bad = second === "000000" ? "111111" : "000000"
    const keys: string[] = []
    for (let tries = 0; tries < 4; tries += 1) keys.push((await check(bad)).body.key)
    expect(keys.slice(0, 3)).toEqual(Array(3).fill("error.code.wrong"))
    // After five wrong ones the right one is as wrong as any.
    expect((await check(bad)).body.key).toBe("error.code.locked")
    expect((await check(second)).body.key).toBe("error.code.locked")
    for (const { status } of await acts(person)) expect(status).toBe(403)

    move(31_000)
    expect((await ask()).status).toBe(202)
    const third = (await codesTo(email, 3))[2] ?? ""
    move(10 * 60_000)
    expect((await check(third)).body.key).toBe("error.code.locked")
    for (let sent = 3; sent < 5; sent += 1) {
      expect((await ask()).status).toBe(202)
      move(31_000)
    }
    const sixth = await ask()
    expect([sixth.status, Number(sixth.headers.get("retry-after")) > 60]).toEqual([429, true])
  })

  it.each([
    ["an operator without an SMS gateway", "production", "+41 79 000 00 00"],
    ["a number that does not say its country", "demo", "079 000 00 00"],
  ] as const)(
    "[URL-07] without an e-mail address and with %s it stays a preview",
    async (_, kind, number) => {
      const { url, username, caller, productionKey } = service
      const api = kind === "demo" ? caller : await createApi(url, username, productionKey)
      const person = await enter(service, (await bySms(api, "v2", number)).url)
      expect(await person.view()).toMatchObject({
        screen: "preview",
        proof: null,
        people: [{ name: "Ada Lovelace" }],
      })
      expect((await person.post("/signature/code")).status).toBe(403)
      for (const { status } of await acts(person)) expect(status).toBe(403)
    },
  )

  it("who came by the mail needs no code", async () => {
    const person = await enter(service, await invited(service))
    expect(await person.view()).toMatchObject({ screen: "read", proof: null })
    expect((await person.post("/signature/code")).body.screen).toBe("read")
    expect(await person.post("/signature/code/check", { code: "123456" })).toMatchObject({ status: 200 })
  })
})

describe("two tabs of one browser", () => {
  it("act for what they show alone: a link that was opened since changes nothing for the first", async () => {
    const first = await enter(service, await invited(service))
    const { signature } = await first.view()
    const second = await enter(service, await invited(service))
    const before = await second.view()
    expect(before.signature).not.toBe(signature)
    const { consent, documents } = before
    const shown = documents.map((document: Json) => document.id)
    const acts: readonly [string, unknown, Record<string, string>?][] = [
      ["/signature/sign", { name: "Ada", consentVersion: consent.version, shown }],
      ["/signature/decline", { reason: "No." }],
      ["/signature/code", {}],
      ["/signature/code/check", { code: "123456" }],
      ["/signature/picture", Buffer.from("x"), { "content-type": "image/png" }],
    ]
    for (const [path, body, more] of acts)
      for (const says of [signature, "", "nonsense"]) {
        const { status, body: problem } = await second.post(path, body, { ...more, "paraph-signature": says })
        expect([path, status, problem.key]).toEqual([path, 409, "error.session.other"])
      }
    expect((await second.view()).screen).toBe("read")
    expect((await second.post("/signature/decline", {})).status).toBe(200)
    expect((await first.view()).screen).toBe("read")
  })
})

describe("a picture that does not come", () => {
  it("holds the one place of its sender from its first byte on, and nothing once it is gone", async () => {
    const person = await enter(service, await invited(service))
    const { signature } = await person.view()
    const of = { cookie: person.cookie, origin: service.url, "paraph-signature": signature }
    const png = { "content-type": "image/png" }
    const headers = { ...of, ...png, "content-length": "1000" }
    const address = `${service.url}/app/api/signature/picture`
    const begin = (): ClientRequest => {
      const begun = httpRequest(address, { method: "POST", headers }).on("error", () => undefined)
      // Ours below may have come first, and then this one has to come again.
      begun.once("response", () => {
        stalled = begin()
      })
      begun.write("half")
      return begun
    }
    let stalled = begin()
    const send = async () => (await person.post("/signature/picture", Buffer.from("no picture"), png)).status
    await until("the place is taken", async () => (await send()) === 429)
    stalled.destroy()
    await until("the place is free", async () => (await send()) === 400)
    const large = await person.post("/signature/picture", Buffer.alloc(5_200_000), png)
    expect(large.status).toBe(413)
  })
})

describe("progress", () => {
  it("comes by itself: the view of the signed document, and then the end", async () => {
    const person = await enter(service, await invited(service))
    const stream = await listen(service.url, person)
    expect((await stream.next("view")).screen).toBe("read")
    expect((await signAs(person)).status).toBe(202)
    const screens: string[] = []
    do screens.push((await stream.next("view")).screen)
    while (screens.at(-1) !== "done")
    await stream.next("end")
    await stream.ended
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8")
    // Whoever comes again gets what there is, and the end at once.
    const again = await listen(service.url, person)
    expect((await again.next("view")).waitingFor).toBe(0)
    await again.ended
  })

  it("is for who has a session, and in some windows only", async () => {
    expect((await call(service.url, "GET", "/app/api/signature/events", undefined, {})).status).toBe(401)
    const person = await enter(service, await invited(service))
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(service.url, person)))
    const sixth = await person.get("/signature/events")
    expect([sixth.status, sixth.headers.has("retry-after")]).toEqual([429, true])
    for (const stream of streams) stream.close()
    await until("there is room again", async () => {
      const next = await listen(service.url, person).catch(() => null)
      next?.close()
      return next !== null
    })
  })

  it("is told without a write, however often somebody is told", async () => {
    const email = newAddress("calm")
    const request = await sentTo(service.caller, "v2", [email])
    const person = await enter(service, await linkMailedTo(email))
    const stream = await listen(service.url, person)
    await stream.next("view")
    const { signature } = await person.view()
    const version = () =>
      service.sql(`select xmin, seen_at from signer_session where signature_id = '${signature}'`)
    const before = await version()
    const more = { account_email: newAddress("second"), sequence: 2 }
    const added = await service.caller.post(`/v2/signature-requests/${request.id}/signatures`, more)
    expect(added.status).toBe(200)
    expect((await stream.next("view")).people).toHaveLength(2)
    expect(await version()).toBe(before)
    stream.close()
  })

  it("ends when the server does, and does not hold it up", async () => {
    const person = await enter(service, await invited(service))
    const port = String(await freePort())
    const other = await service.startApi({ PORT: port })
    const stream = await listen(`http://localhost:${port}`, person)
    await stream.next("view")
    const stopped = other.stop()
    await stream.ended
    await stopped
  })
})

describe("what a signer may take along", () => {
  it("all documents in one file, under names that are sound and apart", async () => {
    const titles = ["Rent / 2026", "rent : 2026", "../../etc/passwd", ""]
    const email = newAddress("zip")
    const bytes = titles.map((_, index) => contractPdf(`Number ${index}.`))
    const ids: string[] = []
    for (const [index, title] of titles.entries()) {
      const content = bytes[index]?.toString("base64")
      ids.push((await service.caller.post("/v3/documents", { title: title || " ", content })).body.id)
    }
    const made = await service.caller.post("/v3/signature-requests", {
      title: "All of it",
      documents: ids.map((id) => ({ id })),
      signatures: [{ account_email: email }],
    })
    await service.caller.post(`/v3/signature-requests/${made.body.id}/initiate`, undefined)
    const link = await linkMailedTo(email)
    const person = await enter(service, link)
    const zip = await person.get("/documents.zip")
    expect([zip.status, zip.headers.get("content-type")]).toEqual([200, "application/zip"])
    expect(zip.headers.get("content-disposition")).toContain('attachment; filename="All of it.zip"')
    const files = filesIn(zip.bytes)
    expect([...files.keys()]).toEqual([
      "Rent 2026.pdf",
      "rent 2026 (2).pdf",
      "etc passwd.pdf",
      "document.pdf",
    ])
    for (const [index, content] of [...files.values()].entries())
      expect(content.equals(bytes[index] ?? content)).toBe(true)
    const hidden = await enter(service, `${pathOf(link)}?hidedownload=1`)
    expect((await hidden.get("/documents.zip")).status).toBe(404)
  })

  it("attachments, as downloads, and those of this request alone", async () => {
    const email = newAddress("att")
    const request = await sentTo(service.caller, "v2", [email])
    const text = Buffer.from("Terms.").toString("base64")
    const body = { filename: "terms.txt", content_type: "text/plain", content: text }
    const added = await service.caller.post(`/v2/signature-requests/${request.id}/attachments`, body)
    expect(added.status).toBe(200)
    const person = await enter(service, await linkMailedTo(email))
    const { attachments } = await person.view()
    expect(attachments).toEqual([
      { id: expect.any(String), filename: "terms.txt", contentType: "text/plain", sizeBytes: 6 },
    ])
    const answer = await person.get(`/attachments/${attachments[0].id}`)
    expect([answer.bytes.toString(), answer.headers.get("content-disposition")]).toEqual([
      "Terms.",
      expect.stringMatching(/^attachment; filename="terms.txt"/),
    ])
    const stranger = await enter(service, await invited(service))
    expect((await stranger.get(`/attachments/${attachments[0].id}`)).status).toBe(404)
  })
})

/** Of a ZIP file without compression, by its own headers. */
function filesIn(zip: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"))
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const size = zip.readUInt32LE(at + 20)
    const nameLength = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(name, zip.subarray(start, start + size))
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}
