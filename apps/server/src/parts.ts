import { createHash } from "node:crypto"
import type { KeepHeld } from "@paraph/core/document/ports"
import type { SmsReach } from "@paraph/core/one-time-code/ports"
import type { Sha256 } from "@paraph/core/ports"
import { isAllowed } from "@paraph/core/telephone/number"
import type { PdfRooms, Sandbox } from "@paraph/gateways/pdf"
import { secretOf } from "@paraph/gateways/webhook-headers"
import { createIdempotency } from "@paraph/store/idempotency"
import { openJobs } from "@paraph/store/jobs/jobs"
import { noteUses } from "@paraph/store/postgres/api-keys"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { openDatabase } from "@paraph/store/postgres/database"
import { deliveryStats } from "@paraph/store/postgres/deliveries"
import { recordServed } from "@paraph/store/postgres/served-pages"
import { sql } from "kysely"
import { accountParts } from "./account-parts.ts"
import { authorityRows } from "./authority-parts.ts"
import { createClock } from "./clock.ts"
import type { Config } from "./config.ts"
import { buildDeliveryParts, openOutbound } from "./delivery-parts.ts"
import { buildDocumentParts } from "./document-parts.ts"
import { createDrawAhead } from "./draw-ahead.ts"
import type { FaultPoint } from "./fault-points.ts"
import type { Readiness } from "./http/management.ts"
import { identificationParts } from "./identification-parts.ts"
import { createLastUses } from "./last-uses.ts"
import { logRows } from "./log-parts.ts"
import { loginParts } from "./login-parts.ts"
import { createMailLog } from "./mail-parts.ts"
import { operatorParts } from "./operator-parts.ts"
import { everyPepper, peppersOf } from "./peppers.ts"
import { createPreviewLinks } from "./preview-links.ts"
import type { Previews } from "./previews.ts"
import { createRandomness } from "./randomness.ts"
import { rateParts } from "./rate-parts.ts"
import { downloading } from "./refusing.ts"
import { remoteKeyParts } from "./remote-key-parts.ts"
import { reportRows } from "./report-parts.ts"
import { pastParts, rowParts } from "./row-parts.ts"
import { sealRows } from "./seal-parts.ts"
import { createServedPages } from "./served-pages.ts"
import { sha256Of } from "./signer-key-parts.ts"
import type { Logger } from "./telemetry/logs.ts"
import { createMetrics } from "./telemetry/metrics.ts"
import { trustedListParts } from "./trusted-list-parts.ts"
import { validationParts } from "./validation-parts.ts"
import { workParts } from "./work-parts.ts"

/** Which function stands behind which port; nothing else knows. */
export type Parts = Awaited<ReturnType<typeof buildParts>>

/** Decisions, "expires_at": a day ends when it ends in the region. */
const TIME_ZONES = { ch: "Europe/Zurich", de: "Europe/Berlin" } as const

const sha256: Sha256 = (text) => createHash("sha256").update(text).digest("hex")

/** What every role needs. `close` lets go of it all, the last opened first. */
export async function buildParts(config: Config, log: Logger) {
  const database = openDatabase(config.DATABASE_URL, { max: config.DATABASE_CONNECTIONS, name: "paraph" })
  const db = database.serviceDb
  const now = createClock(config.CLOCK_FILE)
  const timeZone = TIME_ZONES[config.REGION]
  const outbound = openOutbound(config)
  const rates = rateParts(config, db, now)
  const lastUses = createLastUses((due, at) => noteUses(db, due, at), now, log)
  if (config.SCANNER_URL === "none") log.warn("documents are not scanned for malware")
  const jobs = await openJobs(config.DATABASE_URL, {
    ...{ worker: config.ROLES.includes("worker"), isDemoOnly: !config.PRODUCTION },
    onError: (error) => log.error({ error }, "queue"),
  })
  const documents = await buildDocumentParts(config, db, now, (error) =>
    log.error({ error }, "intake thread"),
  )
  // Told each point that is passed; a real SIGKILL: no handler runs, nothing is tidied up (tests/faults).
  const pass = (point: FaultPoint) =>
    void (point === config.FAULT_POINT && process.kill(process.pid, "SIGKILL"))
  const sandbox = loggedSandbox(documents.rooms, log)
  const readiness: Readiness = {
    database: async () => void (await sql`select 1`.execute(db)),
    ...documents.readiness,
  }
  const authorities = authorityRows(db, now)
  const remote = remoteKeyParts(config, { outbound, db, now, log })
  const lists = trustedListParts(config, { outbound, db, now, log })
  return {
    ...{ log, now, sha256, sha256Of, ...drawnParts(config) },
    ...{ timeZone, readiness, jobs, pass, outbound },
    ...validationParts(config, { ...documents, ...authorities, ...remote, ...lists, outbound, now }),
    ...lists,
    ...addressParts(config),
    smsReach: smsReach(config),
    productionQualities: config.PRODUCTION_QUALITIES,
    besides: documents.besides as Readiness,
    metrics: createMetrics(() => queueStates(jobs, db, now()), documents.cpuUse, sandbox.protections),
    ...workParts(config, { db: database.db, boss: jobs.boss, sealer: documents.sealer, timeZone, ...rates }),
    kinds: config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const),
    ...documents.parts,
    ...pageParts(db, documents.parts.previews, log),
    keepHeld: passing(documents.parts.keepHeld, () => pass("object-stored")),
    idempotency: createIdempotency(db, documents.answerSealer, now),
    ...rates.parts,
    ...saidByOperator(config),
    fetchFile: downloading(outbound),
    ...buildDeliveryParts(config, outbound, db, documents.sealer, now),
    ...loginParts(config, database, now, lastUses),
    ...accountParts(config, { database, boss: jobs.boss, ...documents, outbound, now, log }),
    ...identificationParts(config, { outbound, db, now, log }),
    ...remote,
    ...rowParts(db, now),
    ...authorities,
    ...sealRows(config, db, now, log),
    ...reportRows(config, db, log),
    ...logRows(db),
    ...operatorParts(db, now, timeZone),
    mailLog: createMailLog(db, documents.sealer, now, log),
    ...pastParts(config, db, documents.sealer, documents.parts.bucket, now),
    close: async () => {
      await rates.stop()
      await lastUses.stop()
      await documents.close()
      await database.close()
    },
  }
}

type Jobs = Awaited<ReturnType<typeof openJobs>>

const queueStates = async (jobs: Jobs, db: ServiceDatabase, now: Date) => [
  ...(await jobs.stats()),
  ...(await deliveryStats(db, now)),
]

/** The operator should know where the system confines PDF processes too little. */
function loggedSandbox(rooms: PdfRooms, log: Logger): Sandbox {
  const sandbox = rooms.sandbox()
  if (sandbox.enforced) log.info(sandbox, "sandbox of PDF processes")
  else log.warn(sandbox, "PDF processes run without an enforced sandbox (ADR 0094)")
  return sandbox
}

/** What signing pages need besides the documents. */
const pageParts = (db: ServiceDatabase, previews: Previews, log: Logger) => ({
  drawAhead: createDrawAhead(previews, (error) => log.warn({ error }, "first page")),
  servedPages: createServedPages(
    (hash, range) => recordServed(db, hash, range),
    (error) => log.warn({ error }, "served pages"),
  ),
})

/** What the operator has us tell whoever asks. */
const saidByOperator = ({ SECURITY_CONTACT, V1_SUNSET }: Config) => ({
  securityContacts: SECURITY_CONTACT,
  v1Sunset: V1_SUNSET === "" ? null : new Date(V1_SUNSET),
})

/** What is new each time. */
function drawnParts({ SEED }: Config) {
  const { newId, newNonce, randomBytes } = createRandomness(SEED, "calls")
  const newKeyBytes = () => Buffer.from(randomBytes(32)).toString("base64url")
  return { newId, newNonce, newKeyBytes, newWebhookSecret: () => secretOf(randomBytes(32)) }
}

const passing =
  (keepHeld: KeepHeld, pass: () => void): KeepHeld =>
  async (held) => {
    const blob = await keepHeld(held)
    pass()
    return blob
  }

/** A demo message goes nowhere, so to anybody. */
const smsReach = ({ SMS_COUNTRIES, SMS_PER_BUSINESS }: Config): SmsReach => ({
  reaches: (kind, number) => kind === "demo" || isAllowed(SMS_COUNTRIES, number),
  perBusiness: SMS_PER_BUSINESS,
})

/** Where people are sent. */
function addressParts(config: Config) {
  const { PUBLIC_URL } = config
  const [pepper, ...earlier] = everyPepper(peppersOf(config))
  const previewLinks = createPreviewLinks(pepper, PUBLIC_URL, earlier)
  const callbackUrl = (url: string) => url
  return {
    publicUrl: PUBLIC_URL,
    previewLinks,
    addresses: { signingAppUrl: PUBLIC_URL, previewUrl: previewLinks.urlOf, callbackUrl },
  }
}
