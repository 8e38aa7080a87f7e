// A company's certificate by somebody else, such as a qualified provider: what we ask, and what we take.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { writeCertificateRequest } from "@paraph/pki/certificate-request"
import { writeKeyUsage, writeName } from "@paraph/pki/certificate-writer"
import { EXTENSION, readBasicConstraints, readKeyUsage } from "@paraph/pki/extensions"
import { attributesOf } from "@paraph/pki/name"
import { findPath } from "@paraph/pki/path"
import { certificatesInPem } from "@paraph/pki/pem"
import type { Keys } from "../keys-pkcs11/keys.ts"
import { IssuingFailed } from "./failed.ts"
import { type Subject, subjectName } from "./subject.ts"

/** PKCS#10, signed by the key itself, which stays in its token. */
export async function requestSeal(
  keys: Pick<Keys, "sign">,
  asked: {
    readonly keyLabel: string
    readonly publicKeySpki: Uint8Array
    readonly subject: Subject
    readonly key: "P-256" | "RSA-3072"
  },
): Promise<Uint8Array> {
  const algorithm = asked.key === "P-256" ? "ecdsa-sha256" : "rsa-sha256"
  return writeCertificateRequest({
    subject: writeName(subjectName(asked.subject)),
    publicKeySpki: asked.publicKeySpki,
    extensions: [
      {
        id: EXTENSION.keyUsage,
        critical: true,
        value: writeKeyUsage(["digitalSignature", "contentCommitment"]),
      },
    ],
    algorithm,
    signBytes: (bytes) => keys.sign(asked.keyLabel, bytes, algorithm),
  })
}

export type InstalledSeal = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date
  readonly notAfter: Date
}

const ORGANIZATION = "2.5.4.10"

/**
 * The certificate and its issuers up to a root, in PEM, the nearest first: about our key and this company, for signatures, valid
 * now, and by a chain that holds. Who issues may add to the name, as a number or a place.
 */
export function readInstalledSeal(
  pem: string,
  expected: { readonly publicKeySpki: Uint8Array; readonly organization: string },
  now: Date,
): InstalledSeal {
  const [certificate, ...issuers] = readPem(pem)
  if (certificate === undefined) throw wrong("There is no certificate in it.")
  if (Buffer.compare(certificate.publicKeySpki, expected.publicKeySpki) !== 0)
    throw wrong("It is about another key than the requested one.")
  if (!attributesOf(certificate.subject, ORGANIZATION).includes(expected.organization))
    throw wrong(`It does not name ${expected.organization}.`)
  if (readBasicConstraints(certificate.extensions)?.ca === true)
    throw wrong("It is an authority's certificate.")
  const usage = readKeyUsage(certificate.extensions) ?? []
  if (!usage.includes("contentCommitment") && !usage.includes("digitalSignature"))
    throw wrong("It is not for signatures.")
  const anchor = issuers.at(-1)
  if (anchor === undefined) throw wrong("Its issuers are missing, up to the root.")
  const found = findPath(certificate, { intermediates: issuers.slice(0, -1), anchors: [anchor], at: now })
  if (!found.valid) throw wrong(`Its chain does not hold: ${found.reason}.`)
  const { der, notBefore, notAfter } = certificate
  return { certificate: der, chain: issuers.map((one) => one.der), notBefore, notAfter }
}

function readPem(pem: string): readonly Certificate[] {
  try {
    return certificatesInPem(pem).map((der) => readCertificate(der))
  } catch (error) {
    throw new IssuingFailed("wrong-answer", "One of the certificates cannot be read.", { cause: error })
  }
}

const wrong = (message: string) => new IssuingFailed("wrong-answer", message)
