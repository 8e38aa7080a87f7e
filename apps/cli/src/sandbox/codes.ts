import type { FirstBusiness } from "./first-business.ts"
import type { Mail, Mails } from "./mailbox-store.ts"
import type { ReadCode } from "./signer.ts"

/**
 * The newest code that was sent as a text message and that nobody has used yet. One of a demo request never leaves the service,
 * and whoever has the demo key reads it there; one of production comes to the mailbox.
 */
export function codesFrom(
  url: string,
  business: FirstBusiness,
  mails: Pick<Mails, "all">,
): (invitation: Mail) => ReadCode {
  const used = new Set<string>()
  const kept = async (): Promise<readonly Code[]> => {
    const token = await logIn(url, business)
    const get = async (path: string) =>
      (await fetch(`${url}/v3/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const rows = (await get("mails?page_size=20")) as readonly {
      id: string
      channel: string
      state: string
    }[]
    const sent = rows.filter(
      ({ channel, state, id }) => channel === "SMS" && state === "SENT" && !used.has(id),
    )
    return Promise.all(
      sent.map(async ({ id }) => ({ id, text: ((await get(`mails/${id}`)) as { text: string }).text })),
    )
  }
  const delivered = (): readonly Code[] =>
    mails
      .all()
      .filter(({ to }) => to[0]?.startsWith("+") === true)
      .map(({ id, text }) => ({ id: `mailbox ${id}`, text }))
      .toReversed()
  return () => async () => {
    const codes = [...delivered(), ...(await kept())].filter(({ id }) => !used.has(id))
    for (const { id, text } of codes) {
      const [, code] = /\b(\d{6})\b/.exec(text) ?? []
      used.add(id)
      if (code !== undefined) return code
    }
    return null
  }
}

type Code = { readonly id: string; readonly text: string }

async function logIn(url: string, { username, apiKey }: FirstBusiness): Promise<string> {
  const answer = await fetch(`${url}/v2/access/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, "api-key": apiKey }),
  })
  return answer.text()
}
