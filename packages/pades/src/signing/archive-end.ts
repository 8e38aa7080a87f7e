// Until when the newest time-stamp over a document proves something by itself: before that it has to be renewed.

import { readableCertificates } from "@paraph/pki/readable-certificates"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import { findSigner } from "@paraph/pki/verify-signer-info"
import { readSecurityStore } from "../signed/security-store.ts"
import { type PdfSignature, readSignatures } from "../signed/signatures.ts"
import type { Source } from "../source.ts"
import { openPdf } from "../structure/document.ts"

/** The end of the certificate that stamped last; null where nobody has stamped the document. */
export function archiveEndsAt(document: Source): Date | null {
  const pdf = openPdf(document)
  const stamps = readSignatures(pdf).filter(({ type }) => type === "document-timestamp")
  const newest = stamps.toSorted((one, other) => end(other) - end(one))[0]
  if (newest?.contents === undefined) return null
  const { signedData } = readTimestampToken(newest.contents)
  const [info] = signedData.signerInfos
  const known = readableCertificates(readSecurityStore(pdf).certificates.map(({ der }) => der))
  return (info && findSigner(signedData, info, known)?.notAfter) ?? null
}

const end = ({ byteRange: [, , start, length] = NOTHING }: PdfSignature): number => start + length

const NOTHING = [0, 0, 0, 0] as const
