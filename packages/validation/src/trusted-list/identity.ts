// Whom a certificate is of: a name and a key, each as a digest, so that they can be compared and found quickly.

import { createHash } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { nameKey } from "@paraph/pki/name"

export type Identity = {
  /** SHA-256 of the prepared subject, and of the key, hexadecimal. */
  readonly subject: string
  readonly key: string
}

// The certificates of a path are asked about again and again while one document is judged.
const known = new WeakMap<Certificate, Identity>()

export function identityOf(certificate: Certificate): Identity {
  const before = known.get(certificate)
  if (before !== undefined) return before
  const key = createHash("sha256").update(certificate.publicKeySpki).digest("hex")
  const identity = { subject: subjectKey(certificate.subject), key }
  known.set(certificate, identity)
  return identity
}

export function isSame(one: Identity, other: Identity): boolean {
  return one.key === other.key && one.subject === other.subject
}

export function subjectKey(name: Uint8Array): string {
  return createHash("sha256").update(nameKey(name)).digest("hex")
}
