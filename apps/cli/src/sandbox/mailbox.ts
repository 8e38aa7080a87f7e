// Catches every mail that is sent to it and shows it: SMTP on one port, pages and JSON on the other.
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { examplePdf } from "./example-pdf.ts"
import { listPage, mailPage, pagePolicy } from "./mailbox-pages.ts"
import { type Mails, openMails } from "./mailbox-store.ts"
import { asReceived } from "./text-messages.ts"

const mailSizeMaxBytes = 30_000_000

export type MailboxSettings = {
  /** Zero takes one that is free. */
  readonly smtpPort: number
  readonly httpPort: number
  /** Where the mails are kept. */
  readonly file: string
  /** Says why nobody is there, as a mail server would of an address that does not exist; null: it is delivered. */
  readonly refuses?: (address: string) => string | null
  /** What a service shows that sends text messages here; without it none are taken. */
  readonly smsToken?: string
}

/** Brings what lies elsewhere, before messages are shown. */
type Bring = () => Promise<void>

export type Mailbox = {
  readonly smtpUrl: string
  readonly url: string
  readonly mails: Mails
  readonly bringBefore: (bring: Bring) => void
  readonly close: () => Promise<void>
}

export async function startMailbox(settings: MailboxSettings): Promise<Mailbox> {
  const mails = await openMails(settings.file)
  const smtp = await openSmtp(settings, mails)
  // Last: whoever sees its page may send mails.
  let bring: Bring = async () => undefined
  const http = await openHttp(settings, mails, () => bring())
  return {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    mails,
    bringBefore: (first) => {
      bring = first
    },
    close: async () => {
      await new Promise<void>((closed) => smtp.close(() => closed()))
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
}

async function openSmtp({ smtpPort, refuses }: MailboxSettings, mails: Mails): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: mailSizeMaxBytes,
    closeTimeout: 500,
    onRcptTo: ({ address }, _, done) => {
      const why = refuses?.(address) ?? null
      done(why === null ? null : Object.assign(new Error(why), { responseCode: 550 }))
    },
    onData: (stream, session, done) => {
      keep(stream, session, mails).then(
        () => done(),
        (reason) => done(reason instanceof Error ? reason : new Error(String(reason))),
      )
    },
  })
  server.on("error", (error) => console.error(error))
  server.listen(smtpPort, "127.0.0.1")
  await once(server.server, "listening")
  return server
}

/** A mail is acknowledged only once it is kept. */
async function keep(stream: SMTPServerDataStream, session: SMTPServerSession, mails: Mails): Promise<void> {
  const raw = await buffer(stream)
  if (stream.sizeExceeded) throw Object.assign(new Error("The mail is too large."), { responseCode: 552 })
  await mails.add({
    raw: raw.toString("base64"),
    to: session.envelope.rcptTo.map(({ address }) => address),
    receivedAt: new Date().toISOString(),
    returnTo: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
  })
}

async function openHttp(
  { httpPort, smsToken }: MailboxSettings,
  mails: Mails,
  bring: Bring,
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, { mails, bring, smsToken }).catch((error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    })
  })
  server.listen(httpPort, "127.0.0.1")
  await once(server, "listening")
  return server
}

/** What a gateway is sent. */
type Sms = Readonly<Record<"to" | "text" | "reference", string>>

type Held = { readonly mails: Mails; readonly bring: Bring; readonly smsToken: string | undefined }

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { mails, bring, smsToken }: Held,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1")
  // A foreign page whose name was made to point at this machine must not read codes and links out of mails.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ""))
    return send(response, 403, "Loopback only.")

  const to = url.searchParams.get("to")?.toLowerCase()
  // Whoever asks for the mails to one address waits for nothing else. What cannot be brought now will be the next time.
  if (/^\/(mails\.json)?$/.test(url.pathname) && !to?.includes("@")) await bring().catch(() => undefined)
  const wanted = mails.all().filter((mail) => !to || mail.to.some((address) => address.toLowerCase() === to))
  const route = `${request.method} ${url.pathname}`
  if (route === "GET /") return send(response, 200, listPage(wanted), "text/html; charset=utf-8")
  if (route === "GET /example.pdf") return send(response, 200, examplePdf(), "application/pdf")
  if (route === "GET /mails.json") return send(response, 200, JSON.stringify(wanted), "application/json")
  if (route === "DELETE /mails") {
    await mails.clear()
    return send(response, 204, "")
  }
  if (route === "POST /sms" && smsToken !== undefined) {
    if (request.headers.authorization !== `Bearer ${smsToken}`) return send(response, 401, "")
    const { reference: id, to, text } = JSON.parse((await buffer(request)).toString()) as Sms
    await mails.add(asReceived({ id, to, text }))
    return send(response, 202, JSON.stringify({ id }), "application/json")
  }
  const [, asked] = /^GET \/mails\/(\d+)\.eml$/.exec(route) ?? []
  const raw = asked === undefined ? null : mails.raw(Number(asked))
  if (raw !== null) return send(response, 200, raw, "message/rfc822")
  const mail = mails.all().find(({ id }) => route === `GET /mails/${id}`)
  if (!mail) return send(response, 404, "There is no such page.")
  send(response, 200, mailPage(mail), "text/html; charset=utf-8")
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "content-security-policy": pagePolicy,
    "x-content-type-options": "nosniff",
  })
  response.end(body)
}
