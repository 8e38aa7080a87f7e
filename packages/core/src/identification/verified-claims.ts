import { isDate } from "../dates.ts"
import { LIMITS } from "../limits.ts"

/** One element of `verified_claims` (OpenID Connect for Identity Assurance 1.0, 5), as far as it is relied on. */
export type Verified = {
  readonly trustFramework: string
  readonly assuranceLevel: string | null
  readonly time: Date | null
  readonly givenName: string
  readonly familyName: string
  readonly birthdate: string
  readonly evidence: readonly Evidence[]
  /** As it came, to be shown to whoever may see it. */
  readonly told: Row
}

type Evidence = {
  readonly type: string
  /** Of two letters; null where the provider does not say, or writes it otherwise. */
  readonly country: string | null
  readonly endsOn: string | null
  readonly files: readonly EvidenceFile[]
}

/** 5.1.2: with its bytes, or where they are. */
export type EvidenceFile = { readonly contentType: string } & (
  | { readonly type: "embedded"; readonly base64: string }
  | {
      readonly type: "external"
      readonly url: string
      readonly accessToken: string | null
      readonly digest: { readonly alg: string; readonly value: string }
    }
)

export type Row = Readonly<Record<string, unknown>>

/** Null where something that must be there is not, or is not what the standard says. */
export function readVerified(told: unknown): Verified | null {
  if (!isRow(told) || !isRow(told.verification) || !isRow(told.claims)) return null
  const { verification, claims } = told
  const trustFramework = textOf(verification.trust_framework)
  const givenName = textOf(claims.given_name)
  const familyName = textOf(claims.family_name)
  const birthdate = textOf(claims.birthdate)
  const time = verification.time === undefined ? null : timeOf(verification.time)
  const evidence = Array.isArray(verification.evidence) ? verification.evidence : []
  if (trustFramework === null || givenName === null || familyName === null || time === undefined) return null
  if (birthdate === null || !isDate(birthdate) || evidence.length > LIMITS.verifiedClaims) return null
  const read = evidence.map(readEvidence)
  if (read.includes(null)) return null
  return {
    trustFramework,
    assuranceLevel: textOf(verification.assurance_level),
    time,
    givenName,
    familyName,
    birthdate,
    evidence: read.flatMap((one) => one ?? []),
    told,
  }
}

function readEvidence(told: unknown): Evidence | null {
  if (!isRow(told)) return null
  const type = textOf(told.type)
  // 5.1.1: a document and an electronic record are described alike.
  const details = [told.document_details, told.document, told.record].find(isRow) ?? {}
  const issuer = [details.issuer, details.source].find(isRow) ?? {}
  const endsOn = details.date_of_expiry === undefined ? null : textOf(details.date_of_expiry)
  if (type === null || (endsOn !== null && !isDate(endsOn))) return null
  if (details.date_of_expiry !== undefined && endsOn === null) return null
  const files = Array.isArray(told.attachments) ? told.attachments : []
  if (files.length > LIMITS.evidenceFiles) return null
  const read = files.map(readFile)
  if (read.includes(null)) return null
  return { type, country: countryOf(issuer), endsOn, files: read.flatMap((file) => file ?? []) }
}

function countryOf(issuer: Row): string | null {
  const code = textOf(issuer.country_code) ?? textOf(issuer.country)
  return code !== null && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null
}

function readFile(told: unknown): EvidenceFile | null {
  if (!isRow(told)) return null
  const contentType = textOf(told.content_type) ?? "application/octet-stream"
  if (typeof told.content === "string" && told.content !== "")
    return { type: "embedded", contentType, base64: told.content }
  const url = textOf(told.url)
  const { digest } = told
  const [alg, value] = isRow(digest) ? [textOf(digest.alg), textOf(digest.value)] : [null, null]
  if (url === null || alg === null || value === null) return null
  return {
    type: "external",
    contentType,
    url,
    accessToken: textOf(told.access_token),
    digest: { alg, value },
  }
}

export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Text that a person could read; what has control characters in it is none. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" &&
  value.trim() !== "" &&
  value.length <= LIMITS.urlCharacters &&
  !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value.trim()
    : null

/** Undefined where it is no time. */
function timeOf(value: unknown): Date | undefined {
  const text = textOf(value) ?? ""
  const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time)
}
