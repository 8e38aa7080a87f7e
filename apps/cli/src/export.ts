import { createWriteStream, existsSync, rmSync } from "node:fs"
import { extname } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as WebStream } from "node:stream/web"
import { COMMANDS } from "./commands.ts"
import { environment, secretFrom } from "./environment.ts"
import { Failed } from "./failed.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { progress } from "./progress.ts"
import { textOf, typed } from "./synopsis.ts"
import { counting, keep } from "./transfer.ts"

/** `paraph export`: all that a business has, as the archives that the service writes for its owners and admins (ADR 0055). */
export async function exportAll(words: readonly string[]): Promise<number> {
  const { values } = typed(COMMANDS.export.usage, words)
  const output = textOf(values, "output")
  if (output === undefined) throw new NotUnderstood("--output is needed: where does the archive go?")
  const { url, token } = whoAsks()
  const files: string[] = []
  for (let next: string | null = `${url}/v3/export`; next !== null; ) {
    const file = numbered(output, files.length + 1)
    if (existsSync(file)) throw new NotUnderstood(`${file} is there already, and is not overwritten.`)
    next = await fetchArchive(next, token, file)
    files.push(file)
  }
  print(
    { value: { files }, words: files.map((file) => `${file} is whole.`).join("\n") },
    values.json === true,
  )
  return 0
}

/** A person's token, of a session: a key may not have everything (ADR 0055). */
function whoAsks(): { readonly url: string; readonly token: string } {
  const env = environment()
  const { PARAPH_URL = "" } = env
  const token = secretFrom(env, "PARAPH_TOKEN")
  if (PARAPH_URL === "" || !token)
    throw new NotUnderstood(
      "PARAPH_URL and PARAPH_TOKEN (or PARAPH_TOKEN_FILE) are needed: a token of an owner or admin.",
    )
  if (!/^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(PARAPH_URL))
    throw new NotUnderstood(
      `PARAPH_URL: ${PARAPH_URL} does not begin with https://, or http:// for a service on this machine.`,
    )
  return { url: PARAPH_URL.replace(/\/+$/, ""), token }
}

const numbered = (path: string, number: number): string => {
  const ending = extname(path)
  return number === 1 ? path : `${path.slice(0, path.length - ending.length)}-${number}${ending}`
}

/** Answers where the next one is. One that broke off is no whole archive, and has no name. */
async function fetchArchive(address: string, token: string, file: string): Promise<string | null> {
  // A redirection would carry the token along; the interface has none.
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(address, { headers, redirect: "manual" }).catch((cause: unknown) => {
    throw new Failed(`${new URL(address).origin} gave no answer.`, { cause })
  })
  if (answer.status !== 200 || answer.body === null) throw new Failed(await refusal(answer))
  const shown = progress("Downloaded bytes", null)
  const partial = `${file}.${process.pid}.partial`
  try {
    const to = createWriteStream(partial, { flags: "wx", mode: 0o600 })
    await pipeline(Readable.fromWeb(answer.body as WebStream), counting(shown), to)
    await keep(partial, file)
  } catch (cause) {
    if (cause instanceof NotUnderstood) throw cause
    throw new Failed("The archive broke off. Ask for it again.", { cause })
  } finally {
    shown.end()
    rmSync(partial, { force: true })
  }
  const next = /<([^>]+)>; *rel="?next"?/.exec(answer.headers.get("link") ?? "")?.[1]
  return next === undefined ? null : ofTheSame(address, next)
}

/** The token goes to the service that was named, and to nobody whom an answer names. */
function ofTheSame(address: string, next: string): string {
  const { pathname, search } = new URL(next, address)
  return new URL(`${pathname}${search}`, address).href
}

async function refusal(answer: Response): Promise<string> {
  const said = await answer.json().catch(() => ({}))
  const { message, key } = said as { readonly message?: string; readonly key?: string }
  return `${message ?? `The service answered ${answer.status}.`}${key === undefined ? "" : ` (${key})`}`
}
