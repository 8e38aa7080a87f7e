import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { IssueCertificate } from "@paraph/core/certificate/ports"
import type { Clock } from "@paraph/core/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { refreshAnswers } from "@paraph/gateways/issuing-ca/answers"
import { createBuiltInAuthority } from "@paraph/gateways/issuing-ca/built-in"
import { createEstAuthority, type RequestRecords, readAnchors } from "@paraph/gateways/issuing-ca/est"
import { createLocalRevocation } from "@paraph/gateways/issuing-ca/local-revocation"
import type { Authority, AuthorityRecords, Role } from "@paraph/gateways/issuing-ca/records"
import { type RollSettings, roll } from "@paraph/gateways/issuing-ca/roll"
import { type AuthorityWorld, chainFrom, newest, serialOf } from "@paraph/gateways/issuing-ca/world"
import { type Keys, startKeys } from "@paraph/gateways/keys"
import { KeysFailed } from "@paraph/gateways/keys-failed"
import { keysInFolder } from "@paraph/gateways/keys-in-folder"
import { createOutbound } from "@paraph/gateways/outbound"
import { readCertificate } from "@paraph/pki/certificate"
import { certificatesInPem } from "@paraph/pki/pem"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import { oneAtATime } from "@paraph/store/postgres/authorities"
import { createAuthorityRecords } from "@paraph/store/postgres/authority-records"
import { createCertificateRequests } from "@paraph/store/postgres/certificate-requests"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import type { Config } from "./config.ts"
import { createRandomness } from "./randomness.ts"

/** What every role has of the built-in authority (ADR 0038): its records. The keys are a worker's. */
export const authorityRows = (db: ServiceDatabase, now: Clock) => ({
  authorityRecords: createAuthorityRecords(db) satisfies AuthorityRecords,
  servedRecords: servedRecords(createAuthorityRecords(db), now),
  certificateRequests: createCertificateRequests(db) satisfies RequestRecords,
  authorityCare: {
    alone: <T>(work: () => Promise<T>) => oneAtATime(db, work),
    record: (kind: Kind, made: readonly string[]) =>
      appendAudit(db, {
        at: now(),
        by: { person: null, shellUser: "worker" },
        act: "ca roll",
        businessId: null,
        target: `authority ${kind}`,
        after: { made },
      }),
  },
})

/** What the world may ask for, as often as it likes. */
const servedRecords = ({ authorities, findIssued, findList }: AuthorityRecords, now: Clock) => ({
  authorities: remembering(authorities, now),
  findIssued,
  findList,
})

export type AuthorityRows = ReturnType<typeof authorityRows>

/** How the CLI and a worker open the authority; whose keys they hold is theirs to say. */
export const authorityWorld = (
  config: Config,
  records: AuthorityRecords,
  keys: (kind: Kind, role: Role) => Keys,
  randomness = createRandomness(config.SEED, "authority"),
): AuthorityWorld => ({
  records,
  keys,
  address: authorityAddress(config),
  policies: config.CA_POLICY === "none" ? [] : [config.CA_POLICY],
  ...randomness,
})

/** RFC 5280, 8: whoever checks a certificate must not have to check one for it, so this is plain http. */
export const authorityAddress = ({ CA_URL, PUBLIC_URL }: Pick<Config, "CA_URL" | "PUBLIC_URL">): string =>
  CA_URL === "" ? PUBLIC_URL.replace(/^https:/, "http:") : new URL(CA_URL).origin

export const rollSettings = (
  config: Pick<Config, "CA_ROLL_DAYS" | "CERTIFICATE_ROLL_DAYS">,
): RollSettings => ({
  issuingDays: config.CA_ROLL_DAYS,
  serviceDays: config.CERTIFICATE_ROLL_DAYS,
})

/** The token of a kind, or another one. */
export function openToken(config: Config, kind: Kind, other?: { label: string; pinFile: string }): Keys {
  if (config.KEYS_FOLDER !== "") return folderKeys(config, other?.label ?? kind)
  const own =
    kind === "demo"
      ? { label: config.PKCS11_DEMO_TOKEN, pinFile: config.PKCS11_DEMO_PIN_FILE }
      : { label: config.PKCS11_PRODUCTION_TOKEN, pinFile: config.PKCS11_PRODUCTION_PIN_FILE }
  const { label: tokenLabel, pinFile } = other ?? own
  if (config.PKCS11_MODULE === "" || tokenLabel === "")
    throw new KeysFailed(
      "device",
      `PKCS11_MODULE and the token of ${kind} keys must be given: take the settings of a worker.`,
    )
  const env = config.SOFTHSM2_CONF === "" ? {} : { SOFTHSM2_CONF: config.SOFTHSM2_CONF }
  return startKeys({ module: config.PKCS11_MODULE, tokenLabel, pinFile, env })
}

/** A sandbox without a token. */
const folderKeys = ({ KEYS_FOLDER, SEED }: Config, name: string): Keys =>
  keysInFolder({ folder: join(KEYS_FOLDER, name), ...(SEED !== "" && { seed: `${SEED} ${name}` }) })

export type AuthorityParts = {
  readonly issueCertificate: IssueCertificate
  /** Our own authority answers in this process, everybody else through these. */
  readonly localRevocation: (others: RevocationPorts) => RevocationPorts
  /** Our own roots of that kind. */
  readonly authorityAnchors: (kind: Kind) => Promise<readonly Uint8Array[]>
  /** The service's own certificates, the newest last. */
  readonly serviceCertificates: (kind: Kind) => Promise<readonly ServiceCertificate[]>
  /** Of reports that the service seals; null where there is no authority of that kind, or it has none yet. */
  readonly reportCertificate: (kind: Kind) => Promise<ServiceCertificate | null>
  /** Since when that certificate of ours is revoked; null where it is not, or is not ours. */
  readonly revokedSince: (kind: Kind, certificateSha256: string) => Promise<Date | null>
  readonly lookAfterAuthority: () => Promise<readonly string[]>
}

export type ServiceCertificate = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly keyLabel: string
  /** Whether it signs today; those before it have ended, or were revoked. */
  readonly isOfToday: boolean
}

/** Lists and answers know whole seconds (RFC 5280, 4.1.2.5.2): to the world it was revoked from the beginning of that one on. */
const asTold = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

type Shared = AuthorityRows & { readonly now: Clock; readonly kinds: readonly Kind[] }

/** What a worker does with the authority's keys. */
export function authorityParts(config: Config, shared: Shared, keys: (kind: Kind) => Keys): AuthorityParts {
  const { authorityRecords: records, authorityCare, now, kinds } = shared
  const world = authorityWorld(config, records, keys)
  const quick = { ...world, records: { ...records, authorities: remembering(records.authorities, now) } }
  return {
    issueCertificate: issuing(config, shared, createBuiltInAuthority(quick), keys),
    localRevocation: (others) => createLocalRevocation(quick, others, now),
    authorityAnchors: async (kind) => rootsOf(await quick.records.authorities(kind)),
    serviceCertificates: async (kind) => serviceCertificatesOf(await quick.records.authorities(kind), now()),
    reportCertificate: async (kind) => {
      const all = serviceCertificatesOf(await quick.records.authorities(kind), now(), "report")
      return all.find(({ isOfToday }) => isOfToday) ?? null
    },
    revokedSince: async (kind, certificateSha256) => {
      const rows = await records.authorities(kind)
      const row = rows.find(
        ({ certificate }) => certificate !== null && sha256(certificate) === certificateSha256,
      )
      if (row?.issuerId == null || row.certificate === null) return null
      const serial = serialOf(readCertificate(row.certificate).serialNumber)
      const revocation = (serial && (await records.findIssued(row.issuerId, serial)))?.revocation
      return revocation ? asTold(revocation.at) : null
    },
    lookAfterAuthority: async () => {
      const look = async (kind: Kind) => {
        const rolled = await authorityCare.alone(() => roll(world, kind, rollSettings(config), now()))
        if (rolled && rolled.made.length > 0) await authorityCare.record(kind, rolled.made)
        return rolled?.problems ?? []
      }
      const problems: string[] = []
      const failures: unknown[] = []
      // One after the other, and a token that is away holds up its own kind alone.
      for (const kind of kinds)
        await look(kind).then(
          (told) => void problems.push(...told),
          (error: unknown) => void failures.push(error),
        )
      while ((await refreshAnswers(world, now(), BATCH)) === BATCH);
      if (failures.length > 0) throw failures[0]
      return problems
    },
  }
}

/** Also of an issuing authority whose root lies elsewhere. */
export const rootsOf = (rows: readonly Authority[]): readonly Uint8Array[] =>
  rows.flatMap(({ role, certificate, chain }) => {
    if (role === "root") return certificate ?? []
    return role === "issuing" ? (chain.at(-1) ?? []) : []
  })

/** As the records have them: of the newest that is alive it is said that it is of today. */
export function serviceCertificatesOf(
  rows: readonly Authority[],
  now: Date,
  of: "service" | "report" = "service",
): readonly ServiceCertificate[] {
  const today = newest(rows, of, now)
  return rows.flatMap((row) => {
    const [certificate, ...chain] = row.role === of ? chainFrom(rows, row) : []
    if (certificate === undefined || row.certificate === null) return []
    return { certificate, chain, keyLabel: row.keyLabel, isOfToday: row === today }
  })
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const BATCH = 200

const REMEMBERED_MS = 5_000

/** They change once in weeks, and are asked for with each signature. One that was revoked issues for these seconds still. */
function remembering(
  authorities: AuthorityRecords["authorities"],
  now: Clock,
): AuthorityRecords["authorities"] {
  const seen = new Map<Kind, { readonly at: number; readonly rows: ReturnType<typeof authorities> }>()
  return (kind) => {
    const at = now().getTime()
    const before = seen.get(kind)
    if (before !== undefined && Math.abs(at - before.at) < REMEMBERED_MS) return before.rows
    const rows = authorities(kind)
    seen.set(kind, { at, rows })
    rows.catch(() => seen.delete(kind))
    return rows
  }
}

/** Of demo signers the built-in one always: nobody pays for those. */
function issuing(
  config: Config,
  { certificateRequests }: Pick<Shared, "certificateRequests">,
  builtIn: IssueCertificate,
  keys: (kind: Kind) => Keys,
): IssueCertificate {
  if (config.PRODUCTION_ISSUER === "built-in") return builtIn
  const est = createEstAuthority({ records: certificateRequests, keys, ...estOf(config) })
  return (order, now) => (order.kind === "production" ? est(order, now) : builtIn(order, now))
}

/** The same issuer for the command line, which holds the tokens itself. */
export function openIssuer(
  config: Config,
  db: ServiceDatabase,
  keys: (kind: Kind) => Keys,
): IssueCertificate {
  const world = authorityWorld(config, createAuthorityRecords(db), keys, createRandomness("", "seal"))
  const certificateRequests = createCertificateRequests(db)
  return issuing(config, { certificateRequests }, createBuiltInAuthority(world), keys)
}

/** A client of its own, since the certificate that it shows is for this server alone. */
function estOf(config: Config) {
  const outbound = createOutbound({
    allowedHosts: { certificates: config.EST_ALLOWED_HOSTS },
    ...(config.OUTBOUND_CA_FILE !== "" && { caFile: config.OUTBOUND_CA_FILE }),
    ...(config.OUTBOUND_PROXY !== "" && { proxyUrl: config.OUTBOUND_PROXY }),
    ...(config.EST_CERTIFICATE_FILE !== "" && {
      clientCertificate: { certFile: config.EST_CERTIFICATE_FILE, keyFile: config.EST_KEY_FILE },
    }),
  })
  const login = { username: config.EST_USERNAME, password: config.EST_PASSWORD }
  return {
    server: {
      outbound,
      url: config.EST_URL,
      label: config.EST_LABEL === "" ? null : config.EST_LABEL,
      login: config.EST_USERNAME === "" ? null : login,
    },
    anchors: readAnchors(certificatesInPem(readFileSync(config.EST_ANCHORS_FILE, "utf8"))),
  }
}
