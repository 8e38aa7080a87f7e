import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { flushCompileCache } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { NotUnderstood } from "../not-understood.ts"
import { print } from "../printed.ts"
import { notRead } from "../synopsis.ts"
import { clockIn, movedClock } from "./clock.ts"
import type { Mail } from "./mailbox-store.ts"
import { writePrivate } from "./private-file.ts"
import { findRunning, forgetRunning, noteRunning, type Running } from "./running.ts"
import type { Sandbox, SandboxOptions } from "./start.ts"

export async function sandbox(words: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(words)
  const folder = values.folder === undefined ? undefined : resolve(values.folder)
  switch (positionals[0]) {
    case undefined:
      return run({ ...values, folder })
    case "clock":
      return moveClock(findRunning(folder), positionals[1], values.json === true)
    case "sign":
      return signAs(findRunning(folder), values, values.json === true)
  }
  throw new NotUnderstood("paraph sandbox: clock or sign may follow, or nothing.")
}

function parsed(words: readonly string[]) {
  const text = { type: "string" } as const
  const word = { type: "boolean" } as const
  const options = {
    port: text,
    folder: text,
    seed: text,
    as: text,
    ci: word,
    json: word,
    decline: word,
  }
  // What looks like an option is one, but "-1h" is a word of the clock.
  const args = words.map((each) => (/^-\d/.test(each) ? `\u2212${each.slice(1)}` : each))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    return { values, positionals: positionals.map((each) => each.replace("\u2212", "-")) }
  } catch (error) {
    throw notRead(error as Error, Object.keys(options))
  }
}

type Wanted = {
  readonly folder: string | undefined
  readonly port?: string | undefined
  readonly seed?: string | undefined
  readonly ci?: boolean | undefined
  readonly json?: boolean | undefined
}

async function run({ folder, port, seed = "", ci = false, json = false }: Wanted): Promise<number> {
  if (port !== undefined && !/^\d{4,5}$/.test(port))
    throw new NotUnderstood("--port is a number from 1024 to 65525.")
  if (seed !== "" && folder !== undefined)
    throw new NotUnderstood("--seed begins anew each time, so it goes without --folder.")
  const isTerminal = process.stdout.isTTY === true && !ci
  if (!json) console.log("Starting PostgreSQL, the trust services, the mailbox and the service …")
  const at = folder ?? mkdtempSync(join(tmpdir(), "paraph-sandbox-"))
  const tell = (line: string) => void (json || console.log(`  ${line}`))
  const clean = () => void (folder === undefined && rmSync(at, { recursive: true, force: true }))
  const asked = { folder: at, port: port === undefined ? null : Number(port), seed, tell }
  const started = await startedIn(asked).catch((error: unknown) => {
    clean()
    throw error
  })
  const { asJson, welcome } = await import("./welcome.ts")
  const running = { pid: process.pid, url: started.url, mails: started.mailsUrl, folder: at }
  await noteRunning(running)
  console.log(json ? asJson(started) : welcome(started, isTerminal))
  await askedToStop(ci)
  if (!json) console.log("Stopping …")
  forgetRunning(running)
  await started.stop()
  clean()
  return 0
}

/** PostgreSQL is made ready by programs of its own: they work while ours are still being read, which takes as long. */
async function startedIn(asked: Omit<SandboxOptions, "database">): Promise<Sandbox> {
  mkdirSync(asked.folder, { recursive: true, mode: 0o755 })
  const { startSandboxPostgres } = await import("./postgres.ts").catch(notHere)
  const database = startSandboxPostgres(asked.folder)
  // It may fail before anybody waits for it; whoever then does is told.
  database.catch(() => undefined)
  const { startSandbox } = await import("./start.ts").catch(async (error: unknown) => {
    await database.then(({ stop }) => stop()).catch(() => undefined)
    return notHere(error)
  })
  const started = await startSandbox({ ...asked, database })
  flushCompileCache()
  return started
}

/** By a signal; and in --ci when whoever started it is gone. */
function askedToStop(ci: boolean): Promise<void> {
  return new Promise((done) => {
    const stop = () => {
      // While it is read, a process does not end.
      if (ci) process.stdin.destroy()
      done()
    }
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop)
    if (!ci) return
    // Whoever started it holds the other end: it closes with them, however they end.
    process.stdin.on("end", stop).on("error", stop).resume()
  })
}

async function moveClock({ folder }: Running, told: string | undefined, json: boolean): Promise<number> {
  const file = join(folder, "clock")
  const machine = new Date()
  const before = clockIn(file)
  const after = told === undefined ? before : movedClock(before, told, machine)
  if (told !== undefined) await writePrivate(file, after)
  const stands = after.startsWith("@")
  const now = stands ? after.slice(1) : new Date(machine.getTime() + Number(after)).toISOString()
  print({ value: { now, stands }, words: `${now}${stands ? " (it stands)" : ""}` }, json)
  return 0
}

async function signAs(
  { url, mails }: Running,
  {
    as: address,
    decline = false,
  }: { readonly as?: string | undefined; readonly decline?: boolean | undefined },
  json: boolean,
): Promise<number> {
  if (address === undefined) throw new NotUnderstood("--as ADDRESS is needed.")
  const { declineBy, signBy } = await import("./signer.ts")
  const { codesFrom } = await import("./codes.ts")
  const { linkIn, personOf } = await import("./test-signers.ts")
  const messages = async (query = "") =>
    (await (await fetch(`${mails}/mails.json${query}`)).json()) as readonly Mail[]
  const sent = (await messages(`?to=${encodeURIComponent(address)}`))
    .flatMap((mail) => linkIn(mail) ?? [])
    .at(-1)
  if (sent === undefined) throw new NotUnderstood(`Nothing to sign was sent to ${address}.`)
  const before = (await messages()).at(-1)?.id ?? 0
  const newer = async () => (await messages()).filter(({ id }) => id > before)
  const deed = decline
    ? await declineBy(url, sent, "I do not agree.")
    : await signBy(url, sent, personOf(address), codesFrom(newer))
  print({ value: { address, deed }, words: `${address} ${deed}.` }, json)
  return 0
}

/** The image of the service has neither the trust services of the sandbox nor a PostgreSQL. */
function notHere(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error
  throw new NotUnderstood("The sandbox is no part of this installation: npx paraph sandbox", { cause: error })
}
