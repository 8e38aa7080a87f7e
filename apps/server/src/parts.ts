import { createHash, createHmac, randomUUID } from "node:crypto"
import { LIMITS } from "@paraph/core/limits"
import { canonicalKey } from "@paraph/core/login/api-key"
import type * as ports from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { SigningParts } from "@paraph/core/signature-request/sign"
import { createMailer, type Mailer } from "@paraph/gateways/smtp"
import type { Prepared } from "@paraph/pades/prepared"
import { createIdempotency } from "@paraph/store/idempotency"
import { createEnqueue, type Enqueue, type MayBeMailed } from "@paraph/store/jobs/enqueue"
import { openJobs } from "@paraph/store/jobs/jobs"
import { createLimiter } from "@paraph/store/limiter"
import * as businesses from "@paraph/store/postgres/businesses"
import { type Database, type OpenDatabase, openDatabase } from "@paraph/store/postgres/database"
import { deliveryStats } from "@paraph/store/postgres/deliveries"
import * as due from "@paraph/store/postgres/due-requests"
import * as loose from "@paraph/store/postgres/loose-blobs"
import { removeOldWindows as removeOld } from "@paraph/store/postgres/rate-windows"
import * as signers from "@paraph/store/postgres/signers"
import { createRead, createTransact, type RowSealer } from "@paraph/store/postgres/transact"
import { createRateWindows } from "@paraph/store/rate-windows"
import { createTurns } from "@paraph/store/turns"
import { sql } from "kysely"
import { type BounceAddresses, createBounceAddresses } from "./bounce-addresses.ts"
import { createClock } from "./clock.ts"
import type { Config } from "./config.ts"
import { buildDeliveryParts, openOutbound } from "./delivery-parts.ts"
import { buildDocumentParts } from "./document-parts.ts"
import type { FaultPoint } from "./fault-points.ts"
import type { Readiness } from "./http/management.ts"
import { createTokens } from "./http/tokens.ts"
import { createIdentities } from "./identities.ts"
import { createPreviewLinks } from "./preview-links.ts"
import { downloading } from "./refusing.ts"
import type { Logger } from "./telemetry/logs.ts"
import { createMetrics } from "./telemetry/metrics.ts"

/** Which function stands behind which port; nothing else knows. */
export type Parts = Awaited<ReturnType<typeof buildParts>>

/** Decisions, "expires_at": a day ends when it ends in the region. */
const TIME_ZONES = { ch: "Europe/Zurich", de: "Europe/Berlin" } as const

const newId: ports.NewId = randomUUID
const sha256: ports.Sha256 = (text) => createHash("sha256").update(text).digest("hex")

/** What every role needs. `close` lets go of it all, the last opened first. */
export async function buildParts(config: Config, log: Logger) {
  const database = openDatabase(config.DATABASE_URL, { max: config.DATABASE_CONNECTIONS, name: "paraph" })
  const { db } = database
  const now = createClock(config.CLOCK_FILE)
  const outbound = openOutbound(config)
  const rates = rateParts(config, db, now)
  if (config.SCANNER_URL === "none") log.warn("documents are not scanned for malware")
  const worker = config.ROLES.includes("worker")
  const jobs = await openJobs(config.DATABASE_URL, {
    worker,
    onError: (error) => log.error({ error }, "queue"),
  })
  const documents = await buildDocumentParts(config, db, now, (error) =>
    log.error({ error }, "intake thread"),
  )
  // Told each point that is passed; a real SIGKILL: no handler runs, nothing is tidied up (tests/faults).
  const pass = (point: FaultPoint) =>
    void (point === config.FAULT_POINT && process.kill(process.pid, "SIGKILL"))
  // What the system takes from a process that sees a PDF; where it takes little, the operator should know (ADR 0021).
  log.info(documents.surroundings(), "PDF processes")
  const readiness: Readiness = {
    database: async () => void (await sql`select 1`.execute(db)),
    ...documents.readiness,
  }
  return {
    log,
    now,
    newId,
    sha256,
    publicUrl: config.PUBLIC_URL,
    ...addressParts(config),
    timeZone: TIME_ZONES[config.REGION],
    identificationProviders: config.IDENTIFICATION_PROVIDERS,
    readiness,
    besides: documents.besides as Readiness,
    metrics: createMetrics(async () => [...(await jobs.stats()), ...(await deliveryStats(db, now()))]),
    jobs,
    ...workParts(config, db, createEnqueue(jobs.boss, rates.mayBeMailed), documents.sealer),
    kinds: config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const),
    ...documents.parts,
    keepHeld: passing(documents.parts.keepHeld, () => pass("object-stored")),
    pass,
    idempotency: createIdempotency(db, documents.answerSealer, now),
    ...rates.parts,
    v1Sunset: config.V1_SUNSET === "" ? null : new Date(config.V1_SUNSET),
    fetchFile: downloading(outbound),
    ...buildDeliveryParts(config, outbound, db, documents.sealer, now),
    ...loginParts(config, database, now),
    ...rowParts(db, now),
    close: async () => {
      await rates.stop()
      await documents.close()
      await database.close()
    },
  }
}

/** No business may hold more than half of the connections of a process, however slow what it asks for is. */
function workParts(config: Config, db: Database, enqueue: Enqueue, sealer: RowSealer) {
  const turns = createTurns(Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 2)))
  const transact = createTransact(db, enqueue, sealer)
  const read = createRead(db, sealer)
  const inTurn: { transact: ports.Transact; read: ports.Read } = {
    transact: (businessId, work) => turns(businessId, () => transact(businessId, work)),
    read: (businessId, work) => turns(businessId, () => read(businessId, work)),
  }
  return inTurn
}

const passing =
  (keepHeld: ports.KeepHeld, pass: () => void): ports.KeepHeld =>
  async (held) => {
    const blob = await keepHeld(held)
    pass()
    return blob
  }

/** Where people are sent. */
function addressParts({ PUBLIC_URL, KEY_PEPPER }: Config) {
  const previewLinks = createPreviewLinks(Buffer.from(KEY_PEPPER, "hex"), PUBLIC_URL)
  return { previewLinks, addresses: { signingAppUrl: PUBLIC_URL, previewUrl: previewLinks.urlOf } }
}

function loginParts(config: Config, { db, pool }: OpenDatabase, now: ports.Clock) {
  const pepper = Buffer.from(config.KEY_PEPPER, "hex")
  const hashKey: ports.HashKey = (key) => createHmac("sha256", pepper).update(canonicalKey(key)).digest()
  const minute = { durationSeconds: 60 }
  return {
    findKey: businesses.createFindKey(db),
    hashKey,
    tokens: createTokens({
      privateKeyPem: config.TOKEN_KEY,
      publicUrl: config.PUBLIC_URL,
      findCaller: (keyId, at) => businesses.findCaller(db, keyId, at),
      now,
    }),
    limits: {
      loginByUser: createLimiter(pool, { name: "login-user", points: config.LOGINS_PER_USER, ...minute }),
      loginByAddress: createLimiter(pool, {
        name: "login-address",
        points: config.LOGINS_PER_ADDRESS,
        ...minute,
      }),
    },
  }
}

/** Decisions, "Default rate limits", for everything but login. */
function rateParts(config: Config, db: Database, now: ports.Clock) {
  const windows = createRateWindows(db, now)
  const limit = (name: string, points: number) => (key: string) => windows.spend({ name, points }, key)
  const rates = {
    write: limit("writes", config.WRITES_PER_KEY),
    read: limit("reads", config.READS_PER_KEY),
    ofAddress: limit("address", config.PAGES_PER_ADDRESS),
  }
  const removeOldWindows = (most: number) => removeOld(db, now(), most)
  const mayBeMailed: MayBeMailed = (businessId, recipients) => {
    const toAll = { name: "mails", points: config.MAILS_PER_BUSINESS }
    const toOne = { name: "mails to one", points: config.MAILS_PER_RECIPIENT }
    if (recipients.length === 0) return
    const spent = recipients.map((email) => windows.spend(toOne, `${businessId} ${email.toLowerCase()}`))
    spent.push(windows.spend(toAll, businessId, recipients.length))
    const retryAfterSeconds = Math.max(...spent.map((one) => one.retryAfterSeconds))
    if (retryAfterSeconds > 0)
      throw new Refusal("rate-limited", "Too many mails at once. Wait and try again.", { retryAfterSeconds })
  }
  return { parts: { rates, removeOldWindows }, mayBeMailed, stop: windows.stop }
}

const SESSION = { idleMs: LIMITS.signerSessionIdleMs, wholeMs: LIMITS.signerSessionMs }

/** Rows that are read and written outside the transactions of core. */
function rowParts(db: Database, now: ports.Clock) {
  return {
    businessName: (id: string) => businesses.businessName(db, id),
    findLink: (hash: Uint8Array) => signers.findLink(db, hash),
    findSigner: (signatureId: string) => signers.findSigner(db, signatureId),
    findSession: (hash: Uint8Array) => signers.findSession(db, hash, now(), SESSION),
    claimDue: (options: { limit: number; againAt: Date }) => loose.claimDue(db, now(), options),
    forgetLoose: (names: readonly string[]) => loose.forgetLoose(db, names),
    dueToExpire: (limit: number) => due.dueToExpire(db, now(), limit),
    dueToWarn: (limit: number) => due.dueToWarn(db, now(), LIMITS.expiryWarningMs, limit),
    dueToRetire: (limit: number) => due.dueToRetire(db, now(), limit),
    removeOldSessions: (before: Date, limit: number) => due.removeOldSessions(db, before, limit),
    removeMarked: (limit: number) => loose.removeMarked(db, now(), limit),
  }
}

export type WorkerParts = Parts &
  Omit<SigningParts, "pass"> & {
    readonly mailer: Mailer
    readonly bounceAddresses: BounceAddresses
    readonly closeWorker: () => Promise<void>
  }

/** What only a worker holds: the keys, in processes of their own, and the way to the mail server. */
export async function buildWorkerParts(config: Config, parts: Parts): Promise<WorkerParts> {
  const identities = await createIdentities(config)
  // Fonts and the engine take 60 MB, and a process that only answers calls has no use for them.
  const { makeAppearance } = await import("@paraph/pades/appearance")
  const { finish } = await import("@paraph/pades/finish")
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
  return {
    ...parts,
    readiness: { ...parts.readiness, keys: identities.health },
    mailer,
    bounceAddresses: createBounceAddresses(config.MAIL_BOUNCE_ADDRESS, Buffer.from(config.KEY_PEPPER, "hex")),
    certificateOf: (kind) => sha256Of(identities.of(kind).certificate),
    prepareMark: async (held, { kind, signerName, signedAt, ...asked }) => {
      const { certificate, chain } = identities.of(kind)
      const mark = { ...(await seenMark(makeAppearance, asked)), signerName, signedAt }
      const engine = await parts.preparePdf(held, { ...mark, certificate, chain })
      // Of the field's seed value; a mark of this level has no time-stamp, and waiting does not bring one.
      if (engine.timestampRequired === true)
        throw new Refusal("pdf-locked", "The signature field asks for a time-stamp.")
      const { signedAttributes, baseSha256 } = engine
      return { signedAttributes, baseSha256, certificateSha256: sha256Of(certificate), engine }
    },
    signBytes: (kind, { signedAttributes, engine }) => {
      const { certificate, algorithm } = engine as Prepared
      const beside = { certificate: Buffer.from(certificate, "base64"), algorithm }
      return identities.sign(kind, Buffer.from(signedAttributes, "base64"), beside)
    },
    finishMark: ({ engine }, value) => finish(engine as Prepared, value),
    closeWorker: async () => {
      mailer.close()
      await identities.close()
    },
  }
}

type MakeAppearance = typeof import("@paraph/pades/appearance").makeAppearance
type Seen = Pick<ports.PrepareOptions, "fieldName" | "field" | "positions" | "lines">

/** Made here, since the process that reads the PDF knows no fonts; a mark that nobody sees needs none. */
async function seenMark(makeAppearance: MakeAppearance, { fieldName, field, positions, lines }: Seen) {
  const [place, ...alsoAt] = positions
  if (place === undefined) return { fieldName }
  const appearance = await makeAppearance({ width: place.width, height: place.height, lines })
  return field === "existing" ? { fieldName, appearance } : { fieldName, place, alsoAt, appearance }
}

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
