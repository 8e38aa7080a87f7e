import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto"
import type { Language } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import { canonicalKey } from "@paraph/core/login/api-key"
import type * as ports from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { SigningParts } from "@paraph/core/signature-request/sign"
import { createMailer, type Mailer } from "@paraph/gateways/smtp"
import type { Prepared } from "@paraph/pades/prepared"
import { createIdempotency } from "@paraph/store/idempotency"
import { createEnqueue, createWriteToMember, type MayBeMailed } from "@paraph/store/jobs/enqueue"
import { type Jobs, openJobs } from "@paraph/store/jobs/jobs"
import { createLimiter } from "@paraph/store/limiter"
import { findMember } from "@paraph/store/postgres/account-sessions"
import { noteUses } from "@paraph/store/postgres/api-keys"
import * as branding from "@paraph/store/postgres/branding"
import * as businesses from "@paraph/store/postgres/businesses"
import { removeOldCopies } from "@paraph/store/postgres/captured-mails"
import { type Database, type OpenDatabase, openDatabase } from "@paraph/store/postgres/database"
import { deliveryStats } from "@paraph/store/postgres/deliveries"
import * as due from "@paraph/store/postgres/due-requests"
import { removeOldLooks } from "@paraph/store/postgres/looks"
import * as loose from "@paraph/store/postgres/loose-blobs"
import { removeOldMailLog } from "@paraph/store/postgres/mail-log"
import * as past from "@paraph/store/postgres/past"
import { removeOldWindows as removeOld } from "@paraph/store/postgres/rate-windows"
import { originsOf } from "@paraph/store/postgres/settings"
import { removeOldCounts } from "@paraph/store/postgres/signer-codes"
import * as signers from "@paraph/store/postgres/signers"
import { createRead, createTransact, type RowSealer } from "@paraph/store/postgres/transact"
import { createRateWindows } from "@paraph/store/rate-windows"
import { createTurns } from "@paraph/store/turns"
import { sql } from "kysely"
import { accountParts } from "./account-parts.ts"
import { type BounceAddresses, createBounceAddresses } from "./bounce-addresses.ts"
import { certificatesOf } from "./certificates.ts"
import { createClock } from "./clock.ts"
import type { Config } from "./config.ts"
import { buildDeliveryParts, openOutbound } from "./delivery-parts.ts"
import { buildDocumentParts } from "./document-parts.ts"
import { createDrawAhead } from "./draw-ahead.ts"
import type { FaultPoint } from "./fault-points.ts"
import type { Readiness } from "./http/management.ts"
import { createTokens } from "./http/tokens.ts"
import { createIdentities } from "./identities.ts"
import { createLastUses, type LastUses } from "./last-uses.ts"
import { createMailLog } from "./mail-parts.ts"
import { operatorParts } from "./operator-parts.ts"
import { createPreviewLinks } from "./preview-links.ts"
import { downloading } from "./refusing.ts"
import { seenMark } from "./seen-mark.ts"
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
  const lastUses = createLastUses((due, at) => noteUses(db, due, at), now, log)
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
    ...workParts(config, createRead(db, documents.sealer), {
      transact: transacting(config, db, jobs.boss, rates.mayBeMailed, documents.sealer),
      mayAskForAccounts: rates.mayAskForAccounts,
    }),
    kinds: config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const),
    ...documents.parts,
    drawAhead: createDrawAhead(documents.parts.previews, (error) => log.warn({ error }, "first page")),
    keepHeld: passing(documents.parts.keepHeld, () => pass("object-stored")),
    pass,
    idempotency: createIdempotency(db, documents.answerSealer, now),
    ...rates.parts,
    v1Sunset: config.V1_SUNSET === "" ? null : new Date(config.V1_SUNSET),
    fetchFile: downloading(outbound),
    ...buildDeliveryParts(config, outbound, db, documents.sealer, now),
    ...loginParts(config, database, now, lastUses),
    ...accountParts(config, { database, boss: jobs.boss, ...documents, outbound, now, log }),
    ...rowParts(db, now),
    ...operatorParts(db, now),
    mailLog: createMailLog(db, documents.sealer, now, log),
    ...pastParts(config, db, now),
    close: async () => {
      await rates.stop()
      await lastUses.stop()
      await documents.close()
      await database.close()
    },
  }
}

const transacting = (
  config: Config,
  db: Database,
  boss: Jobs["boss"],
  mayBeMailed: MayBeMailed,
  sealer: RowSealer,
): ports.Transact =>
  createTransact(
    db,
    createEnqueue(boss, mayBeMailed),
    sealer,
    createWriteToMember(boss, mayBeMailed),
    TIME_ZONES[config.REGION],
  )

/** No business may hold more than half of the connections of a process, however slow what it asks for is. */
function workParts(
  config: Config,
  read: ports.Read,
  changing: { transact: ports.Transact; mayAskForAccounts: (businessId: string) => void },
) {
  const turns = createTurns(Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 2)))
  /** Choice 205: who has an account is told (SR-13), but not of more addresses than may be written to. */
  const asking =
    (businessId: string, tx: ports.Tx): ports.Tx["isAccount"] =>
    (email) => {
      changing.mayAskForAccounts(businessId)
      return tx.isAccount(email)
    }
  const transact: ports.Transact = (businessId, work) =>
    changing.transact(businessId, (tx) => work({ ...tx, isAccount: asking(businessId, tx) }))
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
  const callbackUrl = (url: string) => url
  return {
    previewLinks,
    addresses: { signingAppUrl: PUBLIC_URL, previewUrl: previewLinks.urlOf, callbackUrl },
  }
}

function loginParts(config: Config, { db, pool }: OpenDatabase, now: ports.Clock, { noted }: LastUses) {
  const pepper = Buffer.from(config.KEY_PEPPER, "hex")
  const hashKey: ports.HashKey = (key) => createHmac("sha256", pepper).update(canonicalKey(key)).digest()
  const minute = { durationSeconds: 60 }
  const findKey = businesses.createFindKey(db)
  return {
    findKey: async (...asked: Parameters<ports.FindKey>) => noted(await findKey(...asked)),
    hashKey,
    newKeyBytes: () => randomBytes(32).toString("base64url"),
    newSignerCode: () => String(randomInt(1_000_000)).padStart(6, "0"),
    hashSignerCode: hashingCodes(pepper),
    tokens: createTokens({
      privateKeyPem: config.TOKEN_KEY,
      publicUrl: config.PUBLIC_URL,
      findCaller: async (keyId, at) => noted(await businesses.findCaller(db, keyId, at)),
      findMember: async ({ sessionId, businessId, kind }, at) =>
        noted(await findMember(db, sessionId, businessId, kind, at)),
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

/** Six digits are soon tried through by whoever has the row: so they are hashed with a key that the database does not know. */
function hashingCodes(pepper: Uint8Array): ports.HashCode {
  const key = createHmac("sha256", pepper).update("signer codes").digest()
  return ({ signatureId, sessionHash, number }, code) => {
    const of = `${signatureId} ${Buffer.from(sessionHash).toString("hex")} ${number} ${code}`
    return createHmac("sha256", key).update(of).digest()
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
    ofDoor: limit("door", LIMITS.doorPressesPerMinute),
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
  const mayAskForAccounts = (businessId: string) => {
    const { retryAfterSeconds } = windows.spend(
      { name: "accounts asked for", points: config.MAILS_PER_BUSINESS },
      businessId,
    )
    if (retryAfterSeconds > 0)
      throw new Refusal("rate-limited", "Too many signers at once. Wait and try again.", {
        retryAfterSeconds,
      })
  }
  return { parts: { rates, removeOldWindows }, mayBeMailed, mayAskForAccounts, stop: windows.stop }
}

const SESSION = { idleMs: LIMITS.signerSessionIdleMs, wholeMs: LIMITS.signerSessionMs }

/** Rows that are read and written outside the transactions of core. */
function rowParts(db: Database, now: ports.Clock) {
  return {
    brandOf: (id: string) => branding.brandOf(db, id),
    findLogo: (id: string) => branding.findLogoById(db, id),
    logoOf: (businessId: string) => branding.findLogo(db, businessId),
    findLink: (hash: Uint8Array) => signers.findLink(db, hash),
    findSigner: (signatureId: string) => signers.findSigner(db, signatureId),
    findSession: (hash: Uint8Array, seen?: boolean) => signers.findSession(db, hash, now(), SESSION, seen),
    chooseLanguage: (hash: Uint8Array, language: Language) => signers.chooseLanguage(db, hash, language),
    originsOf: (businessId: string) => originsOf(db, businessId),
    requestVersions: (ids: readonly string[]) => signers.requestVersions(db, ids),
    claimDue: (options: { limit: number; againAt: Date }) => loose.claimDue(db, now(), options),
    forgetLoose: (names: readonly string[]) => loose.forgetLoose(db, names),
    dueToExpire: (limit: number) => due.dueToExpire(db, now(), limit),
    dueToWarn: (limit: number) => due.dueToWarn(db, now(), LIMITS.expiryWarningMs, limit),
    dueToRetire: (limit: number) => due.dueToRetire(db, now(), limit),
    removeOldSessions: (before: Date, limit: number) => due.removeOldSessions(db, before, limit),
    removeMarked: (limit: number) => loose.removeMarked(db, now(), limit),
  }
}

/** What is over, and for how long it is kept; evidence is not among it. */
function pastParts({ DELIVERY_DAYS, JOURNAL_DAYS, LINK_DAYS }: Config, db: Database, now: ports.Clock) {
  const ago = (ms: number) => new Date(now().getTime() - ms)
  const before = (days: number) => ago(days * 86_400_000)
  return {
    removePast: [
      (limit: number) => removeOldCopies(db, ago(LIMITS.capturedMailMs), limit),
      (limit: number) => removeOldMailLog(db, ago(LIMITS.mailLogMs), limit),
      (limit: number) => past.removeOldDeliveries(db, before(DELIVERY_DAYS), limit),
      (limit: number) => past.removeOldEvents(db, before(JOURNAL_DAYS), limit),
      (limit: number) => past.removeOldLinks(db, now(), before(LINK_DAYS), limit),
      // A picture is sent in the session in which it is signed with, and no session lasts a day.
      (limit: number) => removeOldLooks(db, before(1), limit),
      (limit: number) => removeOldCounts(db, before(1), limit),
    ],
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
  await parts
    .noteCertificates(certificatesOf(config, identities, parts.kinds))
    .catch((error: unknown) => parts.log.warn({ error }, "the certificates were not noted"))
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
      const mark = { ...(await seenMark(makeAppearance, { ...asked, signerName })), signerName, signedAt }
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

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
