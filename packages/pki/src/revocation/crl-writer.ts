// Issues X.509 version 2 CRLs (RFC 5280, 5). The key stays behind `signBytes`, as in certificate-writer.ts.

import {
  encodeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from "../algorithm/signature-algorithm.ts"
import { writeExtension } from "../certificate/certificate-writer.ts"
import type { Extension } from "../certificate/extension.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { TAG } from "../der/der.ts"
import {
  bitString,
  explicit,
  implicit,
  integer,
  octetString,
  sequence,
  time,
  writeTagged,
} from "../der/der-writer.ts"
import { REVOCATION_REASONS, type RevocationReason } from "./revocation-reason.ts"

export type CrlOrder = {
  /** The encoded name: the bytes of the issuer's own subject. */
  readonly issuer: Uint8Array
  readonly thisUpdate: Date
  readonly nextUpdate: Date
  readonly crlNumber: bigint
  /** The issuer's subjectKeyIdentifier. */
  readonly authorityKeyIdentifier?: Uint8Array
  readonly entries: readonly {
    readonly serialNumber: bigint
    readonly revokedAt: Date
    /** RFC 5280, 5.3.1: unspecified is left out. */
    readonly reason?: RevocationReason
    readonly otherExtensions?: readonly Extension[]
  }[]
  /** Whatever else, as encoded: an issuing distribution point, a delta CRL indicator. */
  readonly otherExtensions?: readonly Extension[]
  readonly algorithm: SignatureAlgorithm
  /** The issuer's key, to check what `signBytes` gave. */
  readonly issuerPublicKeySpki: Uint8Array
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

export async function issueCrl(order: CrlOrder): Promise<Uint8Array> {
  const { identifier } = SIGNATURE_ALGORITHMS[order.algorithm]
  const entries = order.entries.map(writeEntry)
  const tbs = sequence(
    integer(1),
    identifier,
    order.issuer,
    time(order.thisUpdate),
    time(order.nextUpdate),
    // RFC 5280, 5.1.2.6: when nothing is revoked, the list is absent.
    ...(entries.length > 0 ? [sequence(Buffer.concat(entries))] : []),
    explicit(0, sequence(...extensions(order).map(writeExtension))),
  )
  const value = await order.signBytes(tbs)
  const signature = encodeSignature(order.algorithm, order.issuerPublicKeySpki, tbs, value)
  return sequence(tbs, identifier, bitString(signature))
}

function extensions({ authorityKeyIdentifier, crlNumber, otherExtensions = [] }: CrlOrder): Extension[] {
  const plain = (id: string, value: Uint8Array) => ({ id, critical: false, value })
  const key = authorityKeyIdentifier && sequence(implicit(0, octetString(authorityKeyIdentifier)))
  return [
    ...(key ? [plain(EXTENSION.authorityKeyIdentifier, key)] : []),
    plain(EXTENSION.cRLNumber, integer(crlNumber)),
    ...otherExtensions,
  ]
}

function writeEntry({ serialNumber, revokedAt, reason, otherExtensions = [] }: CrlOrder["entries"][number]) {
  const given = [...otherExtensions]
  if (reason !== undefined && reason !== "unspecified")
    given.unshift({ id: EXTENSION.reasonCode, critical: false, value: writeReason(reason) })
  const parts = given.length > 0 ? [sequence(...given.map(writeExtension))] : []
  return sequence(integer(serialNumber), time(revokedAt), ...parts)
}

function writeReason(reason: RevocationReason): Uint8Array {
  return writeTagged(TAG.enumerated, Uint8Array.of(REVOCATION_REASONS[reason]))
}
