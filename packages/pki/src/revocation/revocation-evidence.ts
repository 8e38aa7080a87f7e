// Somebody's word on whether a certificate was revoked when it was used: from what is at hand, which whoever sent the
// document may have chosen, and from those who can be asked, OCSP first.

import type { Certificate } from "../certificate/certificate.ts"
import { distributionAddresses, readCrlDistributionPoints } from "../certificate/distribution-point.ts"
import { readAuthorityInfoAccess } from "../certificate/extensions.ts"
import { ifReadable } from "../der/optional.ts"
import { type NewNonce, randomNonce } from "../nonce.ts"
import { type Crl, readCrl } from "./crl.ts"
import { type About, byCrls, byOcsp, later, type Word } from "./evidence-word.ts"
import { answersAbout, type KnownAnswers, listsAbout } from "./known-answers.ts"
import { ocspRequest } from "./ocsp.ts"
import { readOcspResponse } from "./ocsp-response.ts"

/** How answers are fetched, through whatever guard the caller has. A rejected promise means that there is none. */
export type RevocationPorts = {
  readonly askOcsp: (url: string, request: Uint8Array) => Promise<Uint8Array>
  readonly fetchCrl: (url: string) => Promise<Uint8Array>
  /** RFC 5280, 4.2.2.1, caIssuers: one certificate. */
  readonly fetchCertificate?: (url: string) => Promise<Uint8Array>
  /** By default random. */
  readonly newNonce?: NewNonce
}

export type EvidenceSearch = About & {
  /** When the certificate was used, as far as that is proved. */
  readonly usedAt: Date
  readonly now: Date
  readonly known: KnownAnswers
  readonly ports: RevocationPorts
}

/** Each is judged at the time of the use, or at its own where that is later. The nearest to the use comes first. */
export function knownWords(search: EvidenceSearch): readonly Word[] {
  const { known, usedAt } = search
  const certificate = subject(search)
  const answers = answersAbout(known, certificate, usedAt).map(({ der, existedAt, basic }) =>
    byOcsp(search, der, { status: "successful", basic }, { at: later(usedAt, basic.producedAt), existedAt }),
  )
  const lists = listsAbout(known, certificate, usedAt).map(({ crl, existedAt }) =>
    byCrls(search, [crl], { at: later(usedAt, crl.thisUpdate), existedAt }),
  )
  return [...answers, ...lists].filter((word) => typeof word !== "string")
}

export type Asked = {
  readonly word?: Word
  /** What each source that was tried answered, for whoever has to find out why. */
  readonly why: readonly string[]
  /** Some source could not be reached, and might have known more. */
  readonly unreachable: boolean
}

export async function ask(search: EvidenceSearch): Promise<Asked> {
  const why: string[] = []
  const state = { why, unreachable: false }
  const word = (await askOcsp(search, state)) ?? (await fetchCrls(search, state))
  return { why, unreachable: state.unreachable, ...(word && { word }) }
}

type Asking = { readonly why: string[]; unreachable: boolean }

const MAX_ADDRESSES = 4

async function askOcsp(search: EvidenceSearch, asking: Asking): Promise<Word | undefined> {
  const certificate = subject(search)
  const addresses = ifReadable(() => readAuthorityInfoAccess(certificate.extensions))?.ocsp ?? []
  const { newNonce = randomNonce } = search.ports
  for (const url of addresses.slice(0, MAX_ADDRESSES)) {
    const nonce = newNonce(certificate.der)
    const request = ocspRequest({ certificate, issuer: search.issuer, nonce })
    const der = await answerOf(url, asking, () => search.ports.askOcsp(url, request))
    if (der === undefined) continue
    const response = ifReadable(() => readOcspResponse(der))
    const word = response ? byOcsp(search, der, response, atOnce(search), nonce) : "malformed"
    if (typeof word !== "string") return word
    asking.why.push(`${shown(url)}: ${word}`)
  }
  return undefined
}

async function fetchCrls(search: EvidenceSearch, asking: Asking): Promise<Word | undefined> {
  const { extensions } = subject(search)
  const points = ifReadable(() => readCrlDistributionPoints(extensions)) ?? []
  const crls: Crl[] = []
  for (const url of distributionAddresses(points).slice(0, MAX_ADDRESSES)) {
    const der = await answerOf(url, asking, () => search.ports.fetchCrl(url))
    if (der === undefined) continue
    const crl = ifReadable(() => readCrl(der))
    if (crl !== undefined) crls.push(crl)
    const word = crl === undefined ? "malformed" : byCrls(search, crls, atOnce(search))
    if (typeof word !== "string") return word
    asking.why.push(`${shown(url)}: ${word}`)
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
  asking: Asking,
  fetch: () => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    return await fetch()
  } catch (error) {
    asking.why.push(`${shown(url)}: ${error instanceof Error ? error.message : String(error)}`)
    asking.unreachable = true
    return undefined
  }
}

// Anybody may have written the address into a certificate, and it ends in a log.
function shown(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, "?").slice(0, 200)
}
