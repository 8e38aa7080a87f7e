// Whether a certificate is revoked, by CRLs (RFC 5280, 6.3). The lists are given, not fetched. The time is an argument:
// whoever looks back at lists that were kept gives the time at which they are proved to have existed.

import type { AlgorithmPolicy } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { type ReasonFlag, readIssuingDistributionPoint } from "../certificate/distribution-point.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { sameName } from "../certificate/name.ts"
import { DerError } from "../der/der.ts"
import { type CertificatePath, keyAt } from "../path/path-validation.ts"
import {
  type Crl,
  type CrlEntry,
  findEntry,
  readBaseCrlNumber,
  readCrlNumber,
  readExpiredCertsOnCrl,
} from "./crl.ts"
import { type CrlSearch, isSignedByIssuer, isSignedWeakly, MAX_WORK } from "./crl-issuer.ts"
import { ALL_REASONS, distributionPoints, reasonsCovered } from "./crl-scope.ts"
import { isPermanentReason } from "./revocation-reason.ts"

export type CrlCheck = {
  /** A path that has been found valid; the status is asked of the certificate at `position` in it. */
  readonly path: CertificatePath
  readonly position: number
  readonly crls: readonly Crl[]
  readonly at: Date
  /** By how much the clock of the issuer may be ahead of ours. By default five minutes. */
  readonly toleranceMs?: number
  /** Where certificates of CRL issuers, and of their issuers, may be found. */
  readonly intermediates?: readonly Certificate[]
  readonly algorithms?: AlgorithmPolicy
  /**
   * "unchecked" verifies who signed the lists, and ignores their times, scopes and unknown extensions. It is for callers that
   * look for a revocation: such a list may prove nothing good, but it may still list the certificate.
   */
  readonly times?: "checked" | "unchecked"
}

export type CrlFault =
  /** No list is about this certificate, for all reasons. */
  | "no-crl"
  | "malformed"
  /** A critical extension that we do not know. */
  | "extension"
  /** thisUpdate lies after `at`. */
  | "not-yet-valid"
  /** nextUpdate lies before `at`, or there is none. */
  | "stale"
  /** The list was made after the certificate had expired, and does not say that it still has such certificates. */
  | "certificate-expired"
  | "algorithm-too-weak"
  /** No key that may sign this list, and leads to the same anchor, has signed it. */
  | "issuer"
  /** The work limit was reached, so there may be a list that was not looked at. */
  | "too-much-work"

export type CrlStatus =
  /** With the lists that say so; the times are those of the oldest of them, where a delta CRL stands for its base. */
  | {
      readonly status: "good"
      readonly crls: readonly Crl[]
      readonly thisUpdate: Date
      readonly nextUpdate?: Date
    }
  /** It is listed. Whether `revokedAt` is too late to matter is for the caller to say. */
  | ({ readonly status: "revoked"; readonly crl: Crl } & CrlEntry)
  | { readonly status: "undetermined"; readonly reason: CrlFault }

export function checkByCrl(check: CrlCheck): CrlStatus {
  // The newest list first: an older one that says nothing must not answer for a newer one that does.
  const crls = check.crls.toSorted((one, other) => other.thisUpdate.getTime() - one.thisUpdate.getTime())
  const work = { left: MAX_WORK, isSpent: false }
  const status = statusOf({ ...check, crls, asking: [], work })
  // A limit that was reached means undecided: a list that was not looked at may name the certificate.
  const isDecided = status.status === "revoked" || !work.isSpent
  return isDecided ? status : { status: "undetermined", reason: "too-much-work" }
}

// More than any authority names; each is compared with every list.
const MAX_POINTS = 64

function statusOf(search: CrlSearch): CrlStatus {
  const certificate = search.path.certificates[search.position]
  if (certificate === undefined) throw new RangeError("no certificate at this position")
  const points = orFault(() => distributionPoints(certificate))
  if ("fault" in points || points.length > MAX_POINTS) return { status: "undetermined", reason: "malformed" }
  const usable = usability(certificate, { ...search, asking: [...search.asking, certificate] })
  if (search.times === "unchecked") {
    const listed = findListed(certificate, search.crls, usable)
    if (listed !== undefined) return { status: "revoked", ...listed }
  }
  const covered = new Set<ReasonFlag>()
  const used = new Set<Crl>()
  const current = new Set<Crl>()
  let fault: CrlFault = "no-crl"
  for (const point of points) {
    for (const crl of search.crls) {
      const judged = orFault(() => {
        const reasons = isDelta(crl) ? undefined : reasonsCovered(point, crl, certificate)
        if (reasons === undefined) return undefined
        // 6.3.3 (e): a list that adds nothing is not looked at. A permanent revocation in it counts all the same, because no
        // other list can take it back.
        const addsReasons = !reasons.every((reason) => covered.has(reason))
        if (!addsReasons && !listsPermanently(crl, certificate)) return undefined
        return { reasons, ...ask(certificate, crl, search.crls, usable) }
      })
      if (judged === undefined) continue
      if ("fault" in judged) {
        fault = judged.fault
        continue
      }
      const { entry, crls, reasons } = judged
      if (entry !== undefined) return { status: "revoked", ...entry }
      for (const reason of reasons) covered.add(reason)
      for (const one of crls) used.add(one)
      const newest = crls.at(-1)
      if (newest !== undefined) current.add(newest)
    }
  }
  const complete = ALL_REASONS.every((reason) => covered.has(reason))
  if (!complete) return { status: "undetermined", reason: fault }
  return { status: "good", crls: [...used], ...oldestTimes([...current]) }
}

/** When the oldest of the lists was made, and when the first of them ends. */
function oldestTimes(crls: readonly Crl[]): { readonly thisUpdate: Date; readonly nextUpdate?: Date } {
  const ends = crls.flatMap(({ nextUpdate }) => nextUpdate ?? [])
  const earliest = (dates: readonly Date[]) => new Date(Math.min(...dates.map((date) => date.getTime())))
  return {
    thisUpdate: earliest(crls.map(({ thisUpdate }) => thisUpdate)),
    ...(ends.length > 0 && { nextUpdate: earliest(ends) }),
  }
}

/**
 * A list that names the certificate, whatever it is made for: a delta CRL without its base, or one for other points, reasons or
 * kinds of certificates. An issuer gives each serial number once (RFC 5280, 4.1.2.2), though not to attribute certificates.
 */
function findListed(
  certificate: Certificate,
  crls: readonly Crl[],
  usable: Usability,
): (CrlEntry & { readonly crl: Crl }) | undefined {
  for (const crl of crls) {
    const entry = orFault(() => {
      if (readIssuingDistributionPoint(crl.extensions)?.onlyContainsAttributeCerts) return undefined
      return sameName(crl.issuer, certificate.issuer) ? entryOf(crl, certificate) : undefined
    })
    if (entry === undefined || "fault" in entry || entry.reason === "removeFromCRL") continue
    if (usable(crl) === undefined) return { ...entry, crl }
  }
  return undefined
}

function listsPermanently(crl: Crl, certificate: Certificate): boolean {
  const entry = entryOf(crl, certificate)
  return entry !== undefined && isPermanentReason(entry.reason)
}

/** Of the certificate, and not of another issuer's with the same serial number. */
export function entryOf(crl: Crl, { serialNumber, issuer }: Certificate): CrlEntry | undefined {
  return findEntry(crl, serialNumber, (named) => sameName(named, issuer))
}

type Usability = (crl: Crl) => CrlFault | undefined

type Answer =
  | { readonly fault: CrlFault }
  | { readonly entry: (CrlEntry & { readonly crl: Crl }) | undefined; readonly crls: readonly Crl[] }

// 6.3.3 (c) and (f) to (k), for one complete CRL and the newest delta CRL that fits it.
function ask(certificate: Certificate, crl: Crl, others: readonly Crl[], usable: Usability): Answer {
  const unusable = usable(crl)
  if (unusable !== undefined) return { fault: unusable }
  const delta = newest(others.filter((one) => continues(one, crl) && usable(one) === undefined))
  const find = (list: Crl) => {
    const found = entryOf(list, certificate)
    return found && { ...found, crl: list }
  }
  const changed = delta && find(delta)
  const crls = delta === undefined ? [crl] : [crl, delta]
  const entry = changed ?? find(crl)
  return { entry: entry?.reason === "removeFromCRL" ? undefined : entry, crls }
}

const TOLERANCE_MS = 5 * 60_000

/** What a list lacks, found out once for each. */
function usability(certificate: Certificate, search: CrlSearch): Usability {
  const known = new Map<Crl, CrlFault | undefined>()
  const find = (crl: Crl): CrlFault | undefined => {
    const late = search.times === "unchecked" ? undefined : checkTime(crl, certificate, search)
    if (late !== undefined) return late
    if (search.times !== "unchecked" && hasUnknownCritical(crl)) return "extension"
    if (isSignedWeakly(crl, keyAt(search.path, search.position - 1), search)) return "algorithm-too-weak"
    const isGood = (path: CertificatePath, position: number) =>
      statusOf({ ...search, path, position }).status === "good"
    return isSignedByIssuer(crl, search, isGood) ? undefined : "issuer"
  }
  return (crl) => {
    if (known.has(crl)) return known.get(crl)
    const found = orFault(() => find(crl))
    const fault = typeof found === "object" ? found.fault : found
    known.set(crl, fault)
    return fault
  }
}

function checkTime(
  crl: Crl,
  { notAfter }: Certificate,
  { at, toleranceMs = TOLERANCE_MS }: CrlSearch,
): CrlFault | undefined {
  if (crl.thisUpdate.getTime() > at.getTime() + toleranceMs) return "not-yet-valid"
  // RFC 5280, 5.1.2.5 demands nextUpdate; without it nobody could tell that a list has been withheld.
  if (crl.nextUpdate === undefined || crl.nextUpdate < at) return "stale"
  if (crl.thisUpdate <= notAfter) return undefined
  const kept = readExpiredCertsOnCrl(crl.extensions)
  return kept === undefined || kept > notAfter ? "certificate-expired" : undefined
}

const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.issuerAltName,
  EXTENSION.cRLNumber,
  EXTENSION.deltaCRLIndicator,
  EXTENSION.issuingDistributionPoint,
  EXTENSION.freshestCRL,
  EXTENSION.authorityInfoAccess,
  EXTENSION.expiredCertsOnCRL,
])

const KNOWN_ENTRY_EXTENSIONS: ReadonlySet<string> = new Set([
  EXTENSION.reasonCode,
  EXTENSION.invalidityDate,
  EXTENSION.certificateIssuer,
])

// RFC 5280, 5.2 and 5.3: a list with a critical extension that is not understood decides nothing.
function hasUnknownCritical({ extensions, criticalEntryExtensions }: Crl): boolean {
  return (
    extensions.some(({ id, critical }) => critical && !KNOWN_EXTENSIONS.has(id)) ||
    criticalEntryExtensions.some((id) => !KNOWN_ENTRY_EXTENSIONS.has(id))
  )
}

function isDelta({ extensions }: Crl): boolean {
  return extensions.some(({ id }) => id === EXTENSION.deltaCRLIndicator)
}

// 6.3.3 (c) and 5.2.4: same issuer, same scope, same key, and numbers that follow each other.
function continues(delta: Crl, complete: Crl): boolean {
  const fits = orFault(() => {
    const base = readBaseCrlNumber(delta.extensions)
    const from = readCrlNumber(complete.extensions)
    const to = readCrlNumber(delta.extensions)
    if (base === undefined || from === undefined || to === undefined) return false
    const same = (id: string) => extensionValue(delta, id) === extensionValue(complete, id)
    return (
      from >= base &&
      from < to &&
      sameName(delta.issuer, complete.issuer) &&
      same(EXTENSION.issuingDistributionPoint) &&
      same(EXTENSION.authorityKeyIdentifier)
    )
  })
  return fits === true
}

function extensionValue({ extensions }: Crl, wanted: string): string | undefined {
  const found = extensions.find(({ id }) => id === wanted)
  return found && Buffer.from(found.value).toString("hex")
}

function newest(deltas: readonly Crl[]): Crl | undefined {
  const number = (crl: Crl) => readCrlNumber(crl.extensions) ?? 0n
  return deltas.reduce<Crl | undefined>(
    (best, one) => (best === undefined || number(one) > number(best) ? one : best),
    undefined,
  )
}

function orFault<Value>(read: () => Value): Value | { readonly fault: "malformed" } {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return { fault: "malformed" }
    throw error
  }
}
