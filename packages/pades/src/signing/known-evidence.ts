// What the security store of a document holds, and since when each item is proved to have been there: the oldest
// time-stamp over a revision that had it. An answer signed by a responder whose certificate has ended since would
// otherwise be worth what anybody with the old key says today.

import type { KnownItem } from "@paraph/pki/revocation-evidence"
import { openRevision, readRevisions } from "../signed/revisions.ts"
import { readSecurityStore, type SecurityStore } from "../signed/security-store.ts"
import type { Pdf } from "../structure/document.ts"
import type { DocumentStamp } from "./marks.ts"

// Renewed every year, a document outlives its readers.
const MAX_STAMPS = 100

export function knownEvidence(
  pdf: Pdf,
  store: SecurityStore,
  stamps: readonly DocumentStamp[],
  now: Date,
): { readonly ocspResponses: readonly KnownItem[]; readonly crls: readonly KnownItem[] } {
  const existed = new Map<string, Date>()
  const revisions = stamps.length === 0 ? [] : readRevisions(pdf)
  for (const { revision = -1, genTime } of stamps.slice(0, MAX_STAMPS)) {
    const then = revisions[revision]
    if (then === undefined) continue
    const { ocspResponses, crls } = readSecurityStore(openRevision(pdf, then))
    for (const der of [...ocspResponses, ...crls]) {
      const earlier = existed.get(keyOf(der))
      if (earlier === undefined || genTime < earlier) existed.set(keyOf(der), genTime)
    }
  }
  const item = (der: Uint8Array): KnownItem => ({ der, existedAt: existed.get(keyOf(der)) ?? now })
  return { ocspResponses: store.ocspResponses.map(item), crls: store.crls.map(item) }
}

function keyOf(der: Uint8Array): string {
  return Buffer.from(der).toString("latin1")
}
