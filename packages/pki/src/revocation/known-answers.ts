// Revocation answers that are at hand, found by what they are about. A document may bring thousands; each is read once,
// and of those about one certificate only so many are judged.

import type { Certificate } from "../certificate/certificate.ts"
import { readCrlDistributionPoints } from "../certificate/distribution-point.ts"
import { nameKey } from "../certificate/name.ts"
import { ifReadable } from "../der/optional.ts"
import { type Crl, readCrl } from "./crl.ts"
import { type BasicOcspResponse, readOcspResponse } from "./ocsp-response.ts"

/** DER, and since when it is proved to have existed: the time-stamp over it, or now. */
export type KnownItem = { readonly der: Uint8Array; readonly existedAt: Date }

type Answer = KnownItem & { readonly basic: BasicOcspResponse }
type List = KnownItem & { readonly crl: Crl }

export type KnownAnswers = {
  readonly bySerialNumber: ReadonlyMap<bigint, readonly Answer[]>
  readonly byIssuer: ReadonlyMap<string, readonly List[]>
}

// A document signed by hundreds and renewed for decades.
const MAX_ITEMS = 10_000

export function indexAnswers(known: {
  readonly ocspResponses: readonly KnownItem[]
  readonly crls: readonly KnownItem[]
}): KnownAnswers {
  const bySerialNumber = new Map<bigint, Answer[]>()
  for (const item of known.ocspResponses.slice(0, MAX_ITEMS)) {
    const response = ifReadable(() => readOcspResponse(item.der))
    if (response?.status !== "successful") continue
    const { basic } = response
    for (const number of new Set(basic.responses.map(({ certId }) => certId.serialNumber)))
      put(bySerialNumber, number, { ...item, basic })
  }
  const byIssuer = new Map<string, List[]>()
  for (const item of known.crls.slice(0, MAX_ITEMS)) {
    const crl = ifReadable(() => readCrl(item.der))
    if (crl !== undefined) put(byIssuer, nameKey(crl.issuer), { ...item, crl })
  }
  return { bySerialNumber, byIssuer }
}

function put<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}

const MAX_JUDGED = 64

/** Those that may be about the certificate, the nearest to its use first. */
export function answersAbout(
  { bySerialNumber }: KnownAnswers,
  { serialNumber }: Certificate,
  usedAt: Date,
): readonly Answer[] {
  return nearest(bySerialNumber.get(serialNumber) ?? [], usedAt, ({ basic }) => basic.producedAt)
}

export function listsAbout(
  { byIssuer }: KnownAnswers,
  certificate: Certificate,
  usedAt: Date,
): readonly List[] {
  const points = ifReadable(() => readCrlDistributionPoints(certificate.extensions)) ?? []
  // RFC 5280, 4.2.1.13: a list may be signed by another than the issuer, if the certificate says by whom.
  const others = points.flatMap(({ cRLIssuer = [] }) =>
    cRLIssuer.flatMap((name) => (name.form === "directoryName" ? [nameKey(name.name)] : [])),
  )
  const keys = new Set([nameKey(certificate.issuer), ...others])
  const lists = [...keys].flatMap((key) => byIssuer.get(key) ?? [])
  return nearest(lists, usedAt, ({ crl }) => crl.thisUpdate)
}

function nearest<Item>(items: readonly Item[], to: Date, at: (item: Item) => Date): readonly Item[] {
  const distance = (item: Item) => Math.abs(at(item).getTime() - to.getTime())
  return items.toSorted((a, b) => distance(a) - distance(b)).slice(0, MAX_JUDGED)
}
