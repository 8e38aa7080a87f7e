import { readFileSync } from "node:fs"
import { isPrefix } from "@paraph/core/telephone/number"
import type { Setting } from "./setting.ts"
import { type Config, SETTINGS } from "./settings.ts"
import { transportFaults } from "./transport.ts"

export { type Config, SETTINGS }

/** Every fault of the configuration at once, so that nobody mends them one start at a time. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join("\n")}`)
    this.name = "ConfigFaults"
    this.faults = faults
  }
}

/** The only reader of the environment; called once, by main.ts and by the CLI. */
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
    const file = s.inPlace ? undefined : env[`${name}_FILE`]
    const given = env[name] || (file ? readFileSync(file, "utf8").trim() : "")
    if (given !== "") return s.read(given)
    if (s.fallback === undefined) faults.push(`${name} must be given. ${s.about}`)
    return s.fallback
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

const BUCKET = {
  keys: ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"],
  platform: ["S3_ENDPOINT", "S3_BUCKET"],
} as const
const PROVIDER = {
  file: ["KEK_FILE"],
  pkcs11: ["PKCS11_MODULE", "PKCS11_KEK_TOKEN", "PKCS11_KEK_PIN_FILE"],
  transit: ["TRANSIT_URL", "TRANSIT_TOKEN_FILE"],
} as const

const missing = (c: Partial<Config>, names: readonly (keyof Config)[], when: string): string[] =>
  names.flatMap((name) => (c[name] === "" ? `${name} must be given ${when}. ${SETTINGS[name].about}` : []))

/** What is wrong only together. A setting with a fault of its own is `undefined` here. */
function faultsOf(c: Partial<Config>): string[] {
  const faults: string[] = []
  if (c.PUBLIC_URL?.startsWith("http:") && !c.SANDBOX)
    faults.push("PUBLIC_URL must be https, unless SANDBOX is true.")
  if (c.VALIDATION_BASE_URL?.startsWith("http:") && !c.SANDBOX)
    faults.push("VALIDATION_BASE_URL must be https, unless SANDBOX is true.")
  if (c.VALIDATION_BASE_URL && c.VALIDATION_BASE_URL === c.PUBLIC_URL)
    faults.push("VALIDATION_BASE_URL must be another address than PUBLIC_URL, or empty.")
  if (c.CELL && !/^[a-z][a-z0-9-]{0,30}$/.test(c.CELL))
    faults.push("CELL must be up to 31 small letters, digits and hyphens, and begin with a letter.")
  const isReached = c.ROLES?.some((role) => role !== "worker")
  if (c.PUBLIC_URL?.startsWith("https:") && isReached && !c.TLS_CERT_FILE && c.TRUSTED_PROXIES?.length === 0)
    faults.push("TRUSTED_PROXIES must name the proxy that ends TLS, or every request seems to come in plain.")
  if (c.CA_URL && !/^http:\/\/[\w.-]+(:\d{1,5})?\/?$/.test(c.CA_URL))
    faults.push("CA_URL must be an address by plain http, without a path.")
  if (c.CA_POLICY && c.CA_POLICY !== "none" && !/^[0-2](\.(0|[1-9]\d{0,38})){2,20}$/.test(c.CA_POLICY))
    faults.push("CA_POLICY must be an object identifier, such as 1.3.6.1.4.1.99999.1, or none.")
  if (c.EST_URL && !URL.canParse(c.EST_URL)) faults.push("EST_URL is no address.")
  if (!c.SANDBOX) faults.push(...ofSandbox(c))
  faults.push(...transportFaults(c), ...inPairs(c))
  // The id takes 42 of the 64 octets before the at-sign (RFC 5321, 4.5.3.1.1).
  if (
    c.MAIL_BOUNCE_ADDRESS &&
    !/^(?=[^@]{4,26}@)[\w.+=-]*\{id\}[\w.+=-]*@[\w.-]+$/.test(c.MAIL_BOUNCE_ADDRESS)
  )
    faults.push("MAIL_BOUNCE_ADDRESS must be a short address with {id} before its at-sign.")
  if (c.BOUNCE_LISTEN && !/^(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(c.BOUNCE_LISTEN))
    faults.push("BOUNCE_LISTEN must be host:port.")
  if (c.BOUNCE_LISTEN && !c.MAIL_BOUNCE_ADDRESS)
    faults.push("BOUNCE_LISTEN needs MAIL_BOUNCE_ADDRESS: nothing would come to it.")
  if (!c.SMS_COUNTRIES?.every(isPrefix))
    faults.push("SMS_COUNTRIES must be prefixes such as +41, or !+4470 for one that is left out.")
  if (c.SMS_SENDER && !/^(\+[1-9]\d{5,14}|[A-Za-z0-9][A-Za-z0-9 _-]{0,10})$/.test(c.SMS_SENDER))
    faults.push("SMS_SENDER must be up to 11 letters and digits, or a number such as +41791234567.")
  if (!c.DOCUMENTS_FOLDER)
    faults.push(...missing(c, BUCKET[c.S3_CREDENTIALS ?? "keys"], "unless DOCUMENTS_FOLDER is"))
  const isInPlace = c.KEK_PROVIDER === "file" && c.KEK !== ""
  if (!isInPlace)
    faults.push(...missing(c, PROVIDER[c.KEK_PROVIDER ?? "file"], `with KEK_PROVIDER ${c.KEK_PROVIDER}`))
  // The api faces the world: it needs neither the keys nor the mail server, so it is not given them.
  if (!c.ROLES?.includes("worker")) return faults
  if ((c.SMS_COUNTRIES?.length ?? 0) > 0)
    faults.push(...missing(c, ["SMS_URL", "SMS_TOKEN"], "with SMS_COUNTRIES"))
  if (c.SMS_URL && c.SMS_COUNTRIES?.length === 0)
    faults.push("SMS_URL needs SMS_COUNTRIES: no number would be allowed.")
  if (c.SMS_URL && !/^https?:/.test(c.SMS_URL)) faults.push("SMS_URL must be an address with https or http.")
  if (c.PRODUCTION_ISSUER === "est")
    faults.push(...missing(c, ["EST_URL", "EST_ANCHORS_FILE"], "with PRODUCTION_ISSUER est"))
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS))
    if (setting.neededBy === "worker" && c[name as keyof Config] === "" && !isOfToken(name, c))
      faults.push(`${name} must be given to a worker. ${setting.about}`)
  if (c.TIMESTAMP_URLS?.length === 0)
    faults.push(`TIMESTAMP_URLS must be given to a worker. ${SETTINGS.TIMESTAMP_URLS.about}`)
  if (!c.TIMESTAMP_URLS?.every((url) => /^https?:/.test(url) && URL.canParse(url)))
    faults.push("TIMESTAMP_URLS must be addresses with http or https.")
  if (c.PRODUCTION && !c.KEYS_FOLDER)
    for (const name of ["PKCS11_PRODUCTION_TOKEN", "PKCS11_PRODUCTION_PIN_FILE"] as const)
      if (c[name] === "") faults.push(`${name} must be given to a worker when PRODUCTION is true.`)
  return faults
}

const PAIRS = [
  ["CALLBACK_CERTIFICATE_FILE", "CALLBACK_KEY_FILE"],
  ["EST_CERTIFICATE_FILE", "EST_KEY_FILE"],
  ["SCANNER_CERTIFICATE_FILE", "SCANNER_KEY_FILE"],
  ["TLS_CERT_FILE", "TLS_KEY_FILE"],
] as const

function inPairs(c: Partial<Config>): string[] {
  const faults = PAIRS.filter(([one, other]) => (c[one] === "") !== (c[other] === "")).map(
    ([one, other]) => `${one} and ${other} must be given together.`,
  )
  if (c.MANAGEMENT_TLS && !c.TLS_CERT_FILE) faults.push("MANAGEMENT_TLS needs TLS_CERT_FILE.")
  return faults
}

/** What is refused outside of a sandbox. */
function ofSandbox(c: Partial<Config>): string[] {
  const named = ["FAULT_POINT", "CLOCK_FILE", "KEYS_FOLDER", "SEED", "DOCUMENTS_FOLDER"] as const
  const keys = ["KEK", "KEK_EARLIER"] as const
  return [
    ...named.filter((name) => c[name]).map((name) => `${name} is for the sandbox only.`),
    ...keys
      .filter((name) => (c[name] ?? "").length > 0)
      .map((name) => `${name} is for the sandbox only: give the path of its file in ${name}_FILE.`),
  ]
}

/** What a sandbox with its keys in a folder does without. */
const isOfToken = (name: string, { KEYS_FOLDER }: Partial<Config>): boolean =>
  name.startsWith("PKCS11_") && !!KEYS_FOLDER
