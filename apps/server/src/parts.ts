import { createHash, createHmac, randomUUID } from "node:crypto"
import { LIMITS } from "@paraph/core/limits"
import { canonicalKey } from "@paraph/core/login/api-key"
import type * as ports from "@paraph/core/ports"
import type { SigningParts } from "@paraph/core/signature-request/sign"
import { postCallback } from "@paraph/gateways/callback"
import { createOutbound } from "@paraph/gateways/outbound"
import { createMailer, type Mailer } from "@paraph/gateways/smtp"
import { finish } from "@paraph/pades/finish"
import type { Prepared } from "@paraph/pades/prepared"
import { createEnqueue } from "@paraph/store/jobs/enqueue"
import { openJobs } from "@paraph/store/jobs/jobs"
import { createLimiter } from "@paraph/store/limiter"
import * as businesses from "@paraph/store/postgres/businesses"
import { type AttemptOutcome, findCallback, recordAttempt } from "@paraph/store/postgres/callbacks"
import { type Database, type OpenDatabase, openDatabase } from "@paraph/store/postgres/database"
import * as loose from "@paraph/store/postgres/loose-blobs"
import * as signers from "@paraph/store/postgres/signers"
import { createRead, createTransact } from "@paraph/store/postgres/transact"
import { sql } from "kysely"
import type { Config } from "./config.ts"
import { buildDocumentParts } from "./document-parts.ts"
import type { FaultPoint } from "./fault-points.ts"
import type { Readiness } from "./http/management.ts"
import { createTokens } from "./http/tokens.ts"
import { createIdentities } from "./identities.ts"
import { downloading } from "./refusing.ts"
import type { Logger } from "./telemetry/logs.ts"
import { createMetrics } from "./telemetry/metrics.ts"

/** Which function stands behind which port; nothing else knows. */
export type Parts = Awaited<ReturnType<typeof buildParts>>

const now: ports.Clock = () => new Date()
const newId: ports.NewId = randomUUID
const sha256: ports.Sha256 = (text) => createHash("sha256").update(text).digest("hex")

/** What every role needs. `close` lets go of it all, the last opened first. */
export async function buildParts(config: Config, log: Logger) {
  const database = openDatabase(config.DATABASE_URL, { max: config.DATABASE_CONNECTIONS, name: "paraph" })
  const { db } = database
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
    readiness,
    besides: documents.besides as Readiness,
    metrics: createMetrics(jobs.stats),
    jobs,
    transact: createTransact(db, createEnqueue(jobs.boss), documents.sealer),
    read: createRead(db, documents.sealer),
    kinds: config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const),
    ...documents.parts,
    keepHeld: passing(documents.parts.keepHeld, () => pass("object-stored")),
    pass,
    ...outsideParts(config),
    ...loginParts(config, database),
    ...rowParts(db),
    close: async () => {
      await documents.close()
      await database.close()
    },
  }
}

const passing =
  (keepHeld: ports.KeepHeld, pass: () => void): ports.KeepHeld =>
  async (held) => {
    const blob = await keepHeld(held)
    pass()
    return blob
  }

function outsideParts(config: Config) {
  const outbound = createOutbound({
    allowedHosts: { callback: config.CALLBACK_ALLOWED_HOSTS, download: config.DOWNLOAD_ALLOWED_HOSTS },
    ...(config.OUTBOUND_CA_FILE !== "" && { caFile: config.OUTBOUND_CA_FILE }),
    ...(config.OUTBOUND_PROXY !== "" && { proxyUrl: config.OUTBOUND_PROXY }),
  })
  return {
    fetchFile: downloading(outbound),
    postCallback: (url: string) => postCallback(outbound, url),
  }
}

function loginParts(config: Config, { db, pool }: OpenDatabase) {
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

const SESSION = { idleMs: LIMITS.signerSessionIdleMs, wholeMs: LIMITS.signerSessionMs }

/** Rows that are read and written outside the transactions of core. */
function rowParts(db: Database) {
  return {
    businessName: (id: string) => businesses.businessName(db, id),
    findCallback: (id: string) => findCallback(db, id),
    recordAttempt: (id: string, outcome: AttemptOutcome) => recordAttempt(db, id, outcome),
    findLink: (hash: Uint8Array) => signers.findLink(db, hash),
    findSession: (hash: Uint8Array) => signers.findSession(db, hash, now(), SESSION),
    claimDue: (options: { limit: number; againAt: Date }) => loose.claimDue(db, now(), options),
    forgetLoose: (names: readonly string[]) => loose.forgetLoose(db, names),
    removeMarked: (limit: number) => loose.removeMarked(db, now(), limit),
  }
}

export type WorkerParts = Parts &
  Omit<SigningParts, "pass"> & {
    readonly mailer: Mailer
    readonly closeWorker: () => Promise<void>
  }

/** What only a worker holds: the keys, in processes of their own, and the way to the mail server. */
export async function buildWorkerParts(config: Config, parts: Parts): Promise<WorkerParts> {
  const identities = await createIdentities(config)
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
  return {
    ...parts,
    readiness: { ...parts.readiness, keys: identities.health },
    mailer,
    certificateOf: (kind) => sha256Of(identities.of(kind).certificate),
    prepareMark: async (held, { kind, ...options }) => {
      const { certificate, chain } = identities.of(kind)
      const engine = await parts.preparePdf(held, { ...options, certificate, chain })
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
