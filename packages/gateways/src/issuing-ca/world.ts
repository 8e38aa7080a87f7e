import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { algorithmFor, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { Keys } from "../keys-pkcs11/keys.ts"
import type { Authority, AuthorityRecords, Kind, Role } from "./records.ts"

/** What an authority works with. Time is an argument of each act. */
export type AuthorityWorld = {
  readonly records: AuthorityRecords
  /** Of the token of that kind; the key of a root may lie in another one, which is seldom plugged in. */
  readonly keys: (kind: Kind, role: Role) => Keys
  /** Where certificates send those who ask: an origin, by plain http (RFC 5280, 8: whoever checks a certificate must not need one). */
  readonly address: string
  /** The ids of the policies that certificates of people and companies name. */
  readonly policies: readonly string[]
  readonly randomBytes: (size: number) => Uint8Array
  readonly newId: () => string
}

/** One that has its certificate. */
export type Active = {
  readonly row: Authority
  readonly certificate: Certificate
  readonly algorithm: SignatureAlgorithm
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

export function activate(world: Pick<AuthorityWorld, "keys">, row: Authority): Active | null {
  const certificate = certificateOf(row)
  if (certificate === null) return null
  const algorithm = algorithmFor(certificate)
  return {
    row,
    certificate,
    algorithm,
    signBytes: (bytes) => world.keys(row.kind, row.role).sign(row.keyLabel, bytes, algorithm),
  }
}

/** Read once: a row may be looked at for each certificate that is issued or asked about. */
export function certificateOf(row: Authority): Certificate | null {
  if (row.certificate === null) return null
  const certificate = read.get(row) ?? readCertificate(row.certificate)
  read.set(row, certificate)
  return certificate
}

const read = new WeakMap<Authority, Certificate>()

/** RFC 5280, 4.1.2.5: both ends count. */
export function isAlive(
  { notBefore, notAfter }: Pick<Authority, "notBefore" | "notAfter">,
  now: Date,
): boolean {
  return notBefore !== null && notAfter !== null && notBefore <= now && now <= notAfter
}

/** As far as validators let clocks differ (RFC 6960, 4.2.2.1 leaves it to them; ours allow five minutes). */
export const CLOCKS_DIFFER_MS = 300_000

/** Signed by a clock that has been put back since: nobody believes it before that time comes. */
export const isOfTheFuture = (signedAt: Date, now: Date): boolean =>
  signedAt.getTime() > now.getTime() + CLOCKS_DIFFER_MS

/** What was revoked by a clock that has been put back since is revoked now, and not only when that time comes. */
export const revokedSince = ({ at }: { readonly at: Date }, now: Date): Date => (at > now ? now : at)

/** The newest of a role that is alive; those that were made for a certain issuer, if one is named. */
export function newest(
  rows: readonly Authority[],
  role: Role,
  now: Date,
  issuerId?: string,
): Authority | undefined {
  return rows.findLast(
    (row) =>
      row.role === role &&
      row.state === "active" &&
      isAlive(row, now) &&
      (issuerId === undefined || row.issuerId === issuerId),
  )
}

/** An authority and its issuers, the nearest first, to the root: what stands behind a certificate of its. */
export function chainFrom(rows: readonly Authority[], authority: Authority): readonly Uint8Array[] {
  const { certificate, issuerId, chain } = authority
  const above = rows.find(({ id }) => id === issuerId)
  return [...(certificate === null ? [] : [certificate]), ...(above ? chainFrom(rows, above) : chain)]
}

/** `root-1`, `issuing-2`: how addresses name an authority. */
export const nameOf = ({ role, generation }: Pick<Authority, "role" | "generation">): string =>
  `${role}-${generation}`

export function placesOf({ address }: Pick<AuthorityWorld, "address">, issuer: Authority) {
  const base = `${address}/pki/${issuer.kind}`
  return {
    ocsp: `${base}/ocsp`,
    list: `${base}/${nameOf(issuer)}.crl`,
    certificate: `${base}/${nameOf(issuer)}.cer`,
  }
}

export function serialNumberOf(serial: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(serial).toString("hex")}`)
}

/** Null where no serial of ours is this number. */
export function serialOf(serialNumber: bigint): Uint8Array | null {
  if (serialNumber <= 0n || serialNumber >= 1n << 128n) return null
  return Buffer.from(serialNumber.toString(16).padStart(32, "0"), "hex")
}
