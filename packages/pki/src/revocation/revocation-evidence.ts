// Somebody's word that a certificate was not revoked when it was used: an OCSP answer or a CRL that is at hand, else one
// that is asked for, OCSP first. What is at hand may come with the document, chosen by whoever sent it: so a word that
// it was revoked counts before any other, and a word from before the use only where nobody can be asked any more.

import { randomBytes } from "node:crypto"
import type { Certificate } from "../certificate/certificate.ts"
import { distributionAddresses, readCrlDistributionPoints } from "../certificate/distribution-point.ts"
import { readAuthorityInfoAccess } from "../certificate/extensions.ts"
import { ifReadable } from "../der/optional.ts"
import { type Crl, readCrl } from "./crl.ts"
import { type About, byCrls, byOcsp, type Word } from "./evidence-word.ts"
import { ocspRequest } from "./ocsp.ts"
import { readOcspResponse } from "./ocsp-response.ts"

/** How answers are fetched, through whatever guard the caller has. A rejected promise means that there is none. */
export type RevocationPorts = {
  readonly askOcsp: (url: string, request: Uint8Array) => Promise<Uint8Array>
  readonly fetchCrl: (url: string) => Promise<Uint8Array>
  /** RFC 5280, 4.2.2.1, caIssuers: one certificate. */
  readonly fetchCertificate?: (url: string) => Promise<Uint8Array>
}

export type Evidence =
  /** It speaks for the use: good, or revoked only afterwards. */
  | ({ readonly found: true } & Word)
  | { readonly found: false; readonly revokedSince: Date }
  /** What each source that was tried answered, for whoever has to find out why. */
  | { readonly found: false; readonly why: readonly string[] }

/** DER, and since when it is proved to have existed: the time-stamp over it, or now. */
export type KnownItem = { readonly der: Uint8Array; readonly existedAt: Date }

export type EvidenceSearch = About & {
  /** When the certificate was used, as far as that is proved. */
  readonly usedAt: Date
  readonly now: Date
  readonly known: { readonly ocspResponses: readonly KnownItem[]; readonly crls: readonly KnownItem[] }
  readonly ports: RevocationPorts
}

export async function findEvidence(search: EvidenceSearch): Promise<Evidence> {
  const { usedAt, now } = search
  const known = knownWords(search)
  const revoked = known.find((word) => wasRevoked(word, usedAt))
  if (revoked?.since !== undefined) return { found: false, revokedSince: revoked.since }
  const speaking = known.find((word) => speaksFor(word, usedAt))
  if (speaking !== undefined) return { found: true, ...speaking }

  const why: string[] = []
  const asked = (await askedWord(search, why)) ?? (await fetchedWord(search, why))
  if (asked?.since !== undefined && wasRevoked(asked, usedAt))
    return { found: false, revokedSince: asked.since }
  if (asked !== undefined) return { found: true, ...asked }
  // Of a certificate that has ended nobody says anything any more; then a word that was fresh at the use must do.
  const fresh = known.find(({ status }) => status === "good")
  if (fresh !== undefined && subject(search).notAfter < now) return { found: true, ...fresh }
  return { found: false, why }
}

function wasRevoked({ since }: Word, usedAt: Date): boolean {
  return since !== undefined && since <= usedAt
}

/** EN 319 102-1, 5.2.5.4: it was said after the use. Answers have whole seconds, time-stamps may have fractions. */
function speaksFor(word: Word, usedAt: Date): boolean {
  return !wasRevoked(word, usedAt) && word.thisUpdate.getTime() >= Math.floor(usedAt.getTime() / 1000) * 1000
}

// A document signed by hundreds and renewed for decades brings some hundreds of each.
const MAX_KNOWN_ANSWERS = 2_000
const MAX_KNOWN_CRLS = 32

/** Each is judged at the time of the use, or at its own where that is later. */
function knownWords(search: EvidenceSearch): readonly Word[] {
  const words: (Word | string)[] = []
  for (const { der, existedAt } of search.known.ocspResponses.slice(0, MAX_KNOWN_ANSWERS)) {
    const response = ifReadable(() => readOcspResponse(der))
    if (response?.status !== "successful") continue
    const at = later(search.usedAt, response.basic.producedAt)
    words.push(byOcsp(search, der, response, { at, existedAt }))
  }
  const crls = search.known.crls.flatMap(({ der, existedAt }) => {
    const crl = ifReadable(() => readCrl(der))
    return crl === undefined ? [] : [{ crl, existedAt }]
  })
  const newest = crls.toSorted((a, b) => b.crl.thisUpdate.getTime() - a.crl.thisUpdate.getTime())
  for (const { crl, existedAt } of newest.slice(0, MAX_KNOWN_CRLS))
    words.push(byCrls(search, [crl], { at: later(search.usedAt, crl.thisUpdate), existedAt }))
  return words.filter((word) => typeof word !== "string")
}

// RFC 8954, 2.1: at least 16 octets.
const NONCE_BYTES = 16
const MAX_ADDRESSES = 4

async function askedWord(search: EvidenceSearch, why: string[]): Promise<Word | undefined> {
  const certificate = subject(search)
  const addresses = ifReadable(() => readAuthorityInfoAccess(certificate.extensions))?.ocsp ?? []
  for (const url of addresses.slice(0, MAX_ADDRESSES)) {
    const nonce = randomBytes(NONCE_BYTES)
    const der = await answerOf(url, why, () =>
      search.ports.askOcsp(url, ocspRequest({ certificate, issuer: search.issuer, nonce })),
    )
    const response = der && ifReadable(() => readOcspResponse(der))
    const word = der && response ? byOcsp(search, der, response, atOnce(search), nonce) : "malformed"
    if (typeof word !== "string") return word
    if (der !== undefined) why.push(`${shown(url)}: ${word}`)
  }
  return undefined
}

async function fetchedWord(search: EvidenceSearch, why: string[]): Promise<Word | undefined> {
  const { extensions } = subject(search)
  const points = ifReadable(() => readCrlDistributionPoints(extensions)) ?? []
  const crls: Crl[] = []
  for (const url of distributionAddresses(points).slice(0, MAX_ADDRESSES)) {
    const der = await answerOf(url, why, () => search.ports.fetchCrl(url))
    const crl = der && ifReadable(() => readCrl(der))
    if (crl !== undefined) crls.push(crl)
    const word = crl === undefined ? "malformed" : byCrls(search, crls, atOnce(search))
    if (typeof word !== "string") return word
    if (der !== undefined) why.push(`${shown(url)}: ${word}`)
  }
  return undefined
}

function atOnce({ now }: EvidenceSearch) {
  return { at: now, existedAt: now }
}

function subject({ path, position }: EvidenceSearch): Certificate {
  const certificate = path.certificates[position]
  if (certificate === undefined) throw new RangeError("no certificate at this position")
  return certificate
}

async function answerOf(
  url: string,
  why: string[],
  ask: () => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    return await ask()
  } catch (error) {
    why.push(`${shown(url)}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

// Anybody may have written the address into a certificate, and it ends in a log.
function shown(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, "?").slice(0, 200)
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}
