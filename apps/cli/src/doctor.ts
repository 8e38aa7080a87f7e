import { X509Certificate } from "node:crypto"
import { createPdfRooms } from "@paraph/gateways/pdf"
import { createMailer } from "@paraph/gateways/smtp"
import { samplePdf } from "@paraph/pades/sample"
import type { Config } from "@paraph/server/config"
import { createIdentities } from "@paraph/server/identities"
import { createBlobs } from "@paraph/store/blobs/blobs"
import { businessContext, unwrapKey } from "@paraph/store/blobs/wrap"
import { openDatabase } from "@paraph/store/postgres/database"
import { missingMigrations } from "@paraph/store/postgres/schema-version"

/** Answers a sentence about what it found; throws a sentence about what is wrong. */
type Check = (config: Config) => Promise<string>

const CHECKS: Readonly<Record<string, Check>> = {
  database: async (config) => {
    const { db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
    try {
      const missing = await missingMigrations(db)
      if (missing.length > 0) throw new Error(`run paraph migrate: ${missing.join(", ")} is missing`)
      const business = await db
        .selectFrom("business")
        .select(["id", "wrapped_key"])
        .limit(1)
        .executeTakeFirst()
      if (business === undefined) return "reached, up to date; there is no business yet"
      unwrapKey(Buffer.from(config.KEK, "hex"), business.wrapped_key, businessContext(business.id))
      return "reached, up to date; the KEK opens the key of a business"
    } finally {
      await close()
    }
  },

  documents: async (c) => {
    const settings = {
      endpoint: c.S3_ENDPOINT,
      region: c.S3_REGION,
      bucket: c.S3_BUCKET,
      accessKey: c.S3_ACCESS_KEY,
      secretKey: c.S3_SECRET_KEY,
    }
    const blobs = createBlobs(settings, async () => new Uint8Array(32))
    try {
      await blobs.health()
      return `bucket ${c.S3_BUCKET} reached`
    } finally {
      blobs.close()
    }
  },

  mail: async (config) => {
    const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
    try {
      await mailer.verify()
      return "the mail server answers"
    } finally {
      mailer.close()
    }
  },

  keys: async (config) => {
    const identities = await createIdentities(config)
    try {
      await identities.health()
      const kinds = config.PRODUCTION ? (["demo", "production"] as const) : (["demo"] as const)
      for (const kind of kinds) await mustMatch(identities, kind, config.SERVICE_KEY_LABEL)
      const none = kinds.length === 1 ? "; there is none for production" : ""
      return `${kinds.join(" and ")} made a test signature that fits the certificate${none}`
    } finally {
      await identities.close()
    }
  },

  "pdf rooms": async () => {
    const rooms = createPdfRooms()
    try {
      const { pageCount } = await rooms.describe(samplePdf())
      return `a child process read a PDF of ${pageCount} page`
    } finally {
      await rooms.close()
    }
  },
}

type Identities = Awaited<ReturnType<typeof createIdentities>>

async function mustMatch(identities: Identities, kind: "demo" | "production", label: string): Promise<void> {
  const { certificate, keys } = identities.of(kind)
  const x509 = new X509Certificate(certificate)
  const spki = await keys.publicKey(label)
  const ofCertificate = x509.publicKey.export({ format: "der", type: "spki" })
  if (spki === null || !ofCertificate.equals(spki))
    throw new Error(`the ${kind} certificate is of another key`)
  if (x509.validToDate < new Date()) throw new Error(`the ${kind} certificate expired on ${x509.validTo}`)
}

/** `paraph doctor`: each part on its own, all of them, whatever fails. */
export async function doctor(config: Config): Promise<number> {
  let wrong = 0
  for (const [name, check] of Object.entries(CHECKS)) {
    const [mark, sentence] = await check(config).then(
      (found) => ["ok", found],
      (error: unknown) => ["WRONG", whatIsWrong(error)],
    )
    if (mark !== "ok") wrong += 1
    console.log(`${mark?.padEnd(5)} ${name.padEnd(10)} ${sentence}`)
  }
  console.log(
    wrong === 0 ? "All parts work." : `${wrong} of ${Object.keys(CHECKS).length} parts do not work.`,
  )
  return wrong === 0 ? 0 : 1
}

/** Some clients hide the sentence in an aggregate, or say nothing but a code. */
function whatIsWrong(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return whatIsWrong(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
