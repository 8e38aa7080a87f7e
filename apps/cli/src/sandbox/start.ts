// The whole service on one machine, with nothing to install: PostgreSQL's own programs from npm, keys and documents in a folder,
// trust services of the sandbox, and a mailbox that shows every message.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadConfig } from "@paraph/server/config"
import { startServer } from "@paraph/server/start"
import { toPem } from "@paraph/trust-sandbox/authority"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { SEEDED_BEGINNING } from "./clock.ts"
import { codesFrom } from "./codes.ts"
import { type FirstBusiness, makeFirstBusiness } from "./first-business.ts"
import { startSandboxIdentity } from "./identity.ts"
import { startMailbox } from "./mailbox.ts"
import { type Place, placeAt, portsFrom } from "./place.ts"
import type { SandboxPostgres } from "./postgres.ts"
import { keptIn, writePrivate } from "./private-file.ts"
import { repeatingFrom, startSandboxQualified } from "./qualified.ts"
import { sandboxSettings } from "./settings.ts"
import { refusedAddress, startTestSigners } from "./test-signers.ts"
import { bringingTexts, keptTexts } from "./text-messages.ts"

export type SandboxOptions = {
  readonly folder: string
  /** Already on its way, in that folder. */
  readonly database: Promise<SandboxPostgres>
  /** The first of ten; `null`: 8080, or the next that is free. */
  readonly port: number | null
  readonly seed: string
  /** Told each time one of the test signers acts. */
  readonly tell: (line: string) => void
}

export type Sandbox = {
  readonly url: string
  readonly mailsUrl: string
  readonly folder: string
  readonly clockFile: string
  readonly business: FirstBusiness
  readonly stop: () => Promise<void>
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  try {
    return { ...(await startAll(options, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(options: SandboxOptions, stops: (() => Promise<unknown>)[]) {
  // However this ends, that one is not left behind.
  stops.push(() => options.database.then(({ stop }) => stop()).catch(() => undefined))
  const place = await placeOf(options)
  const trust = await startTrust(place)
  stops.push(trust.close)
  const identity = await startSandboxIdentity(place.folder, place.url, {
    now: place.now,
    port: place.ports.identity,
  })
  stops.push(identity.provider.close)
  const qualified = await startSandboxQualified(place.folder, place.url, {
    now: place.now,
    ports: place.ports.qualified,
    ...(place.seed !== "" && { seed: place.seed }),
  })
  stops.push(qualified.close)
  const smsToken = await keptIn(join(place.folder, "sms-token"))
  const mailbox = await startMailbox({
    smtpPort: place.ports.smtp,
    httpPort: place.ports.mails,
    file: join(place.folder, "mails.jsonl"),
    refuses: refusedAddress,
    smsToken,
  })
  stops.push(mailbox.close)
  const sms = {
    SMS_URL: `${mailbox.url}/sms`,
    SMS_TOKEN: smsToken,
    SMS_COUNTRIES: "+1,+2,+3,+4,+5,+6,+7,+8,+9",
    SMS_ALLOWED_HOSTS: "127.0.0.1",
  }
  const database = await options.database
  const around = { ...database.env, ...trust.env, ...identity.env, ...qualified.env, ...sms }
  const config = loadConfig(await sandboxSettings(place, { ...around, SMTP_URL: mailbox.smtpUrl }))
  const business = await makeFirstBusiness(config, place)
  // The output is for whoever reads --json, line by line.
  const server = await startServer(config, "errors")
  stops.push(server.stop)
  const { url, now, folder, clockFile } = place
  const bring = bringingTexts(mailbox.mails, keptTexts(url, business))
  mailbox.bringBefore(bring)
  const readCode = codesFrom(async () => {
    await bring()
    return mailbox.mails.all()
  })
  stops.push(startTestSigners({ url, mails: mailbox.mails, now, readCode, tell: options.tell }))
  return { url, mailsUrl: mailbox.url, folder, clockFile, business }
}

/** One that was here before stands where it stood: its address is in every certificate. */
async function placeOf({ folder, port, seed }: SandboxOptions): Promise<Place> {
  const portFile = join(folder, "port")
  const stood = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : null
  const ports = await portsFrom(stood ?? port ?? 8080, stood !== null || port !== null || seed !== "")
  await writePrivate(portFile, String(ports.service))
  const clockFile = join(folder, "clock")
  if (seed !== "" && !existsSync(clockFile)) writeFileSync(clockFile, SEEDED_BEGINNING)
  return placeAt({ folder, ports, seed, clockFile })
}

/** Time-stamps, and answers about certificates. */
async function startTrust({ folder, ports, seed, now }: Place) {
  const own = join(folder, "trust")
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const kept = seed === "" ? { folder: own } : repeatingFrom(own, `${seed} trust`)
  const sandbox = await startTrustSandbox({ now, port: ports.trust, ...kept })
  const root = join(own, "root.pem")
  await writePrivate(root, toPem(sandbox.root))
  return { env: { TIMESTAMP_URLS: sandbox.timestampUrl, TRUST_ANCHORS_FILE: root }, close: sandbox.close }
}
