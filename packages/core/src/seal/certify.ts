import { Refusal } from "../refusal.ts"
import { sealerName } from "./holder.ts"
import { certificateOf, type IssuedSeal, type Seal, type UsableCertificate } from "./model.ts"
import type { CertifyingParts } from "./ports.ts"

const YEAR_MS = 365 * 86_400_000

/**
 * A key pair in the token of the kind and a certificate of the service's authority for it, each on record before the next
 * begins. To be done by one at a time: a token would make two keys of one label.
 */
export async function certifySeal(parts: CertifyingParts, seal: Seal, now: Date): Promise<UsableCertificate> {
  if (seal.issuer !== "service")
    throw new Refusal("part-down", "The certificate of this seal is the operator's to install.", {
      lacks: "keys",
    })
  const { kind } = seal
  const begun = await begin(parts, seal, now)
  const publicKeySpki = await parts.sealKey(kind, begun.keyLabel, seal.key)
  const { certificate, chain } = await parts.issueCertificate(
    {
      id: `seal ${begun.id}`,
      kind,
      subject: subjectOf(seal),
      keyLabel: begun.keyLabel,
      publicKeySpki,
      notAfter: new Date(now.getTime() + YEAR_MS),
      nameProof: null,
    },
    now,
  )
  const issued: IssuedSeal = { certificate, chain, ...parts.validityOf(certificate) }
  await parts.completeCertificate(begun.id, issued)
  return { ...begun, issued }
}

/** The next generation, on record, or the one that was begun and has no certificate yet. */
export function begin(parts: Pick<CertifyingParts, "beginCertificate" | "newId">, seal: Seal, at: Date) {
  const id = parts.newId()
  // With a piece of its id: a token may still hold the keys of a database that is no more.
  return parts.beginCertificate(seal, { id, keyLabel: `paraph-seal-${id}`, at })
}

/** EN 319 412-3, 4.2.1: country, organisation, its number, and the name by which it is known. */
export const subjectOf = ({ kind, holder }: Pick<Seal, "kind" | "holder">) => ({
  commonName: sealerName(kind, holder),
  givenName: null,
  surname: null,
  organization: holder.organization,
  country: holder.country,
  serialNumber: holder.identifier,
})

/** Whether the newest certificate ends within so many days, or has ended: somebody has to act. */
export function isDue(seal: Seal, days: number, now: Date): boolean {
  const newest = certificateOf(seal, now)
  if (newest === null) return seal.certificates.length > 0
  return newest.issued.notAfter.getTime() - days * 86_400_000 <= now.getTime()
}
