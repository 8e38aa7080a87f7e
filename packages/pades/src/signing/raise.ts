// Raises the signatures of a document to a higher level (EN 319 142-1, 6), and renews the last time-stamp of one that is
// at the highest. Each level is the one before and one act more, appended as a revision of its own.

import { readCertificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { collectValidationData } from "@paraph/pki/validation-data"
import { type Base, baseOf, grow } from "../base.ts"
import { readForm } from "../content/form.ts"
import { readSecurityStore } from "../signed/security-store.ts"
import type { Source } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { create, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { knownEvidence } from "./known-evidence.ts"
import { type Marks, readMarks } from "./marks.ts"
import { addTimestampField } from "./objects/new-field.ts"
import { addToSecurityStore } from "./objects/security-store.ts"
import { fillByteRange, fillHole, findHole, signatureDictionary } from "./objects/signature-dictionary.ts"
import { obtainTimestamp, type TimestampAuthority } from "./timestamp.ts"

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
  readonly newNonce?: () => bigint
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
  let marks = readMarks(openPdf(base.source, { toGrow: true }), options)
  if (marks.lacksTimestamp) {
    add(await documentTimestamp(base, options))
    marks = readMarks(openPdf(base.source, { toGrow: true }), options)
  }
  if (to !== "B-T") add(await validationData(base, marks, options))
  if (to === "B-LTA") add(await documentTimestamp(base, options))
  return Buffer.concat(tails)
}

/** EN 319 142-1, 5.4: what a validator will need, put beside the signatures. Empty where it is there already. */
async function validationData(base: Base, marks: Marks, options: RaiseOptions): Promise<Uint8Array> {
  const { now, certificates = [] } = options
  const pdf = openPdf(base.source, { toGrow: true })
  const store = readSecurityStore(pdf)
  const stored = knownEvidence(pdf, store, marks.stamps, now)
  const data = await collectValidationData(marks.targets, {
    now,
    anchors: options.anchors.map((der) => readCertificate(der)),
    known: {
      certificates: [...marks.certificates, ...store.certificates, ...certificates],
      ocspResponses: [...stored.ocspResponses, ...marks.evidence.ocspResponses],
      crls: [...stored.crls, ...marks.evidence.crls],
    },
    ports: options.revocation,
  })
  const edits = newEdits(pdf)
  if (!addToSecurityStore(edits, store, data)) return new Uint8Array()
  return writeRevision(pdf, objectsOf(edits), base.hash("sha256").digest()).tail
}

// Tokens with a whole chain of certificates take some 7 kB.
const TIMESTAMP_BYTES = 10_240

/** EN 319 142-1, 5.5; ISO 32000-2, 12.8.5: a time-stamp over everything so far. */
async function documentTimestamp(base: Base, options: RaiseOptions): Promise<Uint8Array> {
  const { timestamp, timestampBytes = TIMESTAMP_BYTES, newNonce } = options
  const pdf = openPdf(base.source, { toGrow: true })
  const form = readForm(pdf)
  const edits = newEdits(pdf)
  const dictionary = { type: "DocTimeStamp", subFilter: "ETSI.RFC3161", holeBytes: timestampBytes } as const
  const signature = create(edits, signatureDictionary(dictionary))
  addTimestampField(edits, form, freeName(form.names), signature)
  const { tail, bodyStarts } = writeRevision(pdf, objectsOf(edits), base.hash("sha256").digest())
  const hole = findHole(tail, bodyStarts.get(pdf.nextNumber) ?? 0, timestampBytes)
  fillByteRange(tail, base.source.length, hole)
  const hash = base.hash("sha256").update(tail.subarray(0, hole.start))
  const digest = hash.update(tail.subarray(hole.start + hole.length)).digest()
  const rules = { ...options, ...(newNonce && { nonce: newNonce() }) }
  fillHole(tail, hole, await obtainTimestamp(timestamp, { digest, digestAlgorithm: "sha256" }, rules))
  return tail
}

function freeName(names: ReadonlySet<string>): string {
  let number = 1
  while (names.has(`Timestamp-${number}`)) number += 1
  return `Timestamp-${number}`
}
