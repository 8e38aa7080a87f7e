// Raises the signatures of a document to a higher level (EN 319 142-1, 6), and renews the last time-stamp of one that is
// at the highest. Each level is the one before and one act more, appended as a revision of its own.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import type { NewNonce } from "@paraph/pki/nonce"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { collectValidationData, type ValidationData } from "@paraph/pki/validation-data"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import { type Base, baseOf, grow } from "../base.ts"
import { readSecurityStore } from "../signed/security-store.ts"
import type { Source } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { documentTimestamp } from "./document-timestamp.ts"
import { knownEvidence } from "./known-evidence.ts"
import { type Marks, type MarksOptions, readMarks } from "./marks.ts"
import { addToSecurityStore } from "./objects/security-store.ts"
import type { TimestampAuthority } from "./timestamp.ts"

export type Level = "B-T" | "B-LT" | "B-LTA"

export type RaiseOptions = {
  readonly to: Level
  readonly now: Date
  readonly timestamp: TimestampAuthority
  /** DER. Where trust begins; what cannot be traced to one of them is refused. */
  readonly anchors: readonly Uint8Array[]
  /** DER. Certificates that the document may lack. */
  readonly certificates?: readonly Uint8Array[]
  /** The fields whose signatures are raised; by default all. Others may be of authorities that nobody here trusts. */
  readonly fields?: readonly string[]
  readonly revocation: RevocationPorts
  /** Room for the token of a document time-stamp. */
  readonly timestampBytes?: number
  /** By default random. */
  readonly newNonce?: NewNonce
}

/**
 * The tail to append. Empty where the document is at the level already; B-LTA always gets one more time-stamp. Throws
 * `MarkRefused` for a signature that is not right, and what the authorities answered wrong by its own name.
 */
export async function raise(
  document: Base | Source | Uint8Array,
  options: RaiseOptions,
): Promise<Uint8Array> {
  const { to } = options
  const tails: Uint8Array[] = []
  let base = baseOf(document)
  const add = (tail: Uint8Array) => {
    tails.push(tail)
    base = grow(base, tail)
  }
  const anchors = options.anchors.map((der) => readCertificate(der))
  let state = read(base, options, anchors)
  if (state.marks.lacksTimestamp) {
    add((await timestamp(base, options, anchors)).tail)
    state = read(base, options, anchors)
  }
  if (to !== "B-T") add(await validationData(base, state, options, anchors))
  if (to === "B-LTA") add(await archiveTimestamp(base, state.marks.authorities, options, anchors))
  return Buffer.concat(tails)
}

type State = ReturnType<typeof read>

function read(
  base: Base,
  options: RaiseOptions,
  anchors: readonly Certificate[],
  distrusted: readonly Certificate[] = [],
) {
  const pdf = openPdf(base.source, { toGrow: true })
  const store = readSecurityStore(pdf)
  const certificates = [...(options.certificates ?? []), ...store.certificates.map(({ der }) => der)]
  const { now, fields } = options
  const rules: MarksOptions = { now, anchors, certificates, distrusted, ...(fields && { fields }) }
  return { pdf, store, certificates, marks: readMarks(pdf, rules) }
}

/** EN 319 142-1, 5.4: what a validator will need, put beside the signatures. Empty where it is there already. */
async function validationData(
  base: Base,
  first: State,
  options: RaiseOptions,
  anchors: readonly Certificate[],
): Promise<Uint8Array> {
  const { now, revocation: ports } = options
  const distrusted: Certificate[] = []
  for (let state = first; ; ) {
    const { pdf, store, certificates, marks } = state
    const stored = knownEvidence(store, marks.stamps, now)
    const known = {
      certificates: [...marks.certificates, ...certificates],
      ocspResponses: [...stored.ocspResponses, ...marks.evidence.ocspResponses],
      crls: [...stored.crls, ...marks.evidence.crls],
    }
    try {
      const data = await collectValidationData(marks.targets, { now, anchors, known, ports })
      const edits = newEdits(pdf)
      if (!addToSecurityStore(edits, store, data)) return new Uint8Array()
      return writeRevision(pdf, objectsOf(edits), base.hash("sha256").digest()).tail
    } catch (error) {
      const authority = worthless(error, marks)
      // EN 319 102-1, 5.6.3: a time-stamp that fails is passed over, as long as another proof is left.
      if (authority === undefined || distrusted.length >= MAX_DISTRUSTED) throw error
      distrusted.push(authority)
      state = read(base, options, anchors, distrusted)
      if (state.marks.lacksTimestamp) throw error
    }
  }
}

const MAX_DISTRUSTED = 10

/** The time-stamping authority that the failure is about, if it is about one. */
function worthless(error: unknown, { authorities }: Marks): Certificate | undefined {
  if (!(error instanceof ValidationDataFailed)) return undefined
  return authorities.find((one) => one === error.target)
}

/**
 * A validator asks about the authority of the last time-stamp too, and finds what speaks for it where its earlier stamps brought
 * that along. Of another one (the first was away, or has a new certificate) it is put beside the others, and then it stamps anew.
 */
async function archiveTimestamp(
  start: Base,
  spokenFor: readonly Certificate[],
  options: RaiseOptions,
  anchors: readonly Certificate[],
): Promise<Uint8Array> {
  const known = new Set(spokenFor.map(({ der }) => Buffer.from(der).toString("base64")))
  const tails: Uint8Array[] = []
  let base = start
  for (;;) {
    const { tail, authority, data } = await timestamp(base, options, anchors)
    const name = Buffer.from(authority.der).toString("base64")
    if (known.has(name) || tails.length >= MAX_ANEW) return Buffer.concat([...tails, tail])
    known.add(name)
    const pdf = openPdf(base.source, { toGrow: true })
    const edits = newEdits(pdf)
    if (!addToSecurityStore(edits, readSecurityStore(pdf), data)) return Buffer.concat([...tails, tail])
    const { tail: beside } = writeRevision(pdf, objectsOf(edits), base.hash("sha256").digest())
    tails.push(beside)
    base = grow(base, beside)
  }
}

/** How often another authority than the one before may answer. */
const MAX_ANEW = 3

/** A time-stamp over the document, by an authority that is not revoked: a worthless one could never be renewed. */
async function timestamp(
  base: Base,
  options: RaiseOptions,
  anchors: readonly Certificate[],
): Promise<{
  readonly tail: Uint8Array
  readonly authority: Certificate
  readonly data: ValidationData
}> {
  const { now, certificates = [], revocation: ports } = options
  const { tail, stamp } = await documentTimestamp(base, options)
  const authority = stamp.certificate
  if (options.to === "B-T") return { tail, authority, data: NOTHING }
  const at = new Date(Math.max(stamp.genTime.getTime(), now.getTime()))
  const brought = stamp.certificates.map(({ der }) => der)
  const known = { certificates: [...brought, ...certificates], ocspResponses: [], crls: [] }
  const data = await collectValidationData([{ certificate: authority, at }], { now, anchors, known, ports })
  return { tail, authority, data }
}

const NOTHING: ValidationData = { certificates: [], ocspResponses: [], crls: [] }
