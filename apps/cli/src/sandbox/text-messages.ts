import type { FirstBusiness } from "./first-business.ts"
import type { Mails, Received } from "./mailbox-store.ts"

export type TextMessage = { readonly id: string; readonly to: string; readonly text: string }

/** A text message as the mailbox keeps it: like a mail to that number, known again by its id. */
export function asReceived({ id, to, text }: TextMessage): Received {
  const head = [`Message-ID: ${messageId(id)}`, "From: Text message <sms@paraph.example>", `To: ${to}`]
  const type = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"]
  const lines = [...head, `Subject: Text message to ${to}`, ...type, "", Buffer.from(text).toString("base64")]
  const raw = Buffer.from(lines.join("\r\n")).toString("base64")
  return { raw, to: [to], receivedAt: new Date().toISOString() }
}

const messageId = (id: string): string => `<${id}@sms.paraph.example>`

/**
 * Brings what the service has kept for itself into the mailbox: a text message about a demo request never leaves the service, and
 * whoever has the demo key reads it there. One of a production request is sent to the mailbox by the service.
 */
export function bringingTexts(
  mails: Mails,
  kept: () => Promise<readonly TextMessage[]>,
): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  const bring = async (): Promise<void> => {
    const known = new Set(mails.all().map(({ headers }) => headers["message-id"]))
    for (const message of await kept())
      if (!known.has(messageId(message.id))) await mails.add(asReceived(message))
  }
  // In turn, so that none is brought twice.
  return () => {
    last = last.catch(() => undefined).then(bring)
    return last
  }
}

/** The last text messages about demo requests, the oldest first. */
export function keptTexts(url: string, business: FirstBusiness): () => Promise<readonly TextMessage[]> {
  let token = ""
  const get = async (path: string): Promise<unknown> => {
    const ask = () => fetch(`${url}/v3/${path}`, { headers: { authorization: `Bearer ${token}` } })
    let answer = token === "" ? null : await ask()
    if (answer === null || answer.status === 401) {
      token = await logIn(url, business)
      answer = await ask()
    }
    return answer.json()
  }
  return async () => {
    const rows = (await get("mails?page_size=20")) as readonly Row[]
    const sent = rows.filter(({ channel, state }) => channel === "SMS" && state === "SENT")
    const whole = sent.map(({ id }) => get(`mails/${id}`) as Promise<TextMessage>)
    return (await Promise.all(whole)).toReversed()
  }
}

type Row = { readonly id: string; readonly channel: string; readonly state: string }

async function logIn(url: string, { username, apiKey }: FirstBusiness): Promise<string> {
  const answer = await fetch(`${url}/v2/access/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, "api-key": apiKey }),
  })
  return answer.text()
}
