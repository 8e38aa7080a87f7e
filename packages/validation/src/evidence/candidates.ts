// Which OCSP responses or CRLs are evaluated, where a document holds more than the work limit allows. Each costs a verification.

import { PdfRefused } from "@paraph/pades/refused"

// More than any document has about one certificate.
const MAX_EVALUATED = 64

/**
 * Those that claim a revocation, then the newest. Good statuses beyond the limit are dropped, which never helps a document.
 * Claims are not: anyone can write a claim, so one that is dropped could be the one that a responder has signed.
 */
export function selectCandidates<T>(
  items: readonly T[],
  claimsRevocation: (item: T) => boolean,
  madeAt: (item: T) => Date,
): readonly T[] {
  const ranked = items.map((item) => ({ item, claims: claimsRevocation(item), at: madeAt(item).getTime() }))
  if (ranked.filter(({ claims }) => claims).length > MAX_EVALUATED) throw tooManyRevocations()
  return ranked
    .sort((a, b) => Number(b.claims) - Number(a.claims) || b.at - a.at)
    .slice(0, MAX_EVALUATED)
    .map(({ item }) => item)
}

/** A limit that was reached is no answer: what was not evaluated may be a revocation. */
export function tooManyRevocations(): PdfRefused {
  return new PdfRefused(
    "too-complex",
    "The PDF holds more revocation information about one certificate than is evaluated.",
  )
}
