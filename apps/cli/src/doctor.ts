import { X509Certificate } from "node:crypto"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { createCscProvider } from "@paraph/gateways/csc"
import { nameOf, newest } from "@paraph/gateways/issuing-ca/world"
import { createPdfRooms } from "@paraph/gateways/pdf"
import { createMailer } from "@paraph/gateways/smtp"
import { samplePdf } from "@paraph/pades/sample"
import { newKey } from "@paraph/seal/wrap"
import { type ServiceCertificate, serviceCertificatesOf } from "@paraph/server/authority-parts"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openOutbound } from "@paraph/server/delivery-parts"
import { openScanner, sandboxPolicy } from "@paraph/server/document-parts"
import { faultTold } from "@paraph/server/fault-told"
import { createIdentities, openTokens, type Tokens } from "@paraph/server/identities"
import { readProviders } from "@paraph/server/remote-key-parts"
import { mustStartTls, transportsOf } from "@paraph/server/transport"
import { openSpool } from "@paraph/store/blobs/spool"
import { listAuthorities } from "@paraph/store/postgres/authorities"
import { openDatabase } from "@paraph/store/postgres/database"
import { missingMigrations } from "@paraph/store/postgres/schema-version"
import { areRowsHeld } from "@paraph/store/postgres/service-health"
import { COMMANDS } from "./commands.ts"
import { clockAgrees } from "./doctor/clock.ts"
import { documentsWork } from "./doctor/documents.ts"
import { operatorKeyWorks } from "./doctor/operator-key.ts"
import { resetsTakeTwo } from "./doctor/operators.ts"
import { pepperIsCurrent } from "./doctor/pepper.ts"
import { queuesMove } from "./doctor/queues.ts"
import { standbyFollows } from "./doctor/standby.ts"
import { timestampsWork } from "./doctor/timestamps.ts"
import { print } from "./printed.ts"
import { typed } from "./synopsis.ts"

/** Answers a sentence about what it found; throws a sentence about what is wrong. */
type Check = (config: Config) => Promise<string>

const CHECKS: Readonly<Record<string, Check>> = {
  database: async (config) => {
    const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
    try {
      const missing = await missingMigrations(db)
      if (missing.length > 0) throw new Error(`run paraph migrate: ${missing.join(", ")} is missing`)
      if (!(await areRowsHeld(db)))
        throw new Error(
          "row-level security does not apply to the role of DATABASE_URL: use a role that is no superuser and has no BYPASSRLS (ADR 0091)",
        )
      return "reached, up to date; row-level security holds each business to its rows"
    } finally {
      await close()
    }
  },

  transport: async (config) => {
    const found = transportsOf(config).map(({ connection, protection }) => `${connection} ${protection}`)
    return [...new Set(found)].join(", ")
  },

  clock: clockAgrees,

  standby: standbyFollows,

  queues: queuesMove,

  "operator key": operatorKeyWorks,

  pepper: pepperIsCurrent,

  documents: documentsWork,

  scanner: async (config) => {
    const scanner = openScanner(config)
    if (scanner === null) return "nothing is scanned for malware, because SCANNER_URL is none"
    const { engine, signaturesFrom } = await scanner.health()
    if (!(await scanner.covers(LIMITS.documentBytes)))
      throw new Error("what is at the end of the largest document is not found: raise the scanner's limits")
    const age = signaturesFrom === null ? "without a date" : `of ${signaturesFrom.toISOString()}`
    return `${engine} looks into the largest document; its signatures are ${age}`
  },

  mail: async (config) => {
    const mailer = createMailer({
      url: config.SMTP_URL,
      from: config.MAIL_FROM,
      requireTls: mustStartTls(config),
      passwordFile: config.SMTP_PASSWORD_FILE,
    })
    try {
      await mailer.verify()
      return "the mail server answers"
    } finally {
      mailer.close()
    }
  },

  keys: async (config) => {
    const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
    const tokens = openTokens(config)
    try {
      const now = createClock(config.CLOCK_FILE)()
      const identities = createIdentities(config, tokens, async (kind) =>
        serviceCertificatesOf(await listAuthorities(db, kind), now),
      )
      for (const kind of tokens.kinds) {
        await identities.health(kind)
        await mustMatch(kind, tokens, await identities.of(kind), now)
      }
      const none = tokens.kinds.length === 1 ? "; there is none for production" : ""
      return `${tokens.kinds.join(" and ")} made a test signature that fits the certificate${none}`
    } finally {
      await tokens.close()
      await close()
    }
  },

  "time-stamps": timestampsWork,

  authority: async (config) => {
    const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
    try {
      const now = createClock(config.CLOCK_FILE)()
      const kinds = config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const)
      const told: string[] = []
      for (const kind of kinds) {
        const rows = await listAuthorities(db, kind)
        const issuing = newest(rows, "issuing", now)
        if (issuing === undefined && rows.length > 0)
          throw new Error(`no ${kind} authority can issue: paraph ca list, paraph ca roll`)
        const until = issuing?.notAfter?.toISOString().slice(0, 10)
        told.push(issuing === undefined ? `${kind} has none` : `${nameOf(issuing)} of ${kind} until ${until}`)
      }
      return told.join(", ")
    } finally {
      await close()
    }
  },

  "qualified signatures": async (config) => {
    const providers = readProviders(config)
    if (providers.length === 0) return "no provider is named in QES_PROVIDERS_FILE"
    const [outbound, now] = [openOutbound(config), createClock(config.CLOCK_FILE)]
    const told: string[] = []
    for (const one of providers) {
      const { name } = await createCscProvider(one, { outbound, now })
        .info()
        .catch((cause: Error) => {
          throw new Error(`${one.name}: ${cause.message}`, { cause })
        })
      told.push(`${one.name} (${one.kind}, ${one.legislation}) answers as ${name}`)
    }
    return told.join(", ")
  },

  operators: resetsTakeTwo,

  "pdf rooms": async (config) => {
    const spool = await openSpool(config.SPOOL_FOLDER)
    const rooms = createPdfRooms({ folder: spool.folder, sandbox: sandboxPolicy(config) })
    try {
      const [key, context] = [newKey(), "doctor"]
      const { sealed, sizeBytes } = await spool.take(key, context, once(samplePdf()))
      const { pageCount } = await rooms.describe({ path: sealed.path, key, context, sizeBytes }, SERVICE)
      const { mechanism, enforced, protections } = rooms.sandbox()
      const states = Object.entries(protections).map(([name, active]) => `${name} ${active ? "on" : "off"}`)
      const sandbox = `sandbox ${enforced ? "enforced" : "NOT enforced"} by ${mechanism}: ${states.join(", ")}`
      return `a child process read a PDF of ${pageCount} page (${sandbox})`
    } finally {
      await rooms.close()
      await spool.close()
    }
  },
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

async function mustMatch(
  kind: "demo" | "production",
  tokens: Tokens,
  { certificate, keyLabel }: ServiceCertificate,
  now: Date,
): Promise<void> {
  const x509 = new X509Certificate(certificate)
  const spki = await tokens.of(kind).publicKey(keyLabel)
  const ofCertificate = x509.publicKey.export({ format: "der", type: "spki" })
  if (spki === null || !ofCertificate.equals(spki))
    throw new Error(`the ${kind} certificate is of another key`)
  if (x509.validToDate < now) throw new Error(`the ${kind} certificate expired on ${x509.validTo}`)
}

/** What a process without the role worker is not given. */
const OF_WORKERS: ReadonlySet<string> = new Set(["mail", "keys", "time-stamps"])
const IN_DATABASE: ReadonlySet<string> = new Set([
  "clock",
  "standby",
  "queues",
  "operator key",
  "pepper",
  "documents",
  "keys",
  "authority",
])

type Found = { readonly part: string; readonly works: boolean; readonly found: string }

/** `paraph doctor`: each part on its own, all of them, whatever fails. */
export async function doctor(configured: () => Config, words: readonly string[]): Promise<number> {
  const { values } = typed(COMMANDS.doctor.usage, words)
  const config = configured()
  const parts: Found[] = []
  for (const [part, check] of Object.entries(CHECKS)) {
    const one = await look(part, check, config, parts)
    parts.push(one)
    // Some take their time, so each is told when it is known.
    if (values.json !== true)
      console.log(`${(one.works ? "ok" : "WRONG").padEnd(5)} ${part.padEnd(20)} ${one.found}`)
  }
  const wrong = parts.filter(({ works }) => !works).length
  const said = wrong === 0 ? "All parts work." : `${wrong} of ${parts.length} parts do not work.`
  print({ value: { works: wrong === 0, parts }, words: said }, values.json === true)
  return wrong === 0 ? 0 : 1
}

async function look(part: string, check: Check, config: Config, before: readonly Found[]): Promise<Found> {
  if (OF_WORKERS.has(part) && !config.ROLES.includes("worker"))
    return { part, works: true, found: "not looked at: these are not the settings of a worker (ROLES)" }
  if (IN_DATABASE.has(part) && before.some((one) => one.part === "database" && !one.works))
    return { part, works: false, found: "cannot be told without the database" }
  return check(config).then(
    (found): Found => ({ part, works: true, found }),
    (error: unknown): Found => ({ part, works: false, found: faultTold(error) ?? whatIsWrong(error) }),
  )
}

/** Some clients hide the sentence in an aggregate, or say nothing but a code. */
function whatIsWrong(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return whatIsWrong(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
