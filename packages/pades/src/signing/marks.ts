// The marks of a document, opened: who signed, who time-stamped, and since when each of them is proved to have existed
// (EN 319 102-1, 5.6.2). Nothing here says that a signature is right.

import { createHash } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { SIGNATURE_TIMESTAMP_TOKEN } from "@paraph/pki/cms"
import { DerError } from "@paraph/pki/der"
import { readableCertificates } from "@paraph/pki/readable-certificates"
import { readSignedData } from "@paraph/pki/signed-data"
import { readTimestampToken, type TimestampToken } from "@paraph/pki/timestamp-token"
import type { ValidationTarget } from "@paraph/pki/validation-data"
import { findSigner } from "@paraph/pki/verify-signer-info"
import { PdfRefused } from "../refused.ts"
import { type PdfSignature, readSignatures } from "../signed/signatures.ts"
import type { Pdf } from "../structure/document.ts"
import { checkToken } from "./timestamp.ts"

export type Marks = {
  /** Whoever signed or time-stamped, and when, as far as a later time-stamp proves it. */
  readonly targets: readonly ValidationTarget[]
  /** DER, each; whatever the marks brought along. */
  readonly certificates: readonly Uint8Array[]
  /** Some signature has neither a time-stamp of its own nor a later one over the document. */
  readonly lacksTimestamp: boolean
}

type Stamp = { readonly token: TimestampToken; readonly end: number }

export function readMarks(pdf: Pdf, now: Date, others: readonly Uint8Array[]): Marks {
  const signatures = readSignatures(pdf)
  if (signatures.length === 0) throw new TypeError("The document has no signature.")
  const stamps = signatures.filter(({ type }) => type === "document-timestamp").map(documentStamp)
  const certificates: Uint8Array[] = stamps.flatMap(({ token }) => token.signedData.certificates)
  const targets: ValidationTarget[] = []
  let lacksTimestamp = false
  const provedAt = (end: number) => earliest(stamps.filter((stamp) => stamp.end > end).map(timeOf))

  for (const signature of signatures.filter(({ type }) => type !== "document-timestamp")) {
    const end = endOf(signature)
    const { signedData, signer, tokens } = openMark(signature, others)
    const later = provedAt(end)
    const at = earliest([...tokens.map(({ genTime }) => genTime), ...(later === undefined ? [] : [later])])
    lacksTimestamp ||= at === undefined
    targets.push({ certificate: signer, at: at ?? now })
    for (const token of tokens) targets.push({ certificate: authorityOf(token, others), at: later ?? now })
    certificates.push(...signedData.certificates, ...tokens.flatMap((one) => one.signedData.certificates))
  }
  for (const { token, end } of stamps)
    targets.push({ certificate: authorityOf(token, others), at: provedAt(end) ?? now })
  return { targets, certificates, lacksTimestamp }
}

function openMark(signature: PdfSignature, others: readonly Uint8Array[]) {
  const signedData = readable(() => readSignedData(contentsOf(signature)))
  const [info] = signedData.signerInfos
  const signer = info && findSigner(signedData, info, readableCertificates(others))
  if (info === undefined || signer === undefined)
    throw unreadable("A signature does not bring the certificate of its signer.")
  const values = info.unsignedAttributes
    .filter(({ type }) => type === SIGNATURE_TIMESTAMP_TOKEN)
    .flatMap(({ values }) => values)
  const tokens = values.map((value) => {
    const token = readable(() => readTimestampToken(value))
    const digestAlgorithm = token.imprint.digestAlgorithm
    if (digestAlgorithm === undefined) throw unreadable("A time-stamp has an unknown digest.")
    checkToken(value, {
      digest: createHash(digestAlgorithm).update(info.signature).digest(),
      digestAlgorithm,
    })
    return token
  })
  return { signedData, signer, tokens }
}

function documentStamp(signature: PdfSignature): Stamp {
  return { token: readable(() => readTimestampToken(contentsOf(signature))), end: endOf(signature) }
}

function authorityOf({ signedData }: TimestampToken, others: readonly Uint8Array[]): Certificate {
  const [info] = signedData.signerInfos
  const found = info && findSigner(signedData, info, readableCertificates(others))
  if (found === undefined) throw unreadable("A time-stamp does not bring the certificate of its authority.")
  return found
}

function contentsOf({ contents, fieldName, fault }: PdfSignature): Uint8Array {
  if (contents === undefined || fault !== undefined)
    throw unreadable(`The signature in ${fieldName} cannot be read: ${fault ?? "it is empty"}.`)
  return contents
}

function endOf({ byteRange }: PdfSignature): number {
  return byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
}

function timeOf({ token }: Stamp): Date {
  return token.genTime
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0]
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new PdfRefused("corrupt", `A signature cannot be read: ${error.message}.`, { cause: error })
  }
}

function unreadable(detail: string): PdfRefused {
  return new PdfRefused("corrupt", detail)
}
