import { createHash } from "node:crypto"
import type { Kind } from "@paraph/core/signature-request/model"
import { certificateOf, serialOf } from "@paraph/gateways/issuing-ca/world"
import { type CertId, namesIssuer, readOcspRequest } from "@paraph/pki/ocsp"
import { writeOcspError } from "@paraph/pki/ocsp-writer"
import { ifReadable } from "@paraph/pki/optional"
import type { Parts } from "../../parts.ts"

/** One certificate takes about a hundred octets; a nonce and a signature of the asker have room beside it. */
export const MAX_QUESTION_BYTES = 4096

export type Answered = {
  readonly bytes: Uint8Array
  readonly at: Date
  readonly until: Date
  readonly tag: string
}

/** Null for what is no question. */
export function readQuestion(asked: Uint8Array): readonly CertId[] | null {
  if (asked.length === 0 || asked.length > MAX_QUESTION_BYTES) return null
  return ifReadable(() => readOcspRequest(asked))?.certIds ?? null
}

/**
 * What a worker has signed beforehand about the one certificate that is asked about. A nonce is not repeated (RFC 5019, 4), and of
 * what was never issued here, or of several at once, nothing is said: "unauthorized" (RFC 5019, 2.2.3), which needs no key.
 */
export async function answerTo(
  records: Parts["servedRecords"],
  kind: Kind,
  [certId, ...more]: readonly CertId[],
  now: Date,
): Promise<Answered | Uint8Array> {
  const serial = certId === undefined || more.length > 0 ? null : serialOf(certId.serialNumber)
  if (certId === undefined || serial === null) return writeOcspError("unauthorized")
  const issuer = (await records.authorities(kind)).find((row) => {
    const certificate = row.role === "issuing" ? certificateOf(row) : null
    return certificate !== null && namesIssuer(certId, certificate)
  })
  const issued = issuer === undefined ? null : await records.findIssued(issuer.id, serial)
  if (issued?.certificate == null || issued.answer === null) return writeOcspError("unauthorized")
  const { bytes, at, until } = issued.answer
  // Whoever should have signed the next one could not. Of a certificate that has ended, the last word stays.
  if (until < now && issued.notAfter > now) return writeOcspError("tryLater")
  return { bytes, at, until, tag: createHash("sha256").update(bytes).digest("hex").slice(0, 32) }
}
