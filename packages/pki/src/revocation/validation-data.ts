// What a validator will need years later, offline (EN 319 142-1, 5.4; EN 319 102-1, 5.5): the certificates of every path
// and, for each of them but the anchor, somebody's word that it was not revoked. Nothing is collected that was not
// checked: a wrong answer is an error now, not a surprise for whoever opens the document then.

import type { Certificate } from "../certificate/certificate.ts"
import { hasOcspNoCheck, readBasicConstraints, readExtendedKeyUsage } from "../certificate/extensions.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import type { CertificatePath } from "../path/path-validation.ts"
import { later, type Word } from "./evidence-word.ts"
import { indexAnswers, type KnownAnswers, type KnownItem } from "./known-answers.ts"
import { ask, knownWords, type RevocationPorts } from "./revocation-evidence.ts"
import { pathOf, wellFormed } from "./target-path.ts"
import { ValidationDataFailed } from "./validation-data-failed.ts"

export type ValidationTarget = {
  readonly certificate: Certificate
  /** When it was used, as far as that is proved: the time-stamp over the signature, or now. */
  readonly at: Date
}

export type ValidationData = {
  /** DER, each. */
  readonly certificates: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export type CollectOptions = {
  readonly now: Date
  readonly anchors: readonly Certificate[]
  /** What is at hand: certificates to build paths from (DER), and answers that may still speak for a target. */
  readonly known: {
    readonly certificates: readonly Uint8Array[]
    readonly ocspResponses: readonly KnownItem[]
    readonly crls: readonly KnownItem[]
  }
  readonly ports: RevocationPorts
}

/** The latest use first: its answer speaks for the earlier ones as well. */
export async function collectValidationData(
  targets: readonly ValidationTarget[],
  options: CollectOptions,
): Promise<ValidationData> {
  const collection: Collection = {
    ...options,
    known: indexAnswers(options.known),
    ports: { ...options.ports, fetchCrl: once(options.ports.fetchCrl) },
    pool: [...readableCertificates(options.known.certificates)],
    certificates: new Map(),
    answered: new Map(),
  }
  for (const target of targets.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    try {
      await settle(collection, target, [])
    } catch (error) {
      if (!(error instanceof ValidationDataFailed)) throw error
      const { code, message } = error
      throw new ValidationDataFailed(code, message, { cause: error, target: target.certificate })
    }
  }
  const words = [...collection.answered.values()].map(({ word }) => word)
  return {
    certificates: [...collection.certificates.values()].map(({ der }) => der),
    ocspResponses: words.flatMap(({ ocspResponses }) => ocspResponses),
    crls: words.flatMap(({ crls }) => crls),
  }
}

/** Many certificates name the same list. */
function once(fetchCrl: RevocationPorts["fetchCrl"]): RevocationPorts["fetchCrl"] {
  const fetched = new Map<string, Promise<Uint8Array>>()
  return (url) => {
    const answer = fetched.get(url) ?? fetchCrl(url)
    fetched.set(url, answer)
    return answer
  }
}

type Collection = Omit<CollectOptions, "known"> & {
  readonly known: KnownAnswers
  readonly pool: Certificate[]
  readonly certificates: Map<string, Certificate>
  readonly answered: Map<string, Answered>
}

type Answered = {
  readonly word: Word
  /** It speaks for every use up to then. */
  readonly until: Date
  /** The keys of the responders that it depends on. */
  readonly restsOn: readonly Uint8Array[]
}

// A document signed by hundreds has hundreds of signers; each brings a path and a responder.
const MAX_CERTIFICATES = 2_000
// A responder that is checked by another responder, and so on: in use there is one.
const MAX_WAITING = 4

async function settle(
  collection: Collection,
  target: ValidationTarget,
  waiting: readonly Certificate[],
): Promise<void> {
  const { path, anchor } = await pathOf(target, collection)
  for (const one of [anchor, ...path.certificates]) collection.certificates.set(keyOf(one), one)
  if (collection.certificates.size > MAX_CERTIFICATES || waiting.length > MAX_WAITING)
    throw new ValidationDataFailed("too-many", "The signatures need too many certificates.")
  // From the target upwards: what is asked about an authority for the sake of an answer covers its own use.
  for (let position = path.certificates.length - 1; position >= 0; position--)
    await settleOne(collection, { path, anchor, position, usedAt: target.at, waiting })
}

type Place = {
  readonly path: CertificatePath
  readonly anchor: Certificate
  readonly position: number
  readonly usedAt: Date
  readonly waiting: readonly Certificate[]
}

async function settleOne(collection: Collection, place: Place): Promise<void> {
  const { path, anchor, position, usedAt } = place
  const certificate = path.certificates[position]
  if (certificate === undefined || isNeverRevoked(certificate) || isAnswered(collection, certificate, place))
    return
  const issuer = path.certificates[position - 1] ?? anchor
  const search = { ...collection, ...place, issuer, intermediates: collection.pool }
  const known = knownWords(search)
  const revoked = known.find((word) => wasRevoked(word, usedAt))
  if (revoked?.since !== undefined) throw wasRevokedAt(certificate, revoked.since)
  // EN 319 102-1, 5.2.5.4: what was said after the use speaks for it.
  for (const word of known)
    if (word.thisUpdate >= usedAt && (await holds(collection, place, word)))
      return keep(collection, certificate, word, usedAt)

  const { word, why, unreachable } = await ask(search)
  if (word?.since !== undefined && wasRevoked(word, usedAt)) throw wasRevokedAt(certificate, word.since)
  if (word !== undefined) {
    await support(collection, place, word)
    return keep(collection, certificate, word, usedAt)
  }
  // Of a certificate that has ended nobody knows anything any more; then a word that was fresh at the use must do.
  if (certificate.notAfter < collection.now && !unreachable)
    for (const fresh of known)
      if (fresh.status === "good" && (await holds(collection, place, fresh)))
        return keep(collection, certificate, fresh, usedAt)
  throw nobodySays(certificate, why)
}

function wasRevoked({ since }: Word, usedAt: Date): boolean {
  return since !== undefined && since <= usedAt
}

function isAnswered({ answered }: Collection, certificate: Certificate, place: Place): boolean {
  const earlier = answered.get(keyOf(certificate))
  if (earlier === undefined || earlier.until < place.usedAt) return false
  return !place.waiting.some(({ publicKeySpki }) =>
    earlier.restsOn.some((key) => Buffer.compare(key, publicKeySpki) === 0),
  )
}

function keep({ answered }: Collection, certificate: Certificate, word: Word, usedAt: Date): void {
  const { responder, thisUpdate } = word
  const own = responder === undefined ? undefined : answered.get(keyOf(responder.certificate))
  const restsOn =
    responder === undefined ? [] : [responder.certificate.publicKeySpki, ...(own?.restsOn ?? [])]
  const until = word.status === "good" ? later(thisUpdate, usedAt) : usedAt
  answered.set(keyOf(certificate), { word, until, restsOn })
}

async function holds(collection: Collection, place: Place, word: Word): Promise<boolean> {
  try {
    await support(collection, place, word)
    return true
  } catch (error) {
    if (error instanceof ValidationDataFailed) return false
    throw error
  }
}

/**
 * EN 319 102-1, 5.6.2.2: a word is worth what those who signed it were worth when it is proved to have existed. So the
 * authorities above must have been good then, and so must the responder.
 */
async function support(collection: Collection, place: Place, word: Word): Promise<void> {
  const { usedAt, waiting, position } = place
  const at = later(usedAt, word.existedAt)
  for (let above = position - 1; above >= 0; above--)
    await settleOne(collection, { ...place, position: above, usedAt: at })
  const { responder } = word
  if (responder === undefined) return
  if (responder.needsCheck) await settle(collection, responder, [...waiting, responder.certificate])
  collection.certificates.set(keyOf(responder.certificate), responder.certificate)
}

const NO_REVOCATION_AVAILABLE = "2.5.29.56"
const SHORT_TERM = "0.4.0.194121.2.1"
const SHORT_TERM_DAYS = 14
const DAY_MS = 86_400_000
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"

/** A certificate that says of itself that nobody will ever revoke it. No authority may (RFC 9608, 2). */
function isNeverRevoked(certificate: Certificate): boolean {
  return wellFormed(certificate, ({ extensions, notBefore, notAfter }) => {
    if (readBasicConstraints(extensions)?.ca === true) return false
    const has = (wanted: string) => extensions.some(({ id }) => id === wanted)
    // RFC 6960, 4.2.2.2.1.
    const isResponder = readExtendedKeyUsage(extensions)?.includes(OCSP_SIGNING) === true
    if (isResponder && hasOcspNoCheck(extensions)) return true
    // EN 319 412-1, 5.2: over before a revocation would be known.
    const days = (notAfter.getTime() - notBefore.getTime()) / DAY_MS
    return has(NO_REVOCATION_AVAILABLE) || (has(SHORT_TERM) && days <= SHORT_TERM_DAYS)
  })
}

function wasRevokedAt({ subjectName }: Certificate, since: Date): ValidationDataFailed {
  const detail = `The certificate of ${subjectName} was revoked at ${since.toISOString()}.`
  return new ValidationDataFailed("revoked", detail)
}

function nobodySays({ subjectName }: Certificate, why: readonly string[]): ValidationDataFailed {
  const reason = why.length === 0 ? "it names no source" : why.join("; ")
  const detail = `Nobody says that the certificate of ${subjectName} is not revoked: ${reason}.`
  return new ValidationDataFailed("no-revocation-information", detail)
}

function keyOf({ der }: Certificate): string {
  return Buffer.from(der).toString("latin1")
}
