// Asks somebody else for a certificate (PKCS#10, RFC 2986). The key stays behind `signBytes`, and signs to show that it is there.

import {
  encodeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from "../algorithm/signature-algorithm.ts"
import { bitString, implicit, integer, oid, sequence, setOf } from "../der/der-writer.ts"
import { writeExtension } from "./certificate-writer.ts"
import type { Extension } from "./extension.ts"

export type CertificateRequestOrder = {
  /** The encoded name; see `writeName`. */
  readonly subject: Uint8Array
  readonly publicKeySpki: Uint8Array
  /** What is wished for in the certificate; whoever issues it decides. */
  readonly extensions?: readonly Extension[]
  readonly algorithm: SignatureAlgorithm
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

// RFC 2985, 5.4.2.
const EXTENSION_REQUEST = "1.2.840.113549.1.9.14"

/** A CertificationRequest. Throws when `signBytes` does not sign with the key that it is about. */
export async function writeCertificateRequest(order: CertificateRequestOrder): Promise<Uint8Array> {
  const { algorithm, extensions = [] } = order
  const wished = sequence(oid(EXTENSION_REQUEST), setOf(sequence(...extensions.map(writeExtension))))
  const info = sequence(
    integer(0),
    order.subject,
    order.publicKeySpki,
    // RFC 2986, 4.1: the set of attributes is there even where it is empty.
    implicit(0, setOf(...(extensions.length === 0 ? [] : [wished]))),
  )
  const signature = encodeSignature(algorithm, order.publicKeySpki, info, await order.signBytes(info))
  return sequence(info, SIGNATURE_ALGORITHMS[algorithm].identifier, bitString(signature))
}
