// X.509 certificate validation (EN 319 102-1, 5.2.6). What is wrong with a chain is a list of issues; each process says
// which of them its proofs of existence take away.

import type { Certificate } from "@paraph/pki/certificate"
import { EXTENSION, readExtendedKeyUsage, readKeyUsage } from "@paraph/pki/extensions"
import { ifReadable } from "@paraph/pki/optional"
import { type CertificatePath, validatePath } from "@paraph/pki/path-validation"
import { type Context, type Purpose, pathsOf } from "../context.ts"
import { indeterminate, type Outcome } from "../outcome.ts"
import type { Reason } from "../report.ts"
import { type Found, judgeCertificate, NEEDS_NO_REVOCATION, shown } from "./certificate.ts"
import { byWeight, type ChainIssue, issueOf } from "./chain-issue.ts"

export type JudgedChain = {
  readonly path: CertificatePath | undefined
  /** The weightiest first; none: the chain is good at the time of validation. */
  readonly issues: readonly ChainIssue[]
  readonly notes: readonly Reason[]
}

/** The first chain without issues, else the first of those that a proof of existence may mend. */
export function judgeChain(
  context: Context,
  certificate: Certificate,
  purpose: Purpose,
  usedAt: Date = context.now,
): JudgedChain {
  let best: JudgedChain | undefined
  for (const path of pathsOf(context, certificate, purpose)) {
    const judged = judgePath(context, path, purpose, usedAt)
    if (judged.issues.length === 0) return judged
    if (best === undefined || (isHopeless(best) && !isHopeless(judged))) best = judged
  }
  return best ?? NO_CHAIN
}

const NO_CHAIN: JudgedChain = {
  path: undefined,
  issues: [issueOf("general", "NO_CERTIFICATE_CHAIN_FOUND", 0, ["no-chain"])],
  notes: [],
}

function isHopeless({ issues }: JudgedChain): boolean {
  return issues.some(({ kind }) => kind === "general")
}

/** What the weightiest issue says. */
export function chainOutcome(chain: JudgedChain | undefined): Outcome {
  const { issues, notes } = chain ?? { issues: [], notes: [] }
  const [worst] = issues
  if (worst !== undefined) return indeterminate(worst.subIndication, worst.reason, ...notes)
  return { indication: "PASSED", reasons: notes }
}

function judgePath(context: Context, path: CertificatePath, purpose: Purpose, usedAt: Date): JudgedChain {
  const { certificates } = path
  const structure = validatePath(path, {
    at: "any-time",
    algorithms: "any",
    knownExtensions: NEEDS_NO_REVOCATION,
  })
  if (!structure.valid) {
    const why = { reason: structure.reason, certificate: shown(certificates[structure.at]) }
    const issue = issueOf("general", "CERTIFICATE_CHAIN_GENERAL_FAILURE", structure.at, [
      "chain-invalid",
      why,
    ])
    return { path, issues: [issue], notes: [] }
  }
  const found = [
    ...certificates.map((_, position) => judgeCertificate(context, path, position, purpose, usedAt)),
    keyUsage(context, certificates, purpose),
  ]
  return {
    path,
    issues: found.flatMap(({ issues }) => issues).toSorted(byWeight),
    notes: found.flatMap(({ notes }) => notes),
  }
}

function keyUsage({ policy }: Context, certificates: readonly Certificate[], purpose: Purpose): Found {
  const certificate = certificates.at(-1)
  const level = policy.signature.keyUsage
  if (certificate === undefined || purpose !== "signature" || level === "ignore") return NOTHING
  if (ifReadable(() => isForSignatures(certificate) && isForDocuments(certificate)) === true) return NOTHING
  const why = ["key-usage", { certificate: shown(certificate) }] as const
  const issue = issueOf("general", "CHAIN_CONSTRAINTS_FAILURE", certificates.length - 1, why)
  return level === "fail"
    ? { issues: [issue], notes: [] }
    : { issues: [], notes: [{ ...issue.reason, weight: "note" }] }
}

function isForSignatures({ extensions }: Certificate): boolean {
  const usages = readKeyUsage(extensions) ?? ["contentCommitment"]
  return usages.some((one) => one === "contentCommitment" || one === "digitalSignature")
}

/** Purposes that certificates of signers have, also those from before RFC 9336. */
const DOCUMENT_PURPOSES = new Set([
  // anyExtendedKeyUsage
  "2.5.29.37.0",
  // id-kp-documentSigning (RFC 9336)
  "1.3.6.1.5.5.7.3.36",
  // id-kp-emailProtection and id-kp-clientAuth
  "1.3.6.1.5.5.7.3.4",
  "1.3.6.1.5.5.7.3.2",
  // Adobe: authentic documents
  "1.2.840.113583.1.1.5",
  // Microsoft: document signing
  "1.3.6.1.4.1.311.10.3.12",
])

/** RFC 5280, 4.2.1.12: a critical extended key usage limits the key to the purposes that it names. */
function isForDocuments({ extensions }: Certificate): boolean {
  const isCritical = extensions.some(({ id, critical }) => id === EXTENSION.extendedKeyUsage && critical)
  if (!isCritical) return true
  return (readExtendedKeyUsage(extensions) ?? []).some((purpose) => DOCUMENT_PURPOSES.has(purpose))
}

const NOTHING: Found = { issues: [], notes: [] }
