// A detached CAdES signature (RFC 5652; EN 319 122-1) as PAdES puts it into a PDF (EN 319 142-1, 6.3).

import { createHash } from "node:crypto"
import type { Certificate } from "./certificate.ts"
import { explicit, implicit, integer, octetString, oid, sequence, setOf } from "./der.ts"
import { encodeSignature, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "./signature-algorithm.ts"

const ID_DATA = oid("1.2.840.113549.1.7.1")
const ID_SIGNED_DATA = oid("1.2.840.113549.1.7.2")
const CONTENT_TYPE = oid("1.2.840.113549.1.9.3")
const MESSAGE_DIGEST = oid("1.2.840.113549.1.9.4")
const SIGNING_CERTIFICATE_V2 = oid("1.2.840.113549.1.9.16.2.47")

/**
 * The SET OF attributes that the key signs (RFC 5652, 5.4: the encoding with the SET tag, not the [0] of SignerInfo).
 * There is no signing-time: EN 319 142-1, 6.3 forbids it, and the time claimed is /M of the PDF.
 */
export function signedAttributes(input: {
  readonly contentDigest: Uint8Array
  readonly certificate: Certificate
}): Uint8Array {
  const attribute = (type: Uint8Array, value: Uint8Array) => sequence(type, setOf(value))
  return setOf(
    attribute(CONTENT_TYPE, ID_DATA),
    attribute(MESSAGE_DIGEST, octetString(input.contentDigest)),
    attribute(SIGNING_CERTIFICATE_V2, signingCertificate(input.certificate)),
  )
}

// RFC 5035, 4: SHA-256 is the default of hashAlgorithm, and DER leaves a default out. issuerSerial is left out too: the
// hash binds the certificate already, and SignerInfo names issuer and serial number.
function signingCertificate({ der }: Certificate): Uint8Array {
  const certHash = createHash("sha256").update(der).digest()
  return sequence(sequence(sequence(octetString(certHash))))
}

/** The whole ContentInfo. Throws when the value was not made over these attributes by the key of the certificate. */
export function signedData(input: {
  readonly signedAttributes: Uint8Array
  readonly signatureValue: Uint8Array
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly algorithm: SignatureAlgorithm
}): Uint8Array {
  const { certificate, algorithm } = input
  const { digestIdentifier, identifier } = SIGNATURE_ALGORITHMS[algorithm]
  const signature = encodeSignature(
    algorithm,
    certificate.publicKeySpki,
    input.signedAttributes,
    input.signatureValue,
  )
  const signerInfo = sequence(
    integer(1),
    sequence(certificate.issuer, integer(certificate.serialNumber)),
    digestIdentifier,
    implicit(0, input.signedAttributes),
    identifier,
    octetString(signature),
  )
  const body = sequence(
    integer(1),
    setOf(digestIdentifier),
    sequence(ID_DATA),
    implicit(0, setOf(...distinct([certificate, ...input.chain]))),
    setOf(signerInfo),
  )
  return sequence(ID_SIGNED_DATA, explicit(0, body))
}

function distinct(certificates: readonly Certificate[]): readonly Uint8Array[] {
  return [...new Map(certificates.map(({ der }) => [Buffer.from(der).toString("latin1"), der])).values()]
}
