import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { createMailer, type Mail, type Mailer } from "./mailer.ts"

type Caught = { raw: string; email: Email; sender: string; recipients: string[]; session: string }
const caught: Caught[] = []
let server: SMTPServer
let mailer: Mailer

beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    onRcptTo: ({ address }, _, callback) =>
      callback(
        address.startsWith("nobody") ? Object.assign(new Error("unknown"), { responseCode: 550 }) : null,
      ),
    onData: async (stream, session, callback) => {
      const pieces: Buffer[] = []
      try {
        for await (const piece of stream) pieces.push(piece)
      } catch {
        // The client went away before the end; a mail server keeps nothing of it.
        return
      }
      const raw = Buffer.concat(pieces).toString()
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : ""
      const isLarge = raw.length > 2_000_000
      if (!isLarge)
        caught.push({ raw, email: await PostalMime.parse(raw), sender, recipients, session: session.id })
      callback(isLarge ? Object.assign(new Error("5.3.4 too large"), { responseCode: 552 }) : null)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.server.address() as AddressInfo
  mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: "Paraph <sign@service.example>" })
})
afterAll(async () => {
  mailer.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(() => {
  caught.length = 0
})

const MAIL: Mail = {
  to: "ada@client.example",
  subject: "Vertrag für Zoë",
  text: "Guten Tag",
  html: "<p>Guten Tag</p>",
}

it("sends text and html with the headers of an automatic mail", async () => {
  await mailer.send({ ...MAIL, messageId: "<one@service.example>", headers: { "X-Request": "r1" } })
  const { email, recipients } = only()
  expect(email).toMatchObject({ subject: MAIL.subject, messageId: "<one@service.example>" })
  expect([email.text?.trim(), email.html?.trim()]).toEqual([MAIL.text, MAIL.html])
  expect([email.from?.address, recipients]).toEqual(["sign@service.example", [MAIL.to]])
  expect(header(email, "auto-submitted")).toEqual(["auto-generated"])
  expect(header(email, "x-request")).toEqual(["r1"])
})

it("names who asks before our own name, and lets nobody hide that it came through us", async () => {
  await mailer.send({ ...MAIL, onBehalfOf: "Acme AG" })
  expect(only().email.from).toMatchObject({ name: "Acme AG via Paraph", address: "sign@service.example" })
  caught.length = 0
  await mailer.send({
    ...MAIL,
    onBehalfOf: `Bank" <bank@evil.example>\r\nBcc: thief@evil.example\u202e${"x".repeat(500)}`,
  })
  expect(only().recipients).toEqual([MAIL.to])
  expect(only().email.from?.address).toBe("sign@service.example")
  expect(only().email.from?.name).toMatch(/ via Paraph$/)
  expect(header(only().email, "bcc")).toEqual([])
})

it("never lets a subject begin another header", async () => {
  for (const breaking of ["\r\n", "\n", "\r", "\r\n ", "\u2028", "\u0085", "\0", "é\r\n"])
    await mailer.send({ ...MAIL, subject: `Hello${breaking}Bcc: thief@evil.example${breaking}X-Evil: 1` })
  expect(caught.length).toBe(8)
  for (const { email, recipients } of caught) {
    expect([header(email, "bcc"), header(email, "x-evil"), recipients]).toEqual([[], [], [MAIL.to]])
    expect(email.headers.filter(({ key }) => key === "subject").length).toBe(1)
  }
})

it("has a subject and a name read as they were written, not as encoded words of somebody's own (RFC 2047)", async () => {
  const hidden = "=?utf-8?B?4oCuZ3Bq?="
  await mailer.send({ ...MAIL, subject: `Sign ${hidden}`, onBehalfOf: `Acme ${hidden}` })
  const { subject, from } = only().email
  expect(subject?.replaceAll("\u200c", "")).toBe(`Sign ${hidden}`)
  expect(from?.name?.replaceAll("\u200c", "")).toBe(`Acme ${hidden} via Paraph`)
})

it("a sender whose name is not seen is nobody's: it comes from us", async () => {
  await mailer.send({ ...MAIL, onBehalfOf: "\u200b\u2060" })
  expect(only().email.from).toMatchObject({ name: "Paraph", address: "sign@service.example" })
})

it("refuses a recipient that is more than one plain address", async () => {
  for (const to of [
    "ada@client.example\r\nBcc: thief@evil.example",
    "ada@client.example, thief@evil.example",
    "ada@client.example;thief@evil.example",
    "Ada <ada@client.example>",
    "group: ada@client.example",
    "ada@client.example>\r\nRCPT TO:<thief@evil.example",
    '"a b"@client.example',
    "",
    "ada",
    `${"a".repeat(250)}@b.example`,
  ])
    await expect(mailer.send({ ...MAIL, to })).rejects.toMatchObject({
      forGood: "recipient",
      status: "5.1.3",
    })
  expect(caught).toEqual([])
})

it("refuses a line break in any other header", async () => {
  await expect(mailer.send({ ...MAIL, headers: { "X-A": "1\r\nBcc: thief@evil.example" } })).rejects.toThrow(
    "header",
  )
  await expect(mailer.send({ ...MAIL, headers: { "X-A\r\nBcc": "thief@evil.example" } })).rejects.toThrow(
    "header",
  )
  await expect(mailer.send({ ...MAIL, messageId: "<a@b>\r\nBcc: thief@evil.example" })).rejects.toThrow(
    "header",
  )
  expect(caught).toEqual([])
})

it("puts the mails of a thread together, and names where they come back to and whom to answer", async () => {
  const thread = "<request@service.example>"
  const returnTo = "bounces+abc@service.example"
  await mailer.send({ ...MAIL, thread, returnTo, replyTo: "ann@acme.example" })
  const { email, sender } = only()
  expect([sender, email.from?.address]).toEqual([returnTo, "sign@service.example"])
  expect([email.inReplyTo, email.references]).toEqual([thread, thread])
  expect(email.replyTo?.map(({ address }) => address)).toEqual(["ann@acme.example"])
  expect(header(email, "x-auto-response-suppress")).toEqual(["All"])
  await expect(mailer.send({ ...MAIL, thread: "<a>\r\nBcc: thief@evil.example" })).rejects.toThrow("header")
  await expect(mailer.send({ ...MAIL, returnTo: "a@b.example>\r\nRCPT TO:<t@evil.example" })).rejects.toThrow(
    "address",
  )
})

it("attaches bytes as they come, and delivers nothing when they break off", async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256))
  async function* pieces(until: number) {
    for (let at = 0; at < until; at += 70_000) yield bytes.subarray(at, Math.min(at + 70_000, until))
    if (until < bytes.length) throw new Error("The bucket is away.")
  }
  const attached = (until: number) => ({
    ...MAIL,
    attachments: [
      { filename: "Vertrag für Zoë.pdf", contentType: "application/pdf", content: pieces(until) },
    ],
  })
  await expect(mailer.send(attached(200_000))).rejects.toThrow("The bucket is away.")
  expect(caught).toEqual([])
  await mailer.send(attached(bytes.length))
  const [attachment] = only().email.attachments
  expect([attachment?.filename, attachment?.mimeType]).toEqual(["Vertrag für Zoë.pdf", "application/pdf"])
  expect(Buffer.from(attachment?.content as ArrayBuffer).equals(bytes)).toBe(true)
  expect(
    Math.max(
      ...only()
        .raw.split("\r\n")
        .map((line) => line.length),
    ),
  ).toBeLessThan(998)
})

it("tells a mail that is too large from a recipient who is not there", async () => {
  async function* large() {
    for (let i = 0; i < 40; i++) yield Buffer.alloc(50_000, 65)
  }
  const attachments = [{ filename: "a.pdf", contentType: "application/pdf", content: large() }]
  await expect(mailer.send({ ...MAIL, attachments })).rejects.toMatchObject({
    forGood: "size",
    status: "5.3.4",
  })
})

it("keeps its connections for many mails", async () => {
  await Promise.all(Array.from({ length: 40 }, () => mailer.send(MAIL)))
  expect(caught.length).toBe(40)
  expect(new Set(caught.map(({ session }) => session)).size).toBeLessThanOrEqual(4)
})

it("fails when the server refuses or is not there", async () => {
  await expect(mailer.send({ ...MAIL, to: "nobody@client.example" })).rejects.toMatchObject({
    responseCode: 550,
  })
  await expect(mailer.verify()).resolves.toBeUndefined()
  const nowhere = createMailer({ url: "smtp://127.0.0.1:1", from: "a@b.example" })
  await expect(nowhere.send(MAIL)).rejects.toThrow()
  await expect(nowhere.verify()).rejects.toThrow()
  nowhere.close()
})

function only(): Caught {
  const [first] = caught
  if (first === undefined || caught.length !== 1) throw new Error(`Caught ${caught.length} mails.`)
  return first
}

function header(email: Email, name: string): string[] {
  return email.headers.filter(({ key }) => key === name).map(({ value }) => value)
}
