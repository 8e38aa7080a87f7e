import type { Config } from "./config.ts"

/** The connections inside an installation, by the names that INSECURE_TRANSPORT_ALLOWED has for them. */
export const CONNECTIONS = [
  "database",
  "bucket",
  "scanner",
  "mail",
  "bounces",
  "sms",
  "keys",
  "traces",
  "public",
  "management",
] as const
export type ConnectionName = (typeof CONNECTIONS)[number]

export type Transport = {
  readonly connection: ConnectionName
  readonly setting: keyof Config
  readonly protection: "TLS" | "socket" | "loopback" | "none"
  /** What the operator can do about "none". */
  readonly instead: string
}

/**
 * How each connection of this configuration is protected (ADR 0097). One rule for all of them: TLS that checks who the other side is, a
 * Unix socket, or the loopback interface.
 */
export function transportsOf(c: Partial<Config>): readonly Transport[] {
  const found = [
    ...(["DATABASE_URL", "DATABASE_OWNER_URL"] as const).map((name) =>
      transport("database", name, ofDatabase(c[name] ?? ""), "add ?sslmode=verify-full"),
    ),
    transport("bucket", "S3_ENDPOINT", ofHttp(c.S3_ENDPOINT), "use https"),
    transport("scanner", "SCANNER_URL", ofScanner(c.SCANNER_URL ?? ""), "use unix:/path or tls://host:port"),
    // Elsewhere than on this machine the mailer insists on STARTTLS, unless the connection is allowed to do without.
    transport(
      "mail",
      "SMTP_URL",
      ofMail(c),
      "give an address without options after ?, and remove mail from INSECURE_TRANSPORT_ALLOWED",
    ),
    transport(
      "bounces",
      "BOUNCE_LISTEN",
      ofListener(hostOf(`tcp://${c.BOUNCE_LISTEN}`), false),
      "listen on loopback",
    ),
    transport("sms", "SMS_URL", ofHttp(c.SMS_URL), "use https"),
    ...(c.KEK_PROVIDER === "transit" || (c.TRANSIT_EARLIER_KEYS ?? []).length > 0
      ? [transport("keys", "TRANSIT_URL", ofHttp(c.TRANSIT_URL), "use https")]
      : []),
    transport("traces", "OTEL_EXPORTER_OTLP_ENDPOINT", ofHttp(c.OTEL_EXPORTER_OTLP_ENDPOINT), "use https"),
    ...(c.ROLES?.some((role) => role !== "worker")
      ? [
          transport(
            "public",
            "HOST",
            ofListener(c.HOST, !!c.TLS_CERT_FILE),
            "give TLS_CERT_FILE and TLS_KEY_FILE",
          ),
        ]
      : []),
    transport(
      "management",
      "MANAGEMENT_HOST",
      ofListener(c.MANAGEMENT_HOST, !!c.TLS_CERT_FILE && c.MANAGEMENT_TLS === true),
      "set MANAGEMENT_TLS with TLS_CERT_FILE, or listen on loopback",
    ),
  ]
  return found.filter((one) => one !== null)
}

/** One sentence for each connection that is neither protected nor allowed to be plain. */
export function transportFaults(c: Partial<Config>): readonly string[] {
  if (!c.PRODUCTION || c.SANDBOX) return []
  return transportsOf(c)
    .filter((one) => one.protection === "none" && !c.INSECURE_TRANSPORT_ALLOWED?.includes(one.connection))
    .map(
      ({ connection, setting, instead }) =>
        `${setting} is not protected by TLS: ${instead}, or name ${connection} in INSECURE_TRANSPORT_ALLOWED.`,
    )
}

/** Whether mails are sent with STARTTLS or not at all. */
export const mustStartTls = (c: Config): boolean =>
  c.PRODUCTION &&
  !c.SANDBOX &&
  !c.INSECURE_TRANSPORT_ALLOWED.includes("mail") &&
  !isLoopback(hostOf(c.SMTP_URL))

type Protection = Transport["protection"] | null

function transport(
  connection: ConnectionName,
  setting: keyof Config,
  protection: Protection,
  instead: string,
): Transport | null {
  return protection === null ? null : { connection, setting, protection, instead }
}

function ofHttp(url = ""): Protection {
  if (url === "") return null
  if (/^https:/i.test(url)) return "TLS"
  return isLoopback(hostOf(url)) ? "loopback" : "none"
}

function ofScanner(url: string): Protection {
  if (url === "" || url === "none") return null
  if (url.startsWith("unix:")) return "socket"
  if (url.startsWith("tls:")) return "TLS"
  return isLoopback(hostOf(url)) ? "loopback" : "none"
}

function ofMail(c: Partial<Config>): Protection {
  const { SMTP_URL: url = "" } = c
  if (url === "") return null
  if (isLoopback(hostOf(url))) return "loopback"
  // The mail client takes options from the query, and some of them turn TLS off.
  if (url.includes("?")) return "none"
  return url.startsWith("smtps:") || !c.INSECURE_TRANSPORT_ALLOWED?.includes("mail") ? "TLS" : "none"
}

/** Several hosts may stand in one address, and all of them must be protected. */
function ofDatabase(url: string): Protection {
  if (url === "") return null
  const [found, authority = "", query = ""] = /^\w+:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(url) ?? []
  // What cannot be read is not known to be protected.
  if (found === undefined) return "none"
  const options = new URLSearchParams(query)
  const named = options.get("host") ?? authority.replace(/^.*@/, "")
  const hosts = named.split(",").map((one) => decodeURIComponent(one))
  // Of an option that is repeated, the driver reads the last and this rule the first.
  if (options.getAll("host").length > 1 || options.getAll("sslmode").length > 1) return "none"
  // Without a host the driver takes PGHOST.
  if (hosts.every((host) => host.startsWith("/"))) return "socket"
  if (options.get("sslmode") === "verify-full") return "TLS"
  return hosts.every((host) => isLoopback(host.replace(/(?<=[\]\w]):\d+$/, ""))) ? "loopback" : "none"
}

function ofListener(host: string | undefined, hasTls: boolean): Protection {
  if (!host) return null
  if (hasTls) return "TLS"
  return isLoopback(host) ? "loopback" : "none"
}

const hostOf = (url: string): string => URL.parse(url.replace(/^\w+:/, "http:"))?.hostname ?? ""

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
