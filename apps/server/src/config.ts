import { readFileSync } from "node:fs"
import { FAULT_POINTS } from "./fault-points.ts"

/**
 * The only reader of the environment; called once, by main.ts and by the CLI. Each setting is a row: how it is
 * read, what it is when absent, and a sentence. `docs/operations.md` is printed from these rows.
 */
export type Setting<T> = {
  readonly read: (text: string) => T
  /** `undefined` means that the setting must be given. */
  readonly fallback: T | undefined
  readonly about: string
}

export const SETTINGS = {
  ROLES: list("api,worker", "Roles of this process: api, worker, or both."),
  HOST: text("127.0.0.1", "Address that the api listens on."),
  PORT: integer(8080, "Port of the api. 0 picks a free one."),
  MANAGEMENT_HOST: text("127.0.0.1", "Address that health and metrics listen on; keep it inside."),
  MANAGEMENT_PORT: integer(8081, "Port of health and metrics. 0 picks a free one."),
  PUBLIC_URL: url(undefined, "Address under which people and integrators reach the api, without a path."),
  TRUSTED_PROXIES: list(
    "",
    "Addresses or networks of reverse proxies whose X-Forwarded-* headers are believed.",
  ),
  LOG_LEVEL: text("info", "trace, debug, info, warn, error or fatal."),
  SHUTDOWN_SECONDS: integer(
    20,
    "How long requests and jobs under way may take when the process is told to stop.",
  ),

  DATABASE_URL: text(undefined, "PostgreSQL address."),
  DATABASE_CONNECTIONS: integer(10, "Connections that this process may hold."),

  S3_ENDPOINT: text(undefined, "Address of the S3 server."),
  S3_REGION: text("us-east-1", "Region of the bucket."),
  S3_BUCKET: text(undefined, "Bucket of the sealed documents."),
  S3_ACCESS_KEY: text(undefined, "Access key of the bucket."),
  S3_SECRET_KEY: secret("Secret key of the bucket."),

  SMTP_URL: text(undefined, "Mail server, such as smtp://mail.example.org:587."),
  MAIL_FROM: text(undefined, "Sender of our mails, such as Paraph <no-reply@example.org>."),

  PKCS11_MODULE: text(undefined, "Path of the HSM's PKCS#11 module."),
  SOFTHSM2_CONF: text("", "Handed to the key process, for SoftHSM2 only."),
  PKCS11_DEMO_TOKEN: text(undefined, "Label of the token with the key for demo signatures."),
  PKCS11_DEMO_PIN_FILE: text(undefined, "File with that token's PIN; read by the key process alone."),
  PKCS11_PRODUCTION_TOKEN: text(
    "",
    "Label of the token with the key for production signatures, when there is one.",
  ),
  PKCS11_PRODUCTION_PIN_FILE: text("", "File with that token's PIN; read by the key process alone."),
  SERVICE_KEY_LABEL: text("paraph-service", "Label of the service's own signing key, in each token."),
  DEMO_CERTIFICATE_FILE: text(undefined, "PEM: the certificate of the demo key, then its issuers."),
  PRODUCTION_CERTIFICATE_FILE: text("", "PEM: the certificate of the production key, then its issuers."),

  KEY_PEPPER: secret(
    "32 random bytes in hex: the pepper of API key hashes. Not in the database, and never changed.",
  ),
  KEK: secret("32 random bytes in hex: wraps the key of each business. Lose it and every document is lost."),
  TOKEN_KEY: secret("Ed25519 private key, PKCS#8 PEM: signs login tokens; the same in every api process."),

  LOGINS_PER_USER: integer(10, "Logins a minute for one user name."),
  LOGINS_PER_ADDRESS: integer(100, "Logins a minute from one address."),

  OUTBOUND_CA_FILE: text(
    "",
    "PEM with further certificate authorities that callbacks and downloads may rely on.",
  ),
  OUTBOUND_PROXY: text("", "Proxy for callbacks and downloads, such as http://proxy.example.org:3128."),
  OUTBOUND_ALLOWED_HOSTS: list(
    "",
    "Hosts, or host:port, inside your network that callbacks and downloads may reach.",
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    "",
    "OpenTelemetry collector, such as http://collector:4318. Empty: no traces.",
  ),
  OTEL_TRACES_SAMPLER_ARG: text("0.1", "Share of requests and jobs that are traced, 0 to 1."),

  SANDBOX: bool(false, "A place for trying out: allows plain http, and the fault points of the tests."),
  FAULT_POINT: oneOf(
    ["", ...FAULT_POINTS],
    "Sandbox only: the point of a job at which the process is killed.",
  ),
} as const satisfies Record<string, Setting<unknown>>

export type Config = {
  readonly [K in keyof typeof SETTINGS]: Exclude<(typeof SETTINGS)[K]["fallback"], undefined>
}

/** Every fault of the configuration at once, so that nobody mends them one start at a time. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join("\n")}`)
    this.name = "ConfigFaults"
    this.faults = faults
  }
}

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, read(env, name, setting, faults)])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  faults.push(...faultsOf(config))
  if (faults.length > 0) throw new ConfigFaults(faults)
  return config
}

/** NAME, or the content of the file that NAME_FILE names, or the fallback. An empty value counts as absent. */
function read(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  s: Setting<unknown>,
  faults: string[],
) {
  try {
    const file = env[`${name}_FILE`]
    const given = env[name] || (file ? readFileSync(file, "utf8").trim() : "")
    if (given !== "") return s.read(given)
    if (s.fallback === undefined) faults.push(`${name} must be given. ${s.about}`)
    return s.fallback
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function faultsOf(c: Config): string[] {
  const unknown = (c.ROLES ?? []).filter((role) => role !== "api" && role !== "worker")
  return [
    ...unknown.map((role) => `ROLES: ${role} is not a role.`),
    ...(c.PUBLIC_URL?.startsWith("http:") && !c.SANDBOX
      ? ["PUBLIC_URL must be https, unless SANDBOX is true."]
      : []),
    ...(c.FAULT_POINT && !c.SANDBOX ? ["FAULT_POINT is for the sandbox only."] : []),
    ...(c.PKCS11_PRODUCTION_TOKEN && !c.PRODUCTION_CERTIFICATE_FILE
      ? ["PRODUCTION_CERTIFICATE_FILE must be given with PKCS11_PRODUCTION_TOKEN."]
      : []),
    ...["KEY_PEPPER", "KEK"]
      .filter((name) => isNotHex32(c[name as "KEK"]))
      .map((name) => `${name} must be 32 bytes in hex.`),
  ]
}

const isNotHex32 = (value: string | undefined) => value !== undefined && !/^[0-9a-f]{64}$/i.test(value)

function text(fallback: string | undefined, about: string): Setting<string> {
  return { read: (t) => t, fallback, about }
}

/** Given as NAME_FILE in production; NAME itself is for trying out. */
function secret(about: string): Setting<string> {
  return { read: (t) => t, fallback: undefined, about: `${about} Give it as a file (…_FILE).` }
}

function url(fallback: string | undefined, about: string): Setting<string> {
  const read = (t: string) => {
    const parsed = URL.parse(t)
    if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.pathname !== "/")
      throw new Error("not a URL without a path")
    return parsed.origin
  }
  return { read, fallback, about }
}

function integer(fallback: number, about: string): Setting<number> {
  const read = (t: string) => {
    if (!/^\d{1,9}$/.test(t)) throw new Error("not a whole number")
    return Number(t)
  }
  return { read, fallback, about }
}

function list(fallback: string, about: string): Setting<readonly string[]> {
  const read = (t: string) =>
    t
      .split(",")
      .map((s) => s.trim())
      .filter((s) => s !== "")
  return { read, fallback: read(fallback), about }
}

function bool(fallback: boolean, about: string): Setting<boolean> {
  const read = (t: string) => {
    if (t !== "true" && t !== "false") throw new Error("neither true nor false")
    return t === "true"
  }
  return { read, fallback, about }
}

function oneOf<const T extends string>(values: readonly T[], about: string): Setting<T> {
  const read = (t: string) => {
    const value = values.find((v) => v === t)
    if (value === undefined) throw new Error(`not one of ${values.filter(Boolean).join(", ")}`)
    return value
  }
  return { read, fallback: "" as T, about }
}
