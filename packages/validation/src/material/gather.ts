// Reads what a PDF brings along: signatures, time-stamps, certificates and answers. The file is read once for all digests.

import { createHash } from "node:crypto"
import type { ByteInterval } from "@paraph/pades/byte-interval"
import { digestRanges } from "@paraph/pades/digest-ranges"
import type { Pdf } from "@paraph/pades/document"
import { describeFormat } from "@paraph/pades/format"
import { readRevisions } from "@paraph/pades/revisions"
import { type PdfSignature, readSignatures } from "@paraph/pades/signatures"
import { readStoredEvidence } from "@paraph/pades/stored-evidence"
import { type DigestName, digestAlgorithmName } from "@paraph/pki/digest"
import { ifReadable } from "@paraph/pki/optional"
import { readSignedData, type SignedData } from "@paraph/pki/signed-data"
import { readTimestampToken, type TimestampToken } from "@paraph/pki/timestamp-token"
import { embeddedEvidence, signatureTimestamps } from "./attributes.ts"
import { type Collection, createCollection } from "./collection.ts"
import type { Digested, Evidence, Mark, Material, Stamp } from "./material.ts"

/** Throws `PdfRefused` for a file that cannot be read; whatever is wrong with a signature is in the material. Evidence goes into the collection. */
export function gather(pdf: Pdf, collection: Collection): Omit<Material, "evidence"> {
  const found = readSignatures(pdf).toSorted((a, b) => coveredUpTo(a) - coveredUpTo(b))
  const stored = readStoredEvidence(pdf, readRevisions(pdf))
  for (const { der, interval } of stored.certificates) collection.certificate(der, interval)
  for (const { der, interval } of stored.ocspResponses) collection.ocspResponse(der, interval)
  for (const { der, interval } of stored.crls) collection.crl(der, interval)

  const read = found.map(readContents)
  const digests = digestAll(pdf, read)
  const signatures: Mark[] = []
  const timestamps: Stamp[] = []
  for (const [i, { pdf: signature, signedData, token }] of read.entries()) {
    const location = signature.hole
    if (signedData !== undefined) embeddedEvidence(signedData, location, collection)
    if (signature.type === "document-timestamp")
      timestamps.push({ type: "document", pdf: signature, token, stamped: digests[i] })
    else signatures.push(markOf(signature, signedData, digests[i], location, collection))
  }
  return { format: describeFormat(pdf), signatures, timestamps }
}

function markOf(
  pdf: PdfSignature,
  signedData: SignedData | undefined,
  content: Digested,
  location: ByteInterval | undefined,
  collection: Collection,
): Mark {
  if (signedData === undefined) return { pdf, cms: undefined, stamps: [] }
  const signer = signedData.signerInfos.length === 1 ? signedData.signerInfos[0] : undefined
  const stamps = signer === undefined ? [] : signatureTimestamps(signer)
  return {
    pdf,
    cms: { signedData, signer, content: signedContent(pdf, signedData, content) },
    stamps: stamps.map((der) => {
      const token = ifReadable(() => readTimestampToken(der))
      if (token !== undefined) embeddedEvidence(token.signedData, location, collection)
      return { type: "signature", token, stamped: token && hashed(token, signer?.signature) }
    }),
  }
}

function hashed({ imprint }: TimestampToken, value: Uint8Array | undefined): Digested {
  const algorithm = imprint.digestAlgorithm
  if (value === undefined || algorithm === undefined) return undefined
  return { algorithm, digest: createHash(algorithm).update(value).digest() }
}

/** ISO 32000-2, 12.8.3.3.1, deprecated: the content is a SHA-1 digest of the document, and what is signed is that. */
const DIGEST_INSIDE = "adbe.pkcs7.sha1"

function signedContent(pdf: PdfSignature, signedData: SignedData, document: Digested): Digested {
  if (pdf.subFilter !== DIGEST_INSIDE || document === undefined) return document
  const algorithm = contentDigest(signedData)
  const { content = new Uint8Array() } = signedData
  if (algorithm === undefined) return undefined
  // A content that is not the digest of this document is signed for another one.
  const signed = Buffer.compare(content, document.digest) === 0 ? content : document.digest
  return { algorithm, digest: createHash(algorithm).update(signed).digest(), inside: document.algorithm }
}

/** With a collection of its own, for whoever only wants to look. */
export function gatherMaterial(pdf: Pdf): {
  readonly material: Omit<Material, "evidence">
  readonly evidence: Evidence
} {
  const collection = createCollection()
  const material = gather(pdf, collection)
  return { material, evidence: collection.evidence() }
}

type Contents = {
  readonly pdf: PdfSignature
  readonly signedData: SignedData | undefined
  readonly token: TimestampToken | undefined
}

function readContents(pdf: PdfSignature): Contents {
  const { contents } = pdf
  if (contents === undefined) return { pdf, signedData: undefined, token: undefined }
  const token = pdf.type === "document-timestamp" ? ifReadable(() => readTimestampToken(contents)) : undefined
  const signedData =
    token?.signedData ??
    (pdf.type === "document-timestamp" ? undefined : ifReadable(() => readSignedData(contents)))
  return { pdf, signedData, token }
}

/** The digests of all byte ranges that are sound, each by the algorithm that its signer names. */
function digestAll(pdf: Pdf, read: readonly Contents[]): readonly Digested[] {
  const wanted = read.map(({ pdf: { byteRange, fault, subFilter }, signedData, token }) => {
    const isDigestInside = subFilter === DIGEST_INSIDE
    const isSound = byteRange !== undefined && (fault === undefined || fault === "contents-padding")
    const algorithm = isDigestInside ? "sha1" : (token?.imprint.digestAlgorithm ?? contentDigest(signedData))
    return isSound && algorithm !== undefined ? { byteRange, algorithm } : undefined
  })
  const found: Digested[] = read.map(() => undefined)
  for (const algorithm of new Set(wanted.flatMap((one) => one?.algorithm ?? []))) {
    const places = wanted.flatMap((one, i) =>
      one?.algorithm === algorithm ? [[i, one.byteRange] as const] : [],
    )
    const digests = digestRanges(
      pdf.source,
      places.map(([, byteRange]) => byteRange),
      algorithm,
    )
    for (const [k, [i]] of places.entries()) {
      const digest = digests[k]
      if (digest !== undefined) found[i] = { algorithm, digest }
    }
  }
  return found
}

function contentDigest(signedData: SignedData | undefined): DigestName | undefined {
  const [signer, ...others] = signedData?.signerInfos ?? []
  if (signer === undefined || others.length > 0) return undefined
  return ifReadable(() => digestAlgorithmName(signer.digestAlgorithm))
}

function coveredUpTo({ byteRange }: PdfSignature): number {
  return byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
}
