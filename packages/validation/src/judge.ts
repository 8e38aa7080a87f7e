// The verdict on a document, from what it brings along and whom we trust: no file, no network, no clock.

import { upwards } from "./anchor.ts"
import { withChangedValues } from "./changed-values.ts"
import { type Context, createContext } from "./context.ts"
import type { Mark, Material } from "./material/material.ts"
import { because, failed, noted, type Outcome, PASSED } from "./outcome.ts"
import type { ValidationPolicy } from "./policy/policy.ts"
import { type JudgedMark, judgeMark } from "./process/signature.ts"
import { judgeStamps } from "./process/timestamp.ts"
import { type Qualification, qualify } from "./qualification/qualify.ts"
import type { Trust } from "./qualification/trust.ts"
import type { Change, DocumentReport } from "./report.ts"
import { worstOf } from "./worst.ts"
import { certificateValues, signatureReport, timestampReport } from "./write-report.ts"

export type JudgeOptions = {
  readonly policy: ValidationPolicy
  readonly now: Date
  readonly trust: Trust
  /** What happened behind each signature, by the name of its field. */
  readonly changes?: ReadonlyMap<string, readonly Change[]>
}

export function judge(material: Material, { policy, now, trust, changes }: JudgeOptions): DocumentReport {
  const context = createContext(policy, now, trust, material.evidence)
  const stamps = judgeStamps(context, material)
  const changesOf = (mark: Mark) => changes?.get(mark.pdf.fieldName) ?? []
  const marks = material.signatures.map((mark) =>
    judgeMark(context, mark, stamps, changesOutcome(changesOf(mark), policy)),
  )
  const signatures = marks.map((judged) =>
    withChangedValues(
      signatureReport(context, judged, stamps, changesOf(judged.mark), qualification(context, judged)),
      policy.changes.filled,
    ),
  )
  return {
    validatedAt: now.toISOString(),
    ...worstOf(signatures),
    format: material.format,
    signatures,
    timestamps: stamps.filter(({ stamp }) => stamp.type === "document").map(timestampReport),
    policy: { name: policy.name },
    certificates: certificateValues([...marks, ...stamps]),
  }
}

/** By ETSI TS 119 615, at the time at which the signature is proved to have existed. */
function qualification({ trust, now }: Context, { chain, existedAt }: JudgedMark): Qualification {
  const path = chain?.path
  if (path === undefined) return UNQUALIFIED
  return qualify({
    path: upwards(path),
    services: trust.services,
    anchors: trust.anchors,
    at: existedAt,
    now,
  })
}

const UNQUALIFIED: Qualification = { quality: "SES", legislation: "WORLD", reasons: [] }

function changesOutcome(changes: readonly Change[], { changes: levels }: ValidationPolicy): Outcome {
  const undefinedOne = changes.find((change) => change.undefined)
  if (undefinedOne === undefined || levels.undefined === "ignore") return PASSED
  const values = { path: undefinedOne.path }
  return levels.undefined === "fail"
    ? failed("FORMAT_FAILURE", because("undefined-changes", values))
    : { indication: "PASSED", reasons: [noted("undefined-changes", values)] }
}
