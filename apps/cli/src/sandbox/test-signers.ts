// People of the sandbox who act by themselves, each by what stands before the @ of their address.
import type { Mail, Mails } from "./mailbox-store.ts"
import { CannotSign, declineBy, type Person, type ReadCode, signBy } from "./signer.ts"

/** How long somebody slow takes, by the clock of the sandbox. */
const SLOW_MS = 86_400_000

export const TEST_SIGNERS = {
  "signs@…": "signs as soon as the invitation comes",
  "declines@…": "declines it",
  "slow@…": "signs a day later, by the clock of the sandbox",
  "bounces@…": "has no mailbox: the invitation comes back",
} as const

/** What a mail server says of them. */
export const refusedAddress = (address: string): string | null =>
  roleOf(address) === "bounces" ? "5.1.1 There is nobody of that name." : null

type Role = "signs" | "declines" | "slow" | "bounces"

/** signs@…, and signs+anything@… for a second one. */
export function roleOf(address: string): Role | null {
  const [, role] = /^(signs|declines|slow|bounces)(\+[^@]*)?@/i.exec(address) ?? []
  return (role?.toLowerCase() as Role | undefined) ?? null
}

export const linkIn = ({ text }: Mail): string | undefined => /http\S+\/sign\/\S+/.exec(text)?.[0]

/** signs+ada.lovelace@… is called Ada Lovelace, signs@… Sam Signer. */
export function personOf(address: string): Person {
  const [, more] = /^[^@+]+\+([^@]+)@/.exec(address) ?? []
  if (more === undefined) return { name: "Sam Signer", email: "sam.signer@example.org" }
  const words = more.split(/[._-]+/).filter(Boolean)
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ")
  return { name: name || "Sam Signer", email: `${words.join(".")}@example.org` }
}

export type Watching = {
  readonly url: string
  readonly mails: Pick<Mails, "all">
  readonly now: () => Date
  readonly readCode: ReadCode
  readonly tell: (line: string) => void
}

/** Looks at the mails every now and then; answers how to stop. */
export function startTestSigners({ url, mails, now, readCode, tell }: Watching): () => Promise<void> {
  const done = new Set<string>()
  const due = new Map<string, number>()
  const actOn = async (mail: Mail, link: string, role: Role): Promise<void> => {
    const [address = ""] = mail.to
    if (role === "declines") await declineBy(url, link, "I do not agree.")
    else await signBy(url, link, personOf(address), readCode)
    tell(`${address} ${role === "declines" ? "declined" : "signed"}: ${mail.subject}`)
  }
  const look = async (): Promise<void> => {
    for (const mail of mails.all()) {
      const [role, link] = [roleOf(mail.to[0] ?? ""), linkIn(mail)]
      if (role === null || link === undefined || done.has(link)) continue
      if (role === "slow") {
        const from = due.get(link) ?? now().getTime() + SLOW_MS
        due.set(link, from)
        if (now().getTime() < from) continue
      }
      done.add(link)
      await actOn(mail, link, role).catch((error: unknown) => {
        const why = error instanceof CannotSign ? error.message : String(error)
        tell(`${mail.to[0]} could not act: ${why}`)
      })
    }
  }
  return repeating(look, 150)
}

function repeating(look: () => Promise<void>, everyMs: number): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const next = () => {
    running = look().finally(() => {
      if (!stopped) timer = setTimeout(next, everyMs)
    })
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
