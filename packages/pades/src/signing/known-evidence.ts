// What the security store of a document holds, and since when each item is proved to have been there: the oldest
// time-stamp over the document that covers its bytes. An answer of a responder whose certificate has ended since would
// otherwise be worth what anybody with the old key says today.

import type { KnownItem } from "@paraph/pki/known-answers"
import type { SecurityStore, StoredItem } from "../signed/security-store.ts"
import type { DocumentStamp } from "./marks.ts"

export function knownEvidence(
  { ocspResponses, crls }: SecurityStore,
  stamps: readonly DocumentStamp[],
  now: Date,
): { readonly ocspResponses: readonly KnownItem[]; readonly crls: readonly KnownItem[] } {
  const known = (item: StoredItem): KnownItem => {
    const covering = stamps.find(({ end }) => end >= item.interval.end)
    return { der: item.der, existedAt: covering?.genTime ?? now }
  }
  return { ocspResponses: ocspResponses.map(known), crls: crls.map(known) }
}
