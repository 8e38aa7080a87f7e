// Certificate revocation lists (RFC 5280, 5). A list may have a hundred thousand entries, so it is scanned in place: no
// node is built for an entry until somebody asks for it. A list of 32 MB, some 1.2 million entries, is the largest read.

import { type Extension, findExtension, readExtensions } from "../certificate/extension.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { readGeneralNames } from "../certificate/general-name.ts"
import { checkName } from "../certificate/name.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  readDer,
  readInteger,
  readSignatureBits,
  readTime,
  scanValue,
  TAG,
} from "../der/der.ts"
import { integer, oid } from "../der/der-writer.ts"
import { ifReadable } from "../der/optional.ts"
import { isPermanentReason, type RevocationReason, readRevocationReason } from "./revocation-reason.ts"

export type Crl = {
  readonly der: Uint8Array
  /** The bytes that the issuer signed, the AlgorithmIdentifier of the signature, and its value. */
  readonly tbs: Uint8Array
  readonly signatureAlgorithm: Uint8Array
  readonly signature: Uint8Array
  readonly version: 1 | 2
  readonly issuer: Uint8Array
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  readonly extensions: readonly Extension[]
  readonly entryCount: number
  /** The entries, one behind the other; their form has been checked. */
  readonly entries: Uint8Array
  /** What entries have for critical extensions; RFC 5280, 5.3: one that is not understood spoils the list. */
  readonly criticalEntryExtensions: readonly string[]
}

export type CrlEntry = {
  readonly serialNumber: bigint
  readonly revokedAt: Date
  /** Unspecified where the entry says nothing. */
  readonly reason: RevocationReason
  /** RFC 5280, 5.3.2: since when the key must be suspected, which may be earlier. */
  readonly invalidSince?: Date
}

export const MAX_CRL_BYTES = 32 * 1024 * 1024

export function readCrl(der: Uint8Array): Crl {
  if (der.length > MAX_CRL_BYTES) throw new DerError("a CRL of more than 32 MB")
  const [tbs, algorithm, signature, ...rest] = split(der, 0, der.length, "CRL")
  if (tbs === undefined || algorithm === undefined || signature === undefined || rest.length > 0)
    throw new DerError("a CRL has three parts")
  const fields = readFields(tbs)
  if (!Buffer.from(algorithm).equals(fields.algorithm))
    throw new DerError("the two signature algorithms differ")
  const { algorithm: _, ...read } = fields
  return {
    der,
    tbs,
    signatureAlgorithm: expectTag(readDer(algorithm), TAG.sequence, "signature algorithm").bytes,
    signature: readSignatureBits(readDer(signature), "signature"),
    ...read,
  }
}

const CERTIFICATE_ISSUER = oid(EXTENSION.certificateIssuer)

/**
 * The entry of a certificate: its serial number, and an issuer's name of which the caller says that it is the one. Of several
 * entries a permanent revocation counts, then a hold; of several of these the earliest.
 */
export function findEntry(
  crl: Crl,
  serialNumber: bigint,
  isIssuer: (certificateIssuer: Uint8Array) => boolean,
): CrlEntry | undefined {
  const { entries } = crl
  const serial = integer(serialNumber)
  const view = Buffer.from(entries.buffer, entries.byteOffset, entries.length)
  // Bytes are sought before entries are walked: a serial number that is nowhere is in no entry, which is nearly every
  // case, and nobody but an indirect CRL names other issuers.
  let nextSerial = indexFrom(view, serial, 0)
  let nextIssuer = indexFrom(view, CERTIFICATE_ISSUER, 0)
  // RFC 5280, 5.3.3: an entry without certificateIssuer has the one of the entry before, the first the CRL's own.
  let issuer = crl.issuer
  let worst: CrlEntry | undefined
  for (let at = 0; nextSerial < entries.length; ) {
    const entry = scanValue(entries, at, entries.length)
    // The octets of an entry's length may look like the serial number, and stand in front of it.
    if (nextSerial < entry.contentStart) nextSerial = indexFrom(view, serial, entry.contentStart)
    const found = nextSerial === entry.contentStart
    if (found || nextIssuer < entry.end) {
      try {
        const node = readDer(entries.subarray(at, entry.end))
        const extensions = entryExtensions(node)
        issuer = certificateIssuer(extensions) ?? issuer
        if (found && isIssuer(issuer)) worst = worseEntry(worst, readEntry(node, extensions))
      } catch (error) {
        // An entry that cannot be read takes nothing away from a revocation before it.
        if (error instanceof DerError && worst !== undefined) return worst
        throw error
      }
    }
    if (nextSerial < entry.end) nextSerial = indexFrom(view, serial, entry.end)
    if (nextIssuer < entry.end) nextIssuer = indexFrom(view, CERTIFICATE_ISSUER, entry.end)
    at = entry.end
  }
  return worst
}

function worseEntry(one: CrlEntry | undefined, other: CrlEntry): CrlEntry {
  const rank = ({ reason }: CrlEntry) =>
    isPermanentReason(reason) ? 2 : reason === "certificateHold" ? 1 : 0
  if (one === undefined || rank(other) > rank(one)) return other
  return rank(other) === rank(one) && other.revokedAt < one.revokedAt ? other : one
}

function indexFrom(bytes: Buffer, wanted: Uint8Array, from: number): number {
  const index = bytes.indexOf(wanted, from)
  return index < 0 ? Number.POSITIVE_INFINITY : index
}

/** RFC 5280, 5.2.3. */
export function readCrlNumber(extensions: readonly Extension[]): bigint | undefined {
  const node = findExtension(extensions, EXTENSION.cRLNumber)
  return node && readInteger(node, "CRL number")
}

/** RFC 5280, 5.2.4: the number of the complete CRL that a delta CRL starts from. */
export function readBaseCrlNumber(extensions: readonly Extension[]): bigint | undefined {
  const node = findExtension(extensions, EXTENSION.deltaCRLIndicator)
  return node && readInteger(node, "base CRL number")
}

/** X.509, 9.5.2.8: from when on the list still has certificates that have expired. */
export function readExpiredCertsOnCrl(extensions: readonly Extension[]): Date | undefined {
  const node = findExtension(extensions, EXTENSION.expiredCertsOnCRL)
  return node && readTime(expectTag(node, TAG.generalizedTime, "expiredCertsOnCRL"), "expiredCertsOnCRL")
}

function split(bytes: Uint8Array, start: number, end: number, what: string): readonly Uint8Array[] {
  const whole = scanValue(bytes, start, end)
  if (whole.tag !== TAG.sequence || whole.end !== end) throw new DerError(`${what} is not one sequence`)
  const parts: Uint8Array[] = []
  for (let at = whole.contentStart; at < end; ) {
    // None of the sequences split here has more than seven parts.
    if (parts.length === 7) throw new DerError(`${what} has too many parts`)
    const part = scanValue(bytes, at, end)
    parts.push(bytes.subarray(at, part.end))
    at = part.end
  }
  return parts
}

function readFields(tbs: Uint8Array) {
  const parts = [...split(tbs, 0, tbs.length, "tbsCertList")]
  const next = (...tags: readonly number[]) => (tags.includes(parts[0]?.[0] ?? 0) ? parts.shift() : undefined)
  const version = next(TAG.integer)
  // RFC 5280, 5.1.2.1: if there is a version, it is 2.
  if (version !== undefined && readInteger(readDer(version), "version") !== 1n)
    throw new DerError("an unknown version")
  const algorithm = next(TAG.sequence)
  const issuer = next(TAG.sequence)
  const thisUpdate = next(TAG.utcTime, TAG.generalizedTime)
  if (algorithm === undefined || issuer === undefined || thisUpdate === undefined)
    throw new DerError("a CRL without algorithm, issuer or time")
  const nextUpdate = next(TAG.utcTime, TAG.generalizedTime)
  const revoked = next(TAG.sequence)
  const extensions = next(0xa0)
  if (parts.length > 0) throw new DerError("an unexpected field")
  if (extensions !== undefined && version === undefined) throw new DerError("extensions in version 1")
  checkName(readDer(issuer))
  return {
    algorithm,
    version: version === undefined ? (1 as const) : (2 as const),
    issuer,
    thisUpdate: readTime(readDer(thisUpdate), "thisUpdate"),
    ...(nextUpdate && { nextUpdate: readTime(readDer(nextUpdate), "nextUpdate") }),
    extensions: extensions === undefined ? [] : readExtensions(onlyChild(readDer(extensions))),
    ...scanEntries(revoked),
  }
}

function onlyChild({ children: [child, ...rest] }: DerNode): DerNode | undefined {
  if (rest.length > 0) throw new DerError("extensions of more than one part")
  return child
}

// RFC 5280, 5.1.2.6: userCertificate, revocationDate and extensions. The form of each is checked here, once.
function scanEntries(revoked: Uint8Array | undefined) {
  if (revoked === undefined) return { entries: new Uint8Array(), entryCount: 0, criticalEntryExtensions: [] }
  const entries = revoked.subarray(scanValue(revoked, 0, revoked.length).contentStart)
  const critical = new Set<string>()
  let entryCount = 0
  for (let at = 0; at < entries.length; entryCount++) {
    const entry = scanValue(entries, at, entries.length)
    const serial = scanValue(entries, entry.contentStart, entry.end)
    const date = scanValue(entries, serial.end, entry.end)
    const isTime = date.tag === TAG.utcTime || date.tag === TAG.generalizedTime
    if (entry.tag !== TAG.sequence || serial.tag !== TAG.integer || !isTime)
      throw new DerError("a CRL entry of odd parts")
    if (!isMinimal(entries, serial)) throw new DerError("integer not minimal")
    if (date.end < entry.end) scanEntryExtensions(entries, date.end, entry.end, critical)
    at = entry.end
  }
  return { entries, entryCount, criticalEntryExtensions: [...critical] }
}

// X.690, 8.3.2. An entry is found by the bytes of its serial number, so there must be one way to write it.
function isMinimal(bytes: Uint8Array, { contentStart, end }: { contentStart: number; end: number }): boolean {
  const first = bytes[contentStart] ?? 0
  const second = bytes[contentStart + 1] ?? 0
  if (end - contentStart < 2) return end > contentStart
  return !(first === 0 && second < 0x80) && !(first === 0xff && second >= 0x80)
}

const MAX_CRITICAL_KINDS = 20

function scanEntryExtensions(bytes: Uint8Array, start: number, end: number, critical: Set<string>): void {
  const list = scanValue(bytes, start, end)
  if (list.tag !== TAG.sequence || list.end !== end) throw new DerError("a CRL entry of odd parts")
  for (let at = list.contentStart; at < end; ) {
    const extension = scanValue(bytes, at, end)
    const id = scanValue(bytes, extension.contentStart, extension.end)
    if (scanValue(bytes, id.end, extension.end).tag === TAG.boolean) {
      for (const one of readExtensions(readDer(bytes.subarray(start, end))))
        if (one.critical) critical.add(one.id)
      if (critical.size > MAX_CRITICAL_KINDS) throw new DerError("too many kinds of critical extensions")
      return
    }
    at = extension.end
  }
}

function entryExtensions({ children }: DerNode): readonly Extension[] {
  const [, , extensions, ...rest] = children
  if (rest.length > 0) throw new DerError("a CRL entry of odd parts")
  return extensions === undefined ? [] : readExtensions(extensions)
}

function certificateIssuer(extensions: readonly Extension[]): Uint8Array | undefined {
  const node = findExtension(extensions, EXTENSION.certificateIssuer)
  if (node === undefined) return undefined
  const names = readGeneralNames(expectTag(node, TAG.sequence, "certificate issuer"))
  const directory = names.find((name) => name.form === "directoryName")
  if (directory === undefined) throw new DerError("a certificate issuer without a distinguished name")
  return directory.name
}

// A certificate that is listed is revoked, also where an extension of its entry cannot be read (RFC 5280, 5.3): the list would
// otherwise say nothing, and an older list that does not name the certificate would decide.
function readEntry({ children: [serial, date] }: DerNode, extensions: readonly Extension[]): CrlEntry {
  const read = <T>(id: string, value: (node: DerNode) => T): T | undefined =>
    ifReadable(() => {
      const node = findExtension(extensions, id)
      return node === undefined ? undefined : value(node)
    })
  const invalidSince = read(EXTENSION.invalidityDate, (node) => readTime(node, "invalidity date"))
  return {
    serialNumber: readInteger(serial, "serial number"),
    revokedAt: readTime(date, "revocation date"),
    reason: read(EXTENSION.reasonCode, readReason) ?? "unspecified",
    ...(invalidSince && { invalidSince }),
  }
}

function readReason(code: DerNode): RevocationReason {
  const { content } = expectTag(code, TAG.enumerated, "reason code")
  return readRevocationReason(readInteger({ ...code, tag: TAG.integer, content }, "reason code"))
}
