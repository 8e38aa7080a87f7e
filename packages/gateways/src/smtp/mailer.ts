import { createTransport } from "nodemailer"

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Whose mail we carry: "Acme AG via Paraph" stands before our own address. */
  readonly onBehalfOf?: string
  readonly headers?: Readonly<Record<string, string>>
  /** With its angle brackets; the same for each attempt, so that a repeated mail can be recognised. */
  readonly messageId?: string
}

export type Mailer = {
  readonly send: (mail: Mail) => Promise<void>
  readonly verify: () => Promise<void>
  readonly close: () => void
}

export type MailerSettings = {
  /** `smtp://` or `smtps://`, with user name and password where the server asks for them. */
  readonly url: string
  readonly from: string
}

const MAX_SENDER_LENGTH = 80
const MAX_ADDRESS_LENGTH = 254 // RFC 5321, 4.5.3.1.3, less the angle brackets

/** Hands mails to the operator's mail server, which owns delivery; our queue repeats until it accepts. */
export function createMailer({ url, from }: MailerSettings): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (mail) => {
      refuseInjection(mail)
      const message = {
        from: senderOf(from, mail.onBehalfOf),
        // An object, so that nothing in the address can turn into a second recipient.
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.messageId === undefined ? {} : { messageId: mail.messageId }),
        // RFC 3834, 5: no holiday reply, please.
        headers: { ...mail.headers, "Auto-Submitted": "auto-generated" },
      }
      await transport.sendMail(message).catch(toldWithoutWords)
    },
    verify: async () => {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

/** The mail was not taken. The server's own words are left out: they repeat the recipient, and errors are logged. */
export class MailFailed extends Error {
  readonly code: string
  /** SMTP's reply (RFC 5321, 4.2.1): 4xx passes, 5xx does not. */
  readonly responseCode: number | undefined

  constructor(code: string, responseCode: number | undefined) {
    super(`The mail server did not take the mail: ${code} ${responseCode ?? ""}`.trim())
    this.name = "MailFailed"
    this.code = code
    this.responseCode = responseCode
  }
}

function toldWithoutWords(error: unknown): never {
  const { code = "unknown", responseCode } = error as { code?: string; responseCode?: number }
  throw new MailFailed(code, responseCode)
}

/** `Paraph <no-reply@…>` becomes `Acme AG via Paraph <no-reply@…>`: people look at who asks, not at who carries. */
function senderOf(from: string, onBehalfOf: string | undefined) {
  const { name, address } = readSender(from)
  if (onBehalfOf === undefined) return { name, address }
  // Control and format characters could hide the "via"; a sender's name is short.
  const whose = onBehalfOf
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SENDER_LENGTH)
  return { name: name === "" ? whose : `${whose} via ${name}`, address }
}

function readSender(from: string): { name: string; address: string } {
  const [, name = "", address = ""] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return address === "" ? { name: "", address: from.trim() } : { name: name.replace(/^"|"$/g, ""), address }
}

/**
 * A line break in a header begins the next header. A subject may hold a title of the caller's, so its breaks
 * become spaces in nodemailer; anywhere else a break is a fault of ours or an attack, and the mail is not sent.
 */
function refuseInjection({ to, headers = {}, messageId = "" }: Mail): void {
  if (to.length > MAX_ADDRESS_LENGTH || !/^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(to))
    throw new Error("The recipient is not one plain e-mail address.")
  const values = [...Object.entries(headers).flat(), messageId]
  if (values.some((value) => /\p{Cc}/u.test(value)))
    throw new Error("A mail header holds a control character.")
}
