import { expect, it } from "vitest"
import type { Config } from "./config.ts"
import { mustStartTls, transportFaults, transportsOf } from "./transport.ts"

/** Production, with every connection protected. */
const PROTECTED = {
  PRODUCTION: true,
  SANDBOX: false,
  ROLES: ["api", "worker"],
  INSECURE_TRANSPORT_ALLOWED: [],
  DATABASE_URL: "postgresql://paraph@db.internal:5432/paraph?sslmode=verify-full",
  DATABASE_OWNER_URL: "postgresql://owner@a.internal,b.internal/paraph?sslmode=verify-full",
  S3_ENDPOINT: "https://s3.internal",
  SCANNER_URL: "tls://clamd.internal:3311",
  SMTP_URL: "smtp://mail.internal:587",
  BOUNCE_LISTEN: "127.0.0.1:2525",
  SMS_URL: "https://sms.internal",
  KEK_PROVIDER: "transit",
  TRANSIT_URL: "https://bao.internal:8200",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.internal:4318",
  HOST: "0.0.0.0",
  MANAGEMENT_HOST: "0.0.0.0",
  TLS_CERT_FILE: "/tls/cert.pem",
  TLS_KEY_FILE: "/tls/key.pem",
  MANAGEMENT_TLS: true,
} as unknown as Config

const faults = (more: object) => transportFaults({ ...PROTECTED, ...more } as Config)

it("[12.3.1] [12.3.3] takes TLS for every connection", () => {
  expect(faults({})).toEqual([])
  const found = transportsOf(PROTECTED).map(({ connection, protection }) => [connection, protection])
  expect(found.filter(([, protection]) => protection !== "TLS")).toEqual([["bounces", "loopback"]])
})

it.each([
  ["database", { DATABASE_URL: "postgresql://paraph@db.internal/paraph" }],
  ["database", { DATABASE_URL: "postgresql://paraph@db.internal/paraph?sslmode=require" }],
  ["database", { DATABASE_URL: "postgresql://paraph@127.0.0.1,db.internal/paraph" }],
  ["database", { DATABASE_URL: "postgresql://127.0.0.1@db.internal/paraph" }],
  ["database", { DATABASE_URL: "postgresql://paraph@127.0.0.1/paraph?host=db.internal" }],
  ["database", { DATABASE_URL: "no address" }],
  ["database", { DATABASE_OWNER_URL: "postgresql://owner@db.internal/paraph?sslmode=no-verify" }],
  ["bucket", { S3_ENDPOINT: "http://s3.internal" }],
  ["bucket", { S3_ENDPOINT: "http://localhost.example.org" }],
  ["scanner", { SCANNER_URL: "tcp://clamd.internal:3310" }],
  ["scanner", { SCANNER_URL: "tcp://127.0.0.1.example.org:3310" }],
  ["bounces", { BOUNCE_LISTEN: "0.0.0.0:2525" }],
  ["sms", { SMS_URL: "http://sms.internal" }],
  ["keys", { TRANSIT_URL: "http://bao.internal:8200" }],
  ["traces", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.internal:4318" }],
  ["public", { TLS_CERT_FILE: "", MANAGEMENT_HOST: "127.0.0.1" }],
  ["management", { MANAGEMENT_TLS: false }],
])(
  "[12.3.1] [12.3.3] refuses a plain connection of production, and says what to do: %s, %j",
  (name, more) => {
    const found = faults(more)
    expect(found).toEqual([expect.stringContaining(`or name ${name} in INSECURE_TRANSPORT_ALLOWED.`)])
    expect(found[0]).toContain(`${Object.keys(more)[0] === "TLS_CERT_FILE" ? "HOST" : ""}`)
    // An explicit allowance, a sandbox, and what is not production.
    expect(faults({ ...more, INSECURE_TRANSPORT_ALLOWED: [name] })).toEqual([])
    expect(faults({ ...more, SANDBOX: true })).toEqual([])
    expect(faults({ ...more, PRODUCTION: false })).toEqual([])
  },
)

it.each([
  { DATABASE_URL: "postgresql:///paraph?host=/run/postgresql" },
  { DATABASE_URL: "postgresql://%2Frun%2Fpostgresql/paraph" },
  { DATABASE_URL: "postgresql://paraph:secret@[::1]:5432/paraph" },
  { DATABASE_URL: "postgresql://paraph@localhost:5432,127.0.0.1:5433/paraph" },
  { S3_ENDPOINT: "http://127.0.0.1:9000" },
  { S3_ENDPOINT: "" },
  { SCANNER_URL: "unix:/run/clamav/clamd.ctl" },
  { SCANNER_URL: "tcp://[::1]:3310" },
  { SCANNER_URL: "none" },
  { HOST: "127.0.0.1", MANAGEMENT_HOST: "localhost", TLS_CERT_FILE: "", MANAGEMENT_TLS: false },
  { ROLES: ["worker"], TLS_CERT_FILE: "", MANAGEMENT_HOST: "::1", MANAGEMENT_TLS: false },
])("takes a socket and the loopback interface: %j", (more) => {
  expect(faults(more)).toEqual([])
})

it("[12.3.1] insists on STARTTLS for mail that leaves the machine, unless that is allowed to be plain", () => {
  expect(mustStartTls(PROTECTED)).toBe(true)
  for (const more of [
    { SMTP_URL: "smtp://127.0.0.1:25" },
    { INSECURE_TRANSPORT_ALLOWED: ["mail"] },
    { SANDBOX: true },
    { PRODUCTION: false },
  ])
    expect(mustStartTls({ ...PROTECTED, ...more } as Config)).toBe(false)
})
