// What the attributes of a CMS signature hold: time-stamps over its value, and evidence that earlier generations of signers
// put there instead of into the document.

import type { ByteInterval } from "@paraph/pades/byte-interval"
import { type DerNode, expectTag, readDer, TAG } from "@paraph/pki/der"
import { ifReadable, takeOptional } from "@paraph/pki/optional"
import type { Attribute, SignedData, SignerInfo } from "@paraph/pki/signed-data"
import type { Collection } from "./collection.ts"

/** RFC 3161, A: over the signature value. */
const SIGNATURE_TIMESTAMP = "1.2.840.113549.1.9.16.2.14"
/** ISO 32000-2, 12.8.3.3.2: adbe-revocationInfoArchival, a signed attribute. */
const REVOCATION_INFO_ARCHIVAL = "1.2.840.113583.1.1.8"
/** EN 319 122-1, A.1.1.2 and A.1.2.2: certificate-values and revocation-values. */
const CERTIFICATE_VALUES = "1.2.840.113549.1.9.16.2.23"
const REVOCATION_VALUES = "1.2.840.113549.1.9.16.2.24"

const MAX_TIMESTAMPS = 16

/** The tokens, encoded; in the order of the attribute. */
export function signatureTimestamps({ unsignedAttributes }: SignerInfo): readonly Uint8Array[] {
  return valuesOf(unsignedAttributes, SIGNATURE_TIMESTAMP).slice(0, MAX_TIMESTAMPS)
}

/** `location` is that of the CMS in the file; one that stands by itself has none. */
export function embeddedEvidence(
  signedData: SignedData,
  location: ByteInterval | undefined,
  collection: Collection,
): void {
  for (const der of signedData.certificates) collection.certificate(der, location)
  for (const der of signedData.crls) collection.crl(der, location)
  for (const der of signedData.ocspResponses) collection.ocspResponse(der, location)
  for (const { signedAttributeList, unsignedAttributes } of signedData.signerInfos) {
    for (const value of valuesOf(signedAttributeList, REVOCATION_INFO_ARCHIVAL))
      readEach(value, (node) => adobeArchive(node, location, collection))
    for (const value of valuesOf(unsignedAttributes, CERTIFICATE_VALUES))
      readEach(value, (node) => {
        for (const { bytes } of expectTag(node, TAG.sequence, "certificate values").children)
          collection.certificate(bytes, location)
      })
    for (const value of valuesOf(unsignedAttributes, REVOCATION_VALUES))
      readEach(value, (node) => revocationValues(node, location, collection))
  }
}

// RevocationInfoArchival ::= SEQUENCE { crl [0] EXPLICIT SEQUENCE OF CRL, ocsp [1] EXPLICIT SEQUENCE OF OCSPResponse, … }
function adobeArchive(node: DerNode, location: ByteInterval | undefined, collection: Collection): void {
  const fields = [...expectTag(node, TAG.sequence, "revocation archive").children]
  for (const { bytes } of takeOptional(fields, 0xa0)?.children[0]?.children ?? [])
    collection.crl(bytes, location)
  for (const { bytes } of takeOptional(fields, 0xa1)?.children[0]?.children ?? [])
    collection.ocspResponse(bytes, location)
}

// RevocationValues ::= SEQUENCE { crlVals [0] SEQUENCE OF CertificateList, ocspVals [1] SEQUENCE OF BasicOCSPResponse, … }
function revocationValues(node: DerNode, location: ByteInterval | undefined, collection: Collection): void {
  const fields = [...expectTag(node, TAG.sequence, "revocation values").children]
  for (const { bytes } of takeOptional(fields, 0xa0)?.children[0]?.children ?? [])
    collection.crl(bytes, location)
  for (const { bytes } of takeOptional(fields, 0xa1)?.children[0]?.children ?? [])
    collection.basicOcspResponse(bytes, location)
}

function valuesOf(attributes: readonly Attribute[], wanted: string): readonly Uint8Array[] {
  return attributes.filter(({ type }) => type === wanted).flatMap(({ values }) => values)
}

/** What cannot be read is evidence of nothing. */
function readEach(value: Uint8Array, read: (node: DerNode) => void): void {
  ifReadable(() => {
    read(readDer(value, { maxDepth: 64, maxNodes: 200_000 }))
    return true
  })
}
