// Identification of the signing certificate, cryptographic verification and signature acceptance of one CMS signature
// (EN 319 102-1, 5.2.3, 5.2.7 and 5.2.8), over a document or in a time-stamp.

import type { Certificate } from "@paraph/pki/certificate"
import type { SignedData, SignerInfo } from "@paraph/pki/signed-data"
import { findSigner, type SignerFault, verifySignerInfo } from "@paraph/pki/verify-signer-info"
import type { Context } from "../context.ts"
import type { Digested } from "../material/material.ts"
import { because, failed, indeterminate, type Outcome, PASSED } from "../outcome.ts"
import { type AlgorithmUse, algorithmUse, isReliable, reliability } from "../policy/reliability.ts"

/** The certificate that the signer identifier names, from the CMS or the rest of the evidence. */
export function signingCertificate(
  { certificates }: Pick<Context, "certificates">,
  signedData: SignedData,
  signer: SignerInfo | undefined,
): Certificate | undefined {
  const found = signer && findSigner(signedData, signer, certificates)
  // One object for each certificate: paths and proofs of existence know it by that.
  return found && (certificates.find(({ der }) => Buffer.compare(der, found.der) === 0) ?? found)
}

export type Verified = {
  readonly identified: Outcome
  readonly verified: Outcome
  /** How the ESS attribute names the certificate, or that it does not. */
  readonly namesCertificate: boolean
}

export function verifyMark(
  certificate: Certificate | undefined,
  signer: SignerInfo,
  content: Digested,
  contentType?: string,
): Verified {
  if (certificate === undefined)
    return {
      identified: indeterminate("NO_SIGNING_CERTIFICATE_FOUND", because("no-signing-certificate")),
      verified: PASSED,
      namesCertificate: false,
    }
  if (content === undefined)
    return { identified: PASSED, verified: UNKNOWN_ALGORITHM, namesCertificate: false }
  const verdict = verifySignerInfo(signer, {
    certificate,
    contentDigest: content.digest,
    needsSigningCertificate: false,
    algorithms: "any",
    ...(contentType !== undefined && { contentType }),
  })
  if (verdict.valid)
    return {
      identified: PASSED,
      verified: PASSED,
      namesCertificate: verdict.signingCertificateDigest !== undefined,
    }
  const outcome = FAULTS[verdict.reason]
  const isOfIdentity = outcome.subIndication === "NO_SIGNING_CERTIFICATE_FOUND"
  return {
    identified: isOfIdentity ? outcome : PASSED,
    verified: isOfIdentity ? PASSED : outcome,
    namesCertificate: true,
  }
}

// Whoever knows the algorithm may find the signature right.
const UNKNOWN_ALGORITHM = indeterminate("CRYPTO_CONSTRAINTS_FAILURE_NO_POE", because("algorithm-unknown"))

const FAULTS: Readonly<Record<SignerFault, Outcome>> = {
  certificate: indeterminate("NO_SIGNING_CERTIFICATE_FOUND", because("no-signing-certificate")),
  "signing-certificate": indeterminate("NO_SIGNING_CERTIFICATE_FOUND", because("other-certificate-named")),
  "digest-algorithm": UNKNOWN_ALGORITHM,
  "signature-algorithm": UNKNOWN_ALGORITHM,
  "signed-attributes": indeterminate("SIG_CONSTRAINTS_FAILURE", because("signed-attributes")),
  "content-type": indeterminate("SIG_CONSTRAINTS_FAILURE", because("content-type")),
  "message-digest": failed("HASH_FAILURE", because("document-changed")),
  "algorithm-protection": failed("SIG_CRYPTO_FAILURE", because("algorithms-exchanged")),
  "algorithm-too-weak": UNKNOWN_ALGORITHM,
  signature: failed("SIG_CRYPTO_FAILURE", because("signature-wrong")),
}

export function useOf(signer: SignerInfo, certificate: Certificate, content: Digested): AlgorithmUse {
  const use = algorithmUse(signer.signatureAlgorithm, certificate.publicKeySpki, content?.algorithm)
  return content?.inside === undefined ? use : { ...use, digests: [...use.digests, content.inside] }
}

/** 5.2.8.4.2.1: the algorithms of a signature at a time at which it is proved to have existed. */
export function acceptAlgorithms({ policy }: Context, use: AlgorithmUse, at: Date): Outcome {
  const ends = reliability(use, policy.algorithms)
  if (isReliable(ends, at) || ends.until === "for-now") return PASSED
  const values = { algorithm: ends.what, until: ends.until.toISOString().slice(0, 10) }
  return indeterminate("CRYPTO_CONSTRAINTS_FAILURE_NO_POE", because("signature-weak", values))
}
