// IDENTIFICATION_PROVIDERS_FILE: the providers that say who somebody is. Every fault is told at once.

import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { isNamed } from "../outbound/address.ts"
import { type IdentityProviderSettings, USER_INFO_ALGORITHMS } from "./provider.ts"

export type IdentificationProvidersFile = {
  readonly providers: readonly IdentityProviderSettings[]
  readonly faults: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

const TEXTS = [
  "name",
  "title",
  "kind",
  "issuer",
  "clientId",
  "clientSecretFile",
  "userInfoAlgorithm",
] as const
const LISTS = ["trustFrameworks", "scopes", "acrValues", "assuranceLevels", "evidenceTypes"] as const
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/

/** The secret is looked for beside the file itself, unless its path begins at the root. */
export function readIdentificationProviders(
  path: string,
  allowedHosts: readonly string[] = [],
): IdentificationProvidersFile {
  const faults: string[] = []
  const rows = rowsOf(path, faults)
  const providers = rows.flatMap((row, index) => {
    const where = typeof row.name === "string" && row.name !== "" ? `"${row.name}"` : `number ${index + 1}`
    const found: string[] = []
    const provider = readRow(row, (file) => resolve(dirname(path), file), found)
    const url = URL.parse(provider.issuer)
    if (url?.protocol === "http:" && !isNamed(url, allowedHosts))
      found.push("issuer must be https, unless IDENTIFICATION_ALLOWED_HOSTS names its host.")
    faults.push(...found.map((fault) => `${path}, provider ${where}: ${fault}`))
    return found.length > 0 ? [] : [provider]
  })
  // The same name may stand for a demo provider and for the real one.
  const names = rows.map(({ name, kind }) => `${shown(name)} (${shown(kind)})`)
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    faults.push(`${path}: more than one provider is called ${name}.`)
  return { providers, faults }
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

function rowsOf(path: string, faults: string[]): readonly Row[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(path, "utf8"))
    const isRow = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row)
    if (Array.isArray(rows) && rows.every(isRow)) return rows
    faults.push(`${path}: must be a list of objects.`)
  } catch (error) {
    faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return []
}

function readRow(row: Row, at: (file: string) => string, faults: string[]): IdentityProviderSettings {
  const known: readonly string[] = [...TEXTS, ...LISTS, "verifiedWithinDays"]
  for (const name of Object.keys(row))
    if (!known.includes(name)) faults.push(`${name} is not a setting of a provider.`)
  const text = (name: (typeof TEXTS)[number]): string => {
    const value = row[name]
    if (typeof value === "string" && value !== "") return value
    faults.push(`${name} must be given, as a text.`)
    return ""
  }
  const [name = "", title = "", kind = "", issuer = "", clientId = "", secretFile = "", algorithm = ""] =
    TEXTS.map(text)
  // The name stands in addresses.
  if (name !== "" && !NAME.test(name))
    faults.push("name must be of small letters, figures, _ and -, at most 40.")
  if (kind !== "" && kind !== "demo" && kind !== "production") faults.push("kind must be demo or production.")
  if (issuer !== "" && !isIssuer(issuer)) faults.push("issuer must be an address without ? and #.")
  if (algorithm !== "" && !USER_INFO_ALGORITHMS.includes(algorithm))
    faults.push(`userInfoAlgorithm must be one of ${USER_INFO_ALGORITHMS.join(", ")}.`)
  const lists = readLists(row, faults)
  const days = row.verifiedWithinDays ?? null
  const isDays = typeof days === "number" && Number.isInteger(days) && days > 0
  if (days !== null && !isDays) faults.push("verifiedWithinDays must be a number of days.")
  return {
    ...{ name, title, issuer, clientId, userInfoAlgorithm: algorithm, ...lists },
    kind: kind === "production" ? "production" : "demo",
    clientSecret: secretFile === "" ? "" : readSecret(at(secretFile), faults),
    verifiedWithinDays: isDays ? days : null,
  }
}

function readLists(row: Row, faults: string[]) {
  const list = (name: (typeof LISTS)[number], fallback: readonly string[]): readonly string[] => {
    const value = row[name] ?? fallback
    if (Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")) return value
    faults.push(`${name} must be a list of texts.`)
    return fallback
  }
  const trustFrameworks = list("trustFrameworks", [])
  if (trustFrameworks.length === 0) faults.push("trustFrameworks must name those that count.")
  const scopes = list("scopes", ["openid"])
  if (!scopes.includes("openid")) faults.push("scopes must have openid among them.")
  return {
    trustFrameworks,
    scopes,
    acrValues: list("acrValues", []),
    assuranceLevels: list("assuranceLevels", []),
    evidenceTypes: list("evidenceTypes", ["document", "electronic_record"]),
  }
}

function isIssuer(address: string): boolean {
  const url = URL.parse(address)
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:"
  return isWeb && `${url.search}${url.hash}${url.username}${url.password}` === ""
}

function readSecret(path: string, faults: string[]): string {
  try {
    const secret = readFileSync(path, "utf8").trim()
    if (secret === "") faults.push(`clientSecretFile: ${path} is empty.`)
    return secret
  } catch (error) {
    faults.push(`clientSecretFile: ${error instanceof Error ? error.message : String(error)}`)
    return ""
  }
}
