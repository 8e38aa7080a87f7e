// Which OCSP responses or CRLs are evaluated, where a document holds more than the work limit allows. Each costs a verification.

// More than any document has about one certificate.
const MAX_EVALUATED = 64

/**
 * Those that claim a revocation come first, then the newest. In this order nobody can hide a revocation behind many
 * good statuses: a candidate that is dropped for the limit could only have been good, or follows revocations that count.
 */
export function selectCandidates<T>(
  items: readonly T[],
  claimsRevocation: (item: T) => boolean,
  madeAt: (item: T) => Date,
): readonly T[] {
  const ranked = items.map((item) => ({ item, claims: claimsRevocation(item), at: madeAt(item).getTime() }))
  return ranked
    .sort((a, b) => Number(b.claims) - Number(a.claims) || b.at - a.at)
    .slice(0, MAX_EVALUATED)
    .map(({ item }) => item)
}
