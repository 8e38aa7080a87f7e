import { createHash } from "node:crypto"
import { writeName } from "@paraph/pki/certificate-writer"
import type { NameProofStatement } from "@paraph/pki/name-proof"
import { IssuingFailed } from "./failed.ts"
import { issueOnRecord } from "./issue.ts"
import type { Kind } from "./records.ts"
import { type Subject, subjectName } from "./subject.ts"
import { type AuthorityWorld, activate, chainFrom, newest } from "./world.ts"

/** The shape of core's `CertificateOrder`. */
export type CertificateOrder = {
  readonly id: string
  readonly kind: Kind
  readonly subject: Subject
  readonly keyLabel: string
  readonly publicKeySpki: Uint8Array
  readonly notAfter: Date
  readonly nameProof: NameProofStatement | null
}

export type IssuedCertificate = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
}

export type IssueCertificate = (order: CertificateOrder, now: Date) => Promise<IssuedCertificate>

/**
 * The authority whose key lies in the token of the kind. Its certificates are not qualified, and have no statement that
 * could be taken for that (EN 319 412-5): what they are worth is what the operator's policy says.
 */
export function createBuiltInAuthority(world: AuthorityWorld): IssueCertificate {
  return async (order, now) => {
    const subject = writeName(subjectName(order.subject))
    const rows = await world.records.authorities(order.kind)
    const row = newest(rows, "issuing", now)
    const issuing = row && activate(world, row)
    if (!issuing)
      throw new IssuingFailed("no-authority", `There is no ${order.kind} authority that can issue.`)
    const draft = {
      kind: order.kind,
      orderId: order.id,
      orderHash: hashOf(order, subject),
      subject,
      publicKeySpki: order.publicKeySpki,
      notAfter: order.notAfter,
      basicConstraints: { ca: false },
      // EN 319 412-2, 4.3.2, type B: somebody stands to a content; many validators look for the other one.
      keyUsage: ["digitalSignature", "contentCommitment"],
      ...(world.policies.length > 0 && { certificatePolicies: world.policies }),
      ...(order.nameProof !== null && { nameProof: order.nameProof }),
    } as const
    const { certificate, issuer } = await issueOnRecord(world, rows, issuing, draft, now)
    return { certificate, chain: chainFrom(rows, issuer) }
  }
}

/** Who, and which key. Until when is no part of it: whoever asks again asks later. */
function hashOf({ keyLabel, publicKeySpki }: CertificateOrder, subject: Uint8Array): Uint8Array {
  const digest = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex")
  return createHash("sha256").update([keyLabel, publicKeySpki, subject].map(digest).join(" ")).digest()
}
