// A time-stamp over everything so far (EN 319 142-1, 5.5; ISO 32000-2, 12.8.5).

import type { Base } from "../base.ts"
import { readForm } from "../content/form.ts"
import { openPdf } from "../structure/document.ts"
import { create, newEdits, objectsOf } from "../write/edits.ts"
import { writeRevision } from "../write/revision.ts"
import { addTimestampField } from "./objects/new-field.ts"
import { fillByteRange, fillHole, findHole, signatureDictionary } from "./objects/signature-dictionary.ts"
import {
  obtainTimestamp,
  type TimestampAuthority,
  type TimestampRules,
  type ValidTimestamp,
} from "./timestamp.ts"

export type DocumentTimestampOptions = TimestampRules & {
  readonly timestamp: TimestampAuthority
  /** Room for the token. */
  readonly timestampBytes?: number
}

// Tokens with a whole chain of certificates take some 7 kB.
const TIMESTAMP_BYTES = 10_240

/** The tail to append, and what the authority stamped with. */
export async function documentTimestamp(
  base: Base,
  options: DocumentTimestampOptions,
): Promise<{ readonly tail: Uint8Array; readonly stamp: ValidTimestamp }> {
  const { timestamp, timestampBytes = TIMESTAMP_BYTES } = options
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
  const imprint = { digest, digestAlgorithm: "sha256" } as const
  const { token, stamp } = await obtainTimestamp(timestamp, imprint, options)
  fillHole(tail, hole, token)
  return { tail, stamp }
}

function freeName(names: ReadonlySet<string>): string {
  let number = 1
  while (names.has(`Timestamp-${number}`)) number += 1
  return `Timestamp-${number}`
}
