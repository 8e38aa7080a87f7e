import { readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { createTransport } from "nodemailer"
import { MailFailed } from "./failed.ts"

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
  /** With its angle brackets: mails that name the same one belong together, whether or not it was ever sent. */
  readonly thread?: string
  /** Whom an answer is for, where it is not us. */
  readonly replyTo?: string
  /** Where a mail that cannot be delivered is sent back to (RFC 5321, 4.4); the sender of our mails unless given. */
  readonly returnTo?: string
  readonly attachments?: readonly Attachment[]
}

export type Attachment = {
  readonly filename: string
  readonly contentType: string
  /** Read while it is sent. Where it fails, the connection is cut and nothing is delivered. */
  readonly content: AsyncIterable<Uint8Array>
  /** RFC 2392, without the angle brackets: a picture that the html shows by this name, and no file to keep. */
  readonly contentId?: string
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
  /** Nothing is sent, a password neither, where the server does not offer STARTTLS with a certificate for its name. */
  readonly requireTls?: boolean
  /** Holds the password of the user in `url`, and may be written again at any time. */
  readonly passwordFile?: string
}

const MAX_SENDER_LENGTH = 80
const MAX_ADDRESS_LENGTH = 254 // RFC 5321, 4.5.3.1.3, less the angle brackets

/** Hands mails to the operator's mail server, which owns delivery; our queue repeats until it accepts. */
export function createMailer(settings: MailerSettings): Mailer {
  const { from } = settings
  const { transport, close } = renewing(settings)
  return {
    send: async (mail) => {
      await transport().sendMail(messageOf(mail, from)).catch(toldWithoutWords)
    },
    verify: async () => {
      await transport().verify()
    },
    close,
  }
}

/** A pool of connections with the password of now. One that was replaced gets a new pool, and the old one ends what it has begun. */
function renewing({ url, requireTls = false, passwordFile }: MailerSettings) {
  const passwordOfNow = () => (passwordFile ? readFileSync(passwordFile, "utf8").trim() : null)
  let password: string | null | undefined
  let current: ReturnType<typeof pooled> | undefined
  const transport = () => {
    const now = passwordOfNow()
    if (current !== undefined && now === password) return current
    current?.close()
    password = now
    current = pooled(url, requireTls, now)
    return current
  }
  return { transport, close: () => current?.close() }
}

function pooled(url: string, requireTls: boolean, pass: string | null) {
  const address = new URL(url)
  const user = decodeURIComponent(address.username)
  // What the address says would count more than an option.
  if (pass !== null) Object.assign(address, { username: "", password: "" })
  return createTransport({
    url: address.href,
    ...(pass !== null && { auth: { user, pass } }),
    requireTLS: requireTls,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** As nodemailer takes it; throws for one that would say more than it should. */
export function messageOf(mail: Mail, from: string) {
  refuseInjection(mail)
  return { ...headOf(mail, from), ...bodyOf(mail) }
}

function headOf(mail: Mail, from: string) {
  const { messageId, thread, replyTo, returnTo } = mail
  const sender = senderOf(from, mail.onBehalfOf)
  return {
    from: sender,
    // An object, so that nothing in the address can turn into a second recipient.
    to: { name: "", address: mail.to },
    envelope: { from: returnTo ?? sender.address, to: mail.to },
    subject: asWritten(mail.subject),
    ...(messageId !== undefined && { messageId }),
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    headers: {
      ...mail.headers,
      // RFC 3834, 5: no holiday reply, please; and the same for those who read another header.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
    },
  }
}

const bodyOf = ({ text, html, attachments = [] }: Mail) => ({
  text,
  html,
  attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
    filename,
    contentType,
    content: Readable.from(content),
    ...(contentId !== undefined && { cid: contentId, contentDisposition: "inline" as const }),
  })),
})

type Told = { code?: string; responseCode?: number; command?: string; response?: string }

/** The server's own words are left out: they repeat the recipient, and errors are logged. */
function toldWithoutWords(error: unknown): never {
  const { code = "unknown", responseCode, command = "", response = "" } = error as Told
  // It was not the mail server: what is attached could not be read.
  if (code === "ESTREAM") throw error
  const [, status = null] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  throw new MailFailed({ code, responseCode, command, status })
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
  if (whose === "") return { name, address }
  return { name: asWritten(name === "" ? whose : `${whose} via ${name}`), address }
}

/**
 * RFC 2047: a mail program reads `=?utf-8?B?…?=` as other words, and by these whoever wrote a title could say what was taken out of
 * it. A zero-width non-joiner keeps the look, and it is read as it was written.
 */
const asWritten = (words: string): string => words.replaceAll("=?", "=\u200C?")

function readSender(from: string): { name: string; address: string } {
  const [, name = "", address = ""] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return address === "" ? { name: "", address: from.trim() } : { name: name.replace(/^"|"$/g, ""), address }
}

/**
 * A line break in a header begins the next header. A subject may hold a title of the caller's, so its breaks
 * become spaces in nodemailer; anywhere else a break is a fault of ours or an attack, and the mail is not sent.
 */
function refuseInjection({ to, headers = {}, messageId = "", thread = "", replyTo, returnTo }: Mail): void {
  // As a mail server would answer: waiting mends no address.
  if (!isPlainAddress(to))
    throw new MailFailed({ code: "EADDRESS", responseCode: 501, command: "RCPT TO", status: "5.1.3" })
  for (const address of [replyTo, returnTo])
    if (address !== undefined && !isPlainAddress(address))
      throw new Error("An address of ours is not one plain e-mail address.")
  const values = [...Object.entries(headers).flat(), messageId, thread]
  if (values.some((value) => /\p{Cc}/u.test(value)))
    throw new Error("A mail header holds a control character.")
}

const isPlainAddress = (address: string): boolean =>
  address.length <= MAX_ADDRESS_LENGTH &&
  /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(address)
