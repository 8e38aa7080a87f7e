// The mails that the mailbox holds: the last 500, in memory, and in a file so that a restart keeps them.
import { appendFile, readFile, rename, writeFile } from "node:fs/promises"
import PostalMime, { type Address } from "postal-mime"

export type Mail = {
  readonly id: number
  readonly from: string
  /** Whom the envelope named, so also those in blind copy. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Names in lower case; a header that occurs several times has its values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly receivedAt: string
  /** Whom the envelope named as sender: where it would come back to. */
  readonly returnTo: string
}

export type Received = {
  readonly raw: string
  readonly to: readonly string[]
  readonly receivedAt: string
  readonly returnTo?: string
}

export type Mails = {
  add(received: Received): Promise<void>
  all(): readonly Mail[]
  /** The mail as it came, byte by byte. */
  raw(id: number): Buffer | null
  clear(): Promise<void>
}

const keptMax = 500

type Kept = Received & { readonly id: number }

export async function openMails(file: string): Promise<Mails> {
  let kept = await readKept(file)
  let mails = await Promise.all(kept.map(read))
  let nextId = (kept.at(-1)?.id ?? 0) + 1
  let linesInFile = kept.length
  // Writes take turns, so that lines never mix and ids follow the order of arrival.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const add = async (received: Received) => {
    const one = { id: nextId, ...received }
    const mail = await read(one)
    nextId += 1
    kept = [...kept, one].slice(-keptMax)
    mails = [...mails, mail].slice(-keptMax)
    linesInFile += 1
    if (linesInFile <= 2 * keptMax) return appendFile(file, line(one), { mode: 0o600 })
    await replace(file, kept)
    linesInFile = kept.length
  }
  const raw = (id: number) => {
    const one = kept.find((each) => each.id === id)
    return one === undefined ? null : Buffer.from(one.raw, "base64")
  }
  const clear = async () => {
    kept = []
    mails = []
    linesInFile = 0
    await replace(file, kept)
  }
  return { add: (received) => inTurn(() => add(received)), all: () => mails, raw, clear: () => inTurn(clear) }
}

async function readKept(file: string): Promise<readonly Kept[]> {
  const text = await readFile(file, "utf8").catch(() => "")
  // A line without its end was cut by a crash before the mail was acknowledged.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  const kept = whole.split("\n").filter(Boolean).slice(-keptMax)
  const mails = kept.map((one) => JSON.parse(one) as Kept)
  await replace(file, mails)
  return mails
}

async function replace(file: string, kept: readonly Kept[]): Promise<void> {
  await writeFile(`${file}.new`, kept.map(line).join(""), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

function line(kept: Kept): string {
  return `${JSON.stringify(kept)}\n`
}

async function read({ id, raw, to, receivedAt, returnTo = "" }: Kept): Promise<Mail> {
  const parsed = await PostalMime.parse(Buffer.from(raw, "base64"))
  const headers: Record<string, string> = {}
  for (const { key, value } of parsed.headers)
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  return {
    id,
    from: parsed.from ? written(parsed.from) : "",
    to,
    subject: parsed.subject ?? "",
    text: parsed.text ?? "",
    html: parsed.html ?? "",
    headers,
    receivedAt,
    returnTo,
  }
}

function written({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : (address ?? name)
}
