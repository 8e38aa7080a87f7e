// QES_PROVIDERS_FILE: the providers by which people sign with a qualified signature. Every fault is told at once.

import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { certificatesInPem } from "@paraph/pki/pem"
import { isNamed } from "../outbound/address.ts"
import type { CscSettings } from "./provider.ts"

/** With the name that people know it by. */
export type RemoteProviderSettings = CscSettings & { readonly title: string }
export type ProvidersFile = {
  readonly providers: readonly RemoteProviderSettings[]
  readonly faults: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/** Files that a row names are looked for beside the file itself, unless their path begins at the root. */
export function readProvidersFile(path: string, allowedHosts: readonly string[] = []): ProvidersFile {
  const faults: string[] = []
  const rows = rowsOf(path, faults)
  const at = (file: string) => resolve(dirname(path), file)
  const providers = rows.flatMap((row, index) => {
    const where = typeof row.name === "string" && row.name !== "" ? `"${row.name}"` : `number ${index + 1}`
    const found: string[] = []
    const provider = readRow(row, at, found)
    const url = URL.parse(provider.baseUrl)
    if (url?.protocol === "http:" && !isNamed(url, allowedHosts))
      found.push("baseUrl must be https, unless QES_ALLOWED_HOSTS names its host.")
    faults.push(...found.map((fault) => `${path}, provider ${where}: ${fault}`))
    return found.length > 0 ? [] : [provider]
  })
  const names = rows.map(({ name }) => name)
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    faults.push(`${path}: more than one provider is called ${JSON.stringify(name)}.`)
  return { providers, faults }
}

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

const FIELDS = [
  "name",
  "baseUrl",
  "clientId",
  "clientSecretFile",
  "legislation",
  "kind",
  "anchorsFile",
] as const
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

function readRow(row: Row, at: (file: string) => string, faults: string[]): RemoteProviderSettings {
  for (const name of Object.keys(row))
    if (name !== "title" && !FIELDS.some((field) => field === name))
      faults.push(`${name} is not a setting of a provider.`)
  const given = (name: (typeof FIELDS)[number]): string => {
    const value = row[name]
    if (typeof value === "string" && value !== "") return value
    faults.push(`${name} must be given, as a text.`)
    return ""
  }
  const [
    name = "",
    baseUrl = "",
    clientId = "",
    secretFile = "",
    legislation = "",
    kind = "",
    anchorsFile = "",
  ] = FIELDS.map(given)
  // The name stands in addresses.
  if (name !== "" && !NAME.test(name))
    faults.push("name must be of small letters, figures and -, at most 40.")
  if (baseUrl !== "" && !isBaseUrl(baseUrl)) faults.push("baseUrl must be an address without ? and #.")
  if (legislation !== "" && legislation !== "EIDAS" && legislation !== "ZERTES")
    faults.push("legislation must be EIDAS or ZERTES.")
  if (kind !== "" && kind !== "demo" && kind !== "production") faults.push("kind must be demo or production.")
  const clientSecret = secretFile === "" ? "" : readSecret(at(secretFile), faults)
  const anchors = anchorsFile === "" ? [] : readAnchors(at(anchorsFile), faults)
  const law = legislation === "EIDAS" ? "EIDAS" : "ZERTES"
  const title = titleOf(row, name, faults)
  const settings = { name, title, baseUrl, clientId, clientSecret, anchors, legislation: law } as const
  return { ...settings, kind: kind === "demo" ? "demo" : "production" }
}

/** Read out to people; the name, which stands in addresses, where there is none. */
function titleOf({ title = "" }: Row, name: string, faults: string[]): string {
  if (typeof title === "string" && title.length <= 100) return title.trim() === "" ? name : title.trim()
  faults.push("title must be a text of at most 100 characters.")
  return name
}

function isBaseUrl(address: string): boolean {
  const url = URL.parse(address)
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:"
  return isWeb && url.search === "" && url.hash === "" && url.username === "" && url.password === ""
}

function readSecret(path: string, faults: string[]): string {
  const secret = readText(path, "clientSecretFile", faults)
  if (secret?.trim() === "") faults.push(`clientSecretFile: ${path} is empty.`)
  return secret?.trim() ?? ""
}

function readAnchors(path: string, faults: string[]): readonly Certificate[] {
  const text = readText(path, "anchorsFile", faults)
  if (text === null) return []
  try {
    const anchors = certificatesInPem(text).map((der) => readCertificate(der))
    if (anchors.length === 0) faults.push(`anchorsFile: ${path} has no certificate.`)
    return anchors
  } catch (error) {
    faults.push(`anchorsFile: ${path}: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

function readText(path: string, field: string, faults: string[]): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    faults.push(`${field}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}
