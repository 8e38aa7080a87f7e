import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { promisify } from "node:util"
import type { Email } from "postal-mime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { handOver } from "../service/hand-over.ts"
import { linkIn, linkMailedTo, mailsComeTo, mailsTo, type ReceivedMail } from "../service/mailbox.ts"
import { linksIn, soundMail } from "../service/mime.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { dumpWords, type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
const CREATOR = "ann@acme.example"
const content = contractPdf("Of mails.").toString("base64")
const anyone = (who: string) => `${who}-${randomUUID()}@example.org`

let service: Service
let bouncePort: number
/** Every mail that a test has looked at; the last test opens all their links. */
const seen: Email[] = []

beforeAll(async () => {
  bouncePort = await freePort()
  service = await startService({
    env: { MAIL_BOUNCE_ADDRESS: "bounces+{id}@sign.example.org", BOUNCE_LISTEN: `127.0.0.1:${bouncePort}` },
  })
  const { paraph, business } = service
  await paraph(
    "admin",
    "add-member",
    "--business",
    business,
    "--email",
    CREATOR,
    "--name",
    "Ann",
    "--role",
    "member",
  )
  for (const feature of ["expires_at", "group_observers"])
    await paraph("admin", "set-feature", "--business", business, "--feature", feature, "--on")
})
afterAll(() => service?.close())

async function create(body: object, version = "v2", api: Api = service.caller) {
  const answer = await api.post(`/${version}/signature-requests`, { title: "Contract", content, ...body })
  if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${answer.bytes}`)
  return answer.body as { id: string; document_id: string; signatures: { sid: string }[] }
}
const read = async (id: string, api: Api = service.caller) =>
  (await api.get(`/v2/signature-requests/${id}`)).body

/** The newest of so many mails to an address, parsed and found sound. */
async function mailTo(
  address: string,
  count = 1,
  language = "en",
): Promise<Email & { received: ReceivedMail }> {
  const received = (await mailsComeTo(address, count)).at(-1) as ReceivedMail
  const email = await soundMail(received, language)
  seen.push(email)
  for (const link of linksIn(email)) expect(link.startsWith(`${service.url}/`)).toBe(true)
  return { ...email, received }
}

async function sign(address: string, count = 1, language = "en"): Promise<void> {
  const mail = await mailTo(address, count, language)
  const session = await openSession(service.url, linkIn(mail.received) ?? "")
  expect((await session.press("Ada Lovelace")).status).toBe(202)
}
const isSigned = (id: string) =>
  until("it is SIGNED", async () => (await read(id)).status_overall === "SIGNED")

describe("mails, by real SMTP", () => {
  it("[EVT-06 v1] [EVT-06 v2] [EVT-06 v3] creating and adding signers writes to them", async () => {
    for (const version of ["v1", "v2", "v3"]) {
      const [first, added] = [anyone("first"), anyone("added")]
      const name = version === "v1" ? "signer_email_address" : "account_email"
      const { document_id } = await create({ signatures: [] })
      const source = version === "v3" ? { content: undefined, document_id } : {}
      const { id } = await create({ signatures: [{ [name]: first }], ...source }, version)
      if (version === "v3")
        expect((await service.caller.post(`/v3/signature-requests/${id}/initiate`, undefined)).status).toBe(
          200,
        )
      const path = `/${version}/signature-requests/${id}/signatures`
      expect((await service.caller.post(path, { [name]: added })).status).toBeLessThan(300)
      for (const address of [first, added])
        expect((await mailTo(address)).subject).toBe("Acme AG asks you to sign: Contract")
    }
  })

  it("[EVT-06 v2] [SR-36 v2] a request of two in order: invitation, reminder, and the signed document to everybody", async () => {
    const [anna, bert, copy] = [anyone("anna"), anyone("bert"), anyone("copy")]
    const { id } = await create({
      title: "Mietvertrag für Zoë",
      creator: CREATOR,
      attach_on_success: ["SIGNED_DOCUMENT"],
      cc_email_addresses: [copy],
      signatures: [
        { account_email: anna, sequence: 1, language: "de" },
        { account_email: bert, sequence: 2, language: "fr" },
      ],
    })
    const invitation = await mailTo(anna, 1, "de-CH")
    expect(invitation.subject).toBe("Acme AG bittet Sie um Ihre Unterschrift: Mietvertrag für Zoë")
    // An answer would quote the link, which is enough to sign in the reader's name.
    expect(invitation.replyTo).toBeUndefined()
    expect(invitation.from?.name).toBe("Acme AG via Paraph")
    expect(await mailsTo(bert)).toEqual([])
    await sign(anna, 1, "de-CH")

    expect((await mailTo(bert, 1, "fr-CH")).subject).toContain("vous demande de signer")
    const path = `/v2/signature-requests/${id}/remind`
    expect((await service.caller.post(path, undefined)).status).toBe(200)
    const reminder = await mailTo(bert, 2, "fr-CH")
    expect(reminder.subject).toContain("vous rappelle de signer")
    expect(await mailsTo(anna)).toHaveLength(1)
    await sign(bert, 2, "fr-CH")
    await isSigned(id)

    const { document_id } = await read(id)
    const signed = (await service.caller.get(`/v2/documents/${document_id}/content`)).bytes
    const done = [await mailTo(anna, 2, "de-CH"), await mailTo(bert, 3, "fr-CH"), await mailTo(copy)]
    expect(done.map((mail) => mail.subject)).toEqual([
      "Unterschrieben: Mietvertrag für Zoë",
      "Signé\u202F: Mietvertrag für Zoë",
      "Signed: Mietvertrag für Zoë",
    ])
    expect(reminder.replyTo).toBeUndefined()
    for (const { attachments, references, inReplyTo, replyTo } of done) {
      expect(replyTo?.map(({ address }) => address)).toEqual([CREATOR])
      expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
        ["Mietvertrag für Zoë.pdf", "application/pdf"],
      ])
      expect(Buffer.from(attachments[0]?.content as ArrayBuffer).equals(signed)).toBe(true)
      expect([references, inReplyTo]).toEqual([invitation.references, invitation.references])
    }
    expect(done[0]?.text).toContain("Alle haben «Mietvertrag für Zoë» unterschrieben")
    expect(done[2]?.text).toContain("“Mietvertrag für Zoë” has been signed by everyone")
    expect(new Set([invitation, reminder, ...done].map((mail) => mail.messageId)).size).toBe(5)
  })

  it("[SR-18 v3] all at once: who signs later reads so, and gets a second mail when the turn comes", async () => {
    const [first, second] = [anyone("first"), anyone("second")]
    const { document_id } = await create({ signatures: [] })
    const { id } = await create(
      {
        content: undefined,
        document_id,
        signatures: [
          { account_email: first, sequence: 1 },
          { account_email: second, sequence: 2, language: "it" },
        ],
      },
      "v3",
    )
    await service.caller.post(`/v3/signature-requests/${id}/initiate`, undefined)
    expect((await mailTo(second, 1, "it-CH")).text).toContain("Altre persone firmano prima di Lei")
    await sign(first)
    const turn = await mailTo(second, 2, "it-CH")
    expect(turn.subject).toBe("È il Suo turno di firmare: Contract")
    expect(linkIn(turn.received)).not.toBe(linkIn((await mailsTo(second))[0]))
    await sign(second, 2, "it-CH")
    await isSigned(id)
    // Nothing was to be attached.
    const done = await mailTo(first, 2)
    expect([done.attachments, done.text?.includes("can give you a copy")]).toEqual([[], true])
  })

  it("a signed document that is too large for a mail is named, not attached", async () => {
    const signer = anyone("large")
    const large = pdfOfSize(15_100_000).toString("base64")
    const { id } = await create({
      content: large,
      attach_on_success: ["SIGNED_DOCUMENT"],
      signatures: [{ account_email: signer }],
    })
    await sign(signer)
    await isSigned(id)
    const done = await mailTo(signer, 2)
    expect([done.attachments, done.text?.includes("too large for an e-mail")]).toEqual([[], true])
  })

  it("a decline reaches the others, with who and why; the one who declined knows it", async () => {
    const [no, other] = [anyone("no"), anyone("other")]
    await create({ signatures: [{ account_email: no }, { account_email: other, language: "fr" }] })
    const session = await openSession(service.url, await linkMailedTo(no))
    await mailTo(other, 1, "fr-CH")
    await session.decline("Clause 7 <b>is</b> wrong, see https://evil.example/x")
    const told = await mailTo(other, 2, "fr-CH")
    expect(told.subject).toBe("Refusé\u202F: Contract")
    expect(told.text).toContain(`${no.split("@")[0]}@\u200Cexample.\u200Corg a refusé de signer`)
    expect(told.text).toContain("wrong, see https:\u200C/\u200C/\u200Cevil.\u200Cexample/\u200Cx")
    expect(told.html).toContain("Clause 7 &lt;b&gt;is&lt;/")
    expect(await mailsTo(no)).toHaveLength(1)
  })

  it("a withdrawal is told with its message, and a deletion though the request is gone", async () => {
    const [withdrawn, deleted] = [anyone("withdrawn"), anyone("deleted")]
    const first = await create({ signatures: [{ account_email: withdrawn }] })
    await mailTo(withdrawn)
    const path = `/v2/signature-requests/${first.id}/withdraw`
    expect((await service.caller.post(path, { message: "A mistake of ours." })).status).toBe(200)
    const told = await mailTo(withdrawn, 2)
    expect(told.subject).toBe("Withdrawn: Contract")
    expect(told.text).toContain("> A mistake of ours.")

    const second = await create({ title: "Gone", signatures: [{ account_email: deleted, language: "de" }] })
    await mailTo(deleted, 1, "de-CH")
    expect((await service.caller.delete(`/v2/signature-requests/${second.id}`)).status).toBe(204)
    const gone = await mailTo(deleted, 2, "de-CH")
    expect(gone.subject).toBe("Zurückgezogen: Gone")
    expect(linksIn(gone)).toEqual([])
  })

  it("[SR-36 v2] who is not to be notified gets no mail at all, whatever happens", async () => {
    const [quiet, loud] = [anyone("quiet"), anyone("loud")]
    const signatures = [{ account_email: quiet, notify: false }, { account_email: loud }]
    const { id } = await create({ signatures })
    await mailTo(loud)
    await service.caller.post(`/v2/signature-requests/${id}/withdraw`, {})
    await mailTo(loud, 2)
    expect(await mailsTo(quiet)).toEqual([])
  })

  it("an observer learns that they are one", async () => {
    const observer = anyone("observer")
    const { document_id } = await create({ signatures: [] })
    const { id } = await create({ content: undefined, document_id, signatures: [] }, "v3")
    const path = `/v3/signature-requests/${id}/observers`
    expect((await service.caller.post(path, { type: "USER", email: observer })).status).toBeLessThan(300)
    await service.caller.post(`/v3/signature-requests/${id}/initiate`, undefined)
    const told = await mailTo(observer)
    expect(told.subject).toBe("Acme AG lets you follow: Contract")
    expect(linksIn(told)).toEqual([`${service.url}/view/${id}`])
  })
})

describe("a mail that comes back", () => {
  const report = (action: string, status: string) =>
    [
      "From: MAILER-DAEMON@mx.example.org",
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "I am sorry.",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      `Final-Recipient: rfc822; someone@example.org\r\nAction: ${action}\r\nStatus: ${status}`,
      "",
      "--b--",
      "",
    ].join("\r\n")
  const comeBack = async (to: string, message: string) =>
    expect(await handOver(bouncePort, to, message)).toBe(250)

  it("is shown to the sender at that signature, and at no other", async () => {
    const [gone, there] = [anyone("gone"), anyone("there")]
    const { id } = await create({ signatures: [{ account_email: gone }, { account_email: there }] })
    const [mail, other] = [await mailTo(gone), await mailTo(there)]
    const problems = async () =>
      (await read(id)).signatures.map((s: { mail_problem: unknown }) => s.mail_problem)
    expect(mail.received.returnTo).toMatch(/^bounces\+[a-z2-7]{42}@sign\.example\.org$/)
    expect(mail.received.returnTo).not.toBe(other.received.returnTo)

    await comeBack(other.received.returnTo, report("delayed", "4.4.1"))
    await comeBack(
      other.received.returnTo,
      "Subject: I am away\r\nAuto-Submitted: auto-replied\r\n\r\nUntil Monday.\r\n",
    )
    expect(await problems()).toEqual([null, null])
    await comeBack(mail.received.returnTo, report("failed", "5.1.1"))
    await comeBack(mail.received.returnTo, report("failed", "5.1.1"))
    expect(await problems()).toEqual(["5.1.1 The mailbox does not exist.", null])
    const noted = `select count(*) from evidence where request_id = '${id}' and type = 'signature.mail-bounced'`
    expect(await service.sql(noted)).toBe("1")
    const { body: copies } = await service.caller.get(`/v3/mails?signature_request_id=${id}`)
    const states = copies.map(({ to, state }: { to: string; state: string }) => [to, state])
    expect(new Map(states)).toEqual(
      new Map([
        [gone, "BOUNCED"],
        [there, "SENT"],
      ]),
    )
    // The signer is there all the same: a mail may have come through another way.
    await sign(gone)
  })

  it("is believed only where the address is one that we gave", async () => {
    const signer = anyone("forged")
    const { id, signatures } = await create({ signatures: [{ account_email: signer }] })
    const { returnTo } = (await mailTo(signer)).received
    const last = returnTo.charAt(returnTo.indexOf("@") - 2) === "a" ? "b" : "a"
    const at = returnTo.indexOf("@") - 2
    for (const forged of [
      returnTo.slice(0, at) + last + returnTo.slice(at + 1),
      `bounces+${signatures[0]?.sid}@sign.example.org`,
      "bounces@sign.example.org",
      returnTo.replace("sign.example", "evil.example"),
    ])
      expect([forged, await handOver(bouncePort, forged, report("failed", "5.1.1"))]).toEqual([forged, 550])
    expect((await read(id)).signatures[0].mail_problem).toBeNull()
  })
})

describe("the end of a request's time, and of this file", () => {
  it("warns the signers some days before, and tells everybody when it is over", async () => {
    const signer = anyone("late")
    const { document_id } = await create({ signatures: [] })
    const expires_at = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
    const { id } = await create(
      { content: undefined, document_id, expires_at, signatures: [{ account_email: signer }] },
      "v3",
    )
    await service.caller.post(`/v3/signature-requests/${id}/initiate`, undefined)
    const written = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(
      new Date(expires_at),
    )
    expect((await mailTo(signer)).text).toContain(`You can sign until ${written}.`)
    service.moveClock(9.5 * DAY_MS)
    const warning = await mailTo(signer, 2)
    expect(warning.subject).toBe(`To be signed until ${written}: Contract`)
    expect(linksIn(warning)).toHaveLength(1)
    service.moveClock(12 * DAY_MS)
    const over = await mailTo(signer, 3)
    expect([over.subject, linksIn(over)]).toEqual(["Expired: Contract", []])
    const api = await createApi(service.url, service.username, service.demoKey)
    expect((await read(id, api)).status_overall).toBe("EXPIRED")
  })

  it("[R27] a GET or HEAD on any link in any of these mails changes nothing", async () => {
    const links = [...new Set(seen.flatMap(linksIn))]
    expect(links.length).toBeGreaterThan(20)
    await until("no job is under way", async () => (await service.sql(JOBS)) === "0")
    // Whatever changes from here on, the calls below have done.
    await service.worker.kill()
    const before = await everything()
    for (const link of links)
      for (const method of ["GET", "HEAD", "GET"]) {
        const { status } = await fetch(link, { method, redirect: "manual" })
        // Of a request that was deleted there is no door any more; the address of a request leads to the login.
        expect(link.includes("/view/") ? [303] : [200, 404]).toContain(status)
      }
    const after = await everything()
    expect(after.filter((row) => !before.includes(row))).toEqual([])
    expect(after.length).toBe(before.length)
  })
})

const JOBS = "select count(*) from jobs.job where state < 'completed'"

/** Every row of every table, apart from the queue's and those that count calls. */
async function everything(): Promise<readonly string[]> {
  const left = ["--exclude-schema=jobs", "--exclude-table=rate_limit", "--exclude-table=rate_window"]
  const { stdout } = await promisify(execFile)(
    "pg_dump",
    ["--data-only", "--inserts", ...left, ...dumpWords(service.env.DATABASE_OWNER_URL)],
    { maxBuffer: 200_000_000 },
  )
  const rows = stdout.split("\n").filter((line) => line.startsWith("INSERT"))
  expect(rows.length).toBeGreaterThan(100)
  return rows
}
