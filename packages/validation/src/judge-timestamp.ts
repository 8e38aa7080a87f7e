// A time-stamp that stands by itself, over bytes that are at hand (EN 319 102-1, 5.4). The revocation status of its authority may
// be in signed PDFs that came with it.

import { createHash } from "node:crypto"
import { PdfRefused } from "@paraph/pades/refused"
import { ifReadable } from "@paraph/pki/optional"
import { readTimestampToken, type TimestampToken } from "@paraph/pki/timestamp-token"
import { createContext } from "./context.ts"
import { embeddedEvidence } from "./material/attributes.ts"
import type { Beside } from "./material/beside.ts"
import { createCollection } from "./material/collection.ts"
import type { Digested, Evidence } from "./material/material.ts"
import { DEFAULT_POLICY } from "./policy/default-policy.ts"
import type { ValidationPolicy } from "./policy/policy.ts"
import { judgeStamps } from "./process/timestamp.ts"
import type { TrustAnchor } from "./qualification/trust.ts"
import type { TimestampReport } from "./report.ts"
import { timestampReport } from "./write-report.ts"

export type TimestampOptions = {
  readonly now: Date
  readonly policy?: ValidationPolicy
  readonly anchors: readonly TrustAnchor[]
  /** Signed PDFs, whose certificates and answers are looked at too. */
  readonly beside?: readonly Beside[]
}

/** A token that cannot be read is an answer too. Of one with too much evidence to read, nothing is believed. */
export function judgeTimestamp(
  der: Uint8Array,
  stamped: Uint8Array,
  { now, policy = DEFAULT_POLICY, anchors, beside = [] }: TimestampOptions,
): TimestampReport {
  const token = ifReadable(() => readTimestampToken(der))
  const judged = (evidence: Evidence, trusted: readonly TrustAnchor[]) => {
    const context = createContext(policy, now, { anchors: trusted, services: [] }, evidence)
    const stamp = { type: "document", token, stamped: token && digestOf(token, stamped) } as const
    const [one] = judgeStamps(context, { ...NOTHING_ELSE, evidence, signatures: [], timestamps: [stamp] })
    if (one === undefined) throw new Error("A time-stamp was given, and none was judged.")
    return timestampReport(one)
  }
  try {
    return judged(evidenceFor(token, beside), anchors)
  } catch (error) {
    // A limit was reached, and what was left out could be a revocation: so no anchor is trusted.
    if (error instanceof PdfRefused && error.code === "too-complex")
      return judged(createCollection().evidence(), [])
    throw error
  }
}

const NOTHING_ELSE = { format: { fileType: "PDF" as const } }

function evidenceFor(token: TimestampToken | undefined, beside: readonly Beside[]): Evidence {
  const collection = createCollection()
  // The token does not stand in a file, so no time-stamp in a file covers it.
  if (token !== undefined) embeddedEvidence(token.signedData, undefined, collection)
  for (const add of beside) add(collection)
  return collection.evidence()
}

function digestOf({ imprint: { digestAlgorithm } }: TimestampToken, bytes: Uint8Array): Digested {
  if (digestAlgorithm === undefined) return undefined
  return { algorithm: digestAlgorithm, digest: createHash(digestAlgorithm).update(bytes).digest() }
}
