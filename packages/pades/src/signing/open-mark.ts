// The CMS in a signature (EN 319 142-1, 5): who signed, what it brought along, and whether it is right. Without the
// bytes that it covers, nothing of it proves anything.

import { createHash } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { SIGNATURE_TIMESTAMP_TOKEN } from "@paraph/pki/cms"
import { DerError, readDer } from "@paraph/pki/der"
import { type DigestName, digestAlgorithmName } from "@paraph/pki/digest"
import { readSignedData, type SignedData, type SignerInfo } from "@paraph/pki/signed-data"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import { findSigner, type SignerFault, verifySignerInfo } from "@paraph/pki/verify-signer-info"
import type { PdfSignature } from "../signed/signatures.ts"
import { checkToken, TimestampRefused, type ValidTimestamp } from "./timestamp.ts"

export type MarkRefusedCode = "missing" | "unreadable" | "coverage" | SignerFault

/** A signature of the document that is not right, so that raising it would only preserve the fault. */
export class MarkRefused extends Error {
  readonly code: MarkRefusedCode
  readonly fieldName: string
  constructor(code: MarkRefusedCode, fieldName: string, options?: ErrorOptions) {
    super(`The signature in ${fieldName} is not right: ${code}.`, options)
    this.name = "MarkRefused"
    this.code = code
    this.fieldName = fieldName
  }
}

export type Mark = {
  readonly signature: PdfSignature
  readonly byteRange: NonNullable<PdfSignature["byteRange"]>
  readonly digest: DigestName
  readonly signedData: SignedData
  readonly info: SignerInfo
  readonly signer: Certificate
}

/** Throws `MarkRefused` for a mark that cannot be understood; `checkMark` says if it is right. */
export function openMark(signature: PdfSignature, others: readonly Certificate[]): Mark {
  const { byteRange, contents, fault, coverage, fieldName } = signature
  if (byteRange === undefined || contents === undefined || fault !== undefined)
    throw new MarkRefused("unreadable", fieldName)
  if (coverage !== "whole-file" && coverage !== "whole-revision") throw new MarkRefused("coverage", fieldName)
  return understood(fieldName, () => {
    const signedData = readSignedData(contents)
    // EN 319 142-1, 4.1: one signer, no more.
    const [info, ...more] = signedData.signerInfos
    const digest = info && digestAlgorithmName(info.digestAlgorithm)
    const signer = info && findSigner(signedData, info, others)
    if (info === undefined || more.length > 0) throw new MarkRefused("unreadable", fieldName)
    if (digest === undefined) throw new MarkRefused("digest-algorithm", fieldName)
    if (signer === undefined) throw new MarkRefused("certificate", fieldName)
    return { signature, byteRange, digest, signedData, info, signer }
  })
}

/** `contentDigest` is that of the byte range. */
export function checkMark({ signature, info, signer }: Mark, contentDigest: Uint8Array): void {
  const needsSigningCertificate = signature.subFilter === "ETSI.CAdES.detached"
  const verdict = verifySignerInfo(info, { certificate: signer, contentDigest, needsSigningCertificate })
  if (!verdict.valid) throw new MarkRefused(verdict.reason, signature.fieldName)
}

/** The time-stamps over the value that are right; a wrong one proves nothing, and counts as if it were not there. */
export function signatureStamps(
  { info }: Mark,
  certificates: readonly Uint8Array[],
): readonly ValidTimestamp[] {
  const tokens = info.unsignedAttributes
    .filter(({ type }) => type === SIGNATURE_TIMESTAMP_TOKEN)
    .flatMap(({ values }) => values)
  return tokens.flatMap((token) =>
    validStamp(token, certificates, (digest) => createHash(digest).update(info.signature).digest()),
  )
}

export function validStamp(
  token: Uint8Array,
  certificates: readonly Uint8Array[],
  digestBy: (digest: DigestName) => Uint8Array,
): readonly ValidTimestamp[] {
  try {
    const { digestAlgorithm } = readTimestampToken(token).imprint
    if (digestAlgorithm === undefined) return []
    return [checkToken(token, { digest: digestBy(digestAlgorithm), digestAlgorithm }, { certificates })]
  } catch (error) {
    if (error instanceof TimestampRefused || error instanceof DerError) return []
    throw error
  }
}

// Before PAdES, Acrobat put revocation information into a signed attribute.
const ADBE_REVOCATION_INFO = "1.2.840.113583.1.1.8"

export type Embedded = { readonly crls: readonly Uint8Array[]; readonly ocspResponses: readonly Uint8Array[] }

/** Revocation answers inside the mark, DER: those that the signer signed, and those that anybody could have put there. */
export function embeddedEvidence({ signedData, info, signature }: Mark): {
  readonly signed: Embedded
  readonly unsigned: Embedded
} {
  const attributes = info.signedAttributeList.filter(({ type }) => type === ADBE_REVOCATION_INFO)
  const parts = understood(signature.fieldName, () =>
    attributes.flatMap(({ values }) => values.flatMap((value) => readDer(value, LIMITS).children)),
  )
  const under = (tag: number) =>
    parts
      .filter((part) => part.tag === tag)
      .flatMap((part) => part.children[0]?.children.map(({ bytes }) => bytes) ?? [])
  return { signed: { crls: under(0xa0), ocspResponses: under(0xa1) }, unsigned: signedData }
}

// Lists of an authority may be inside.
const LIMITS = { maxDepth: 32, maxNodes: 200_000 }

function understood<T>(fieldName: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new MarkRefused("unreadable", fieldName, { cause: error })
  }
}
