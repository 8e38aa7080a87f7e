// The building blocks of one time-stamp token (EN 319 102-1, 5.4; RFC 3161; EN 319 422).

import { createHash } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { digestAlgorithmName } from "@paraph/pki/digest"
import { EXTENSION, readExtendedKeyUsage, readKeyUsage } from "@paraph/pki/extensions"
import { ifReadable } from "@paraph/pki/optional"
import type { SignerInfo } from "@paraph/pki/signed-data"
import type { TimestampToken } from "@paraph/pki/timestamp-token"
import type { Context } from "../context.ts"
import type { Digested } from "../material/material.ts"
import { because, byLevel, failed, indeterminate, type Outcome, PASSED } from "../outcome.ts"
import type { AlgorithmUse } from "../policy/reliability.ts"
import { useOf } from "./cryptographic.ts"

/** RFC 3161, 2.4.2: the token is over these bytes. */
export function checkImprint({ imprint }: TimestampToken, stamped: Digested): Outcome {
  if (stamped === undefined)
    return indeterminate("CRYPTO_CONSTRAINTS_FAILURE_NO_POE", because("algorithm-unknown"))
  return stamped.algorithm === imprint.digestAlgorithm && Buffer.compare(stamped.digest, imprint.digest) === 0
    ? PASSED
    : failed("HASH_FAILURE", because("timestamp-over-other-bytes"))
}

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"

/**
 * RFC 3161, 2.3: the extended key usage is critical and names time-stamping alone. RFC 5280, 4.2.1.3: a key usage, where
 * there is one, allows signatures.
 */
export function checkPurpose(certificate: Certificate | undefined): Outcome {
  if (certificate === undefined || ifReadable(() => isForTimestamps(certificate)) === true) return PASSED
  const values = { certificate: certificate.subjectName }
  return indeterminate("CHAIN_CONSTRAINTS_FAILURE", because("not-for-timestamps", values))
}

function isForTimestamps({ extensions }: Certificate): boolean {
  const purposes = readExtendedKeyUsage(extensions)
  const isCritical = extensions.some(({ id, critical }) => id === EXTENSION.extendedKeyUsage && critical)
  const usages = readKeyUsage(extensions) ?? ["digitalSignature"]
  return (
    isCritical &&
    purposes?.length === 1 &&
    purposes[0] === TIME_STAMPING &&
    usages.some((usage) => usage === "digitalSignature" || usage === "contentCommitment")
  )
}

/** RFC 3161, 2.4.1: the token names its certificate, so that it cannot be taken for one of another certificate of the same key. */
export function checkNaming({ policy: { timestamp } }: Context, namesCertificate: boolean): Outcome {
  return byLevel(timestamp.signingCertificateAttribute, namesCertificate, (reason) =>
    indeterminate("SIG_CONSTRAINTS_FAILURE", reason("timestamp-certificate-not-named")),
  )
}

/** The TSTInfo as the signer hashed it. */
export function contentOf({ signedData }: TimestampToken, signer: SignerInfo): Digested {
  const algorithm = ifReadable(() => digestAlgorithmName(signer.digestAlgorithm))
  if (algorithm === undefined || signedData.content === undefined) return undefined
  return { algorithm, digest: createHash(algorithm).update(signedData.content).digest() }
}

/** With the digest of what was stamped: whoever can make two documents of one digest has both stamped at once. */
export function stampUse(token: TimestampToken, signer: SignerInfo, certificate: Certificate): AlgorithmUse {
  const own = useOf(signer, certificate, contentOf(token, signer))
  const { digestAlgorithm } = token.imprint
  return digestAlgorithm === undefined
    ? own
    : { ...own, digests: [...new Set([...own.digests, digestAlgorithm])] }
}
