// Catches every mail that is sent to it and shows it: SMTP on one port, pages and JSON on the other.
// node mailbox.ts SMTP_PORT HTTP_PORT FILE
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { listPage, mailPage, pagePolicy } from "./mailbox-pages.ts"
import { type Mails, openMails } from "./mailbox-store.ts"

const mailSizeMaxBytes = 30_000_000

const [smtpPort, httpPort, file = ""] = process.argv.slice(2)
const mails = await openMails(file)
await openSmtp(Number(smtpPort), mails)
await openHttp(Number(httpPort), mails)

async function openSmtp(port: number, mails: Mails): Promise<void> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: mailSizeMaxBytes,
    onData: (stream, session, done) => {
      keep(stream, session, mails).then(
        () => done(),
        (reason) => done(reason instanceof Error ? reason : new Error(String(reason))),
      )
    },
  })
  server.on("error", (error) => console.error(error))
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
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

async function openHttp(port: number, mails: Mails): Promise<void> {
  const server = createServer((request, response) => {
    answer(request, response, mails).catch((error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    })
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
}

async function answer(request: IncomingMessage, response: ServerResponse, mails: Mails): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1")
  // A foreign page whose name was made to point at this machine must not read codes and links out of mails.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ""))
    return send(response, 403, "Loopback only.")

  const to = url.searchParams.get("to")?.toLowerCase()
  const wanted = mails.all().filter((mail) => !to || mail.to.some((address) => address.toLowerCase() === to))
  const route = `${request.method} ${url.pathname}`
  if (route === "GET /") return send(response, 200, listPage(wanted), "text/html; charset=utf-8")
  if (route === "GET /mails.json") return send(response, 200, JSON.stringify(wanted), "application/json")
  if (route === "DELETE /mails") {
    await mails.clear()
    return send(response, 204, "")
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
