// A mail server that notes every mail that it has taken, and refuses as it is told (F11).
import { once } from "node:events"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import PostalMime from "postal-mime"
import { SMTPServer } from "smtp-server"

export const MOODS = ["421", "450", "550", "drop-after-data", "lose-answer", "slow"] as const
export type Mood = "good" | (typeof MOODS)[number]

export type Mail = {
  readonly to: string
  readonly messageId: string
  readonly subject: string
  readonly link: string | null
}

export type MailServer = {
  readonly port: number
  readonly mails: readonly Mail[]
  readonly to: (address: string) => readonly Mail[]
  /** Whom it has refused for good. */
  readonly refused: ReadonlySet<string>
  readonly be: (mood: Mood) => void
  readonly close: () => Promise<void>
}

/** `cut` breaks the connections that stand before it. */
export async function startMailServer(port: number, cut: () => void): Promise<MailServer> {
  const mails: Mail[] = []
  const byAddress = new Map<string, Mail[]>()
  const refused = new Set<string>()
  let mood: Mood = "good"
  const take = async (bytes: Buffer, recipients: readonly string[]) => {
    const { text = "", messageId = "", subject = "" } = await PostalMime.parse(bytes)
    const link = /http\S+\/sign\/\S+/.exec(text)?.[0] ?? null
    for (const to of recipients) {
      const mail = { to, messageId, subject, link }
      mails.push(mail)
      byAddress.set(to, [...(byAddress.get(to) ?? []), mail])
    }
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onMailFrom: (_, __, done) => {
      if (mood === "421") return done(refusal(421, "4.3.2 Closing."))
      void pause(mood === "slow" ? 3_000 : 0).then(() => done())
    },
    onRcptTo: ({ address }, _, done) => {
      if (mood === "450") return done(refusal(450, "4.2.0 Busy."))
      if (mood !== "550") return done()
      refused.add(address)
      done(refusal(550, "5.1.1 Nobody."))
    },
    onData: (stream, session, done) => {
      const taking = buffer(stream).then(async (bytes) => {
        if (mood === "drop-after-data") return cut()
        await take(
          bytes,
          session.envelope.rcptTo.map(({ address }) => address),
        )
        // It has the mail, and whoever sent it never hears so.
        if (mood === "lose-answer") return cut()
        done()
      })
      // Whoever sent it is gone before it was whole: then there is no mail.
      taking.catch(() => undefined)
    },
  })
  server.on("error", () => undefined)
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  return {
    port,
    mails,
    to: (address) => byAddress.get(address) ?? [],
    refused,
    be: (next) => {
      mood = next
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const refusal = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code })
