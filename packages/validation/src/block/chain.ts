// X.509 certificate validation (EN 319 102-1, 5.2.6). What is wrong with a chain is a list of issues; each process says
// which of them its proofs of existence take away.

import type { Certificate } from "@paraph/pki/certificate"
import { readKeyUsage } from "@paraph/pki/extensions"
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
  const usages = ifReadable(() => readKeyUsage(certificate.extensions) ?? ["contentCommitment" as const])
  if (usages?.some((one) => one === "contentCommitment" || one === "digitalSignature")) return NOTHING
  const why = ["key-usage", { certificate: shown(certificate) }] as const
  const issue = issueOf("general", "CHAIN_CONSTRAINTS_FAILURE", certificates.length - 1, why)
  return level === "fail"
    ? { issues: [issue], notes: [] }
    : { issues: [], notes: [{ ...issue.reason, weight: "note" }] }
}

const NOTHING: Found = { issues: [], notes: [] }
