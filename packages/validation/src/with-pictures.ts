// What pictures of the pages showed, put into the report: a page that looks otherwise than when it was signed is told, and
// decides where the policy says so. What could not be looked at to its end is never a pass.

import { because, noted } from "./outcome.ts"
import type { Level } from "./policy/policy.ts"
import type { ReasonCode } from "./reason-codes.ts"
import type { Change, DocumentReport, SignatureReport } from "./report.ts"
import { withReason } from "./with-reason.ts"
import { worstOf } from "./worst.ts"

/** What was seen of one signature's pages. */
export type Seen = {
  readonly field: string
  /** False: not all of them could be compared. */
  readonly complete: boolean
  readonly pages: readonly {
    /** Counted from 0. */
    readonly page: number
    readonly different: boolean
    /** The number of its picture, counted from 1. */
    readonly picture?: number
  }[]
}

export function withPictures(report: DocumentReport, seen: readonly Seen[], level: Level): DocumentReport {
  const signatures = report.signatures.map((signature) => {
    const own = seen.filter(({ field }) => field === signature.field)
    return own.reduce((known, one) => withSeen(known, one, level), signature)
  })
  const { subIndication: _, ...rest } = report
  return { ...rest, ...worstOf(signatures), signatures }
}

function withSeen(signature: SignatureReport, { complete, pages }: Seen, level: Level): SignatureReport {
  const different = pages.filter((one) => one.different)
  const changes: Change[] = different.map(({ page, picture }) => ({
    path: `/Page ${page + 1}`,
    kind: "visual",
    page: page + 1,
    undefined: false,
    ...(picture !== undefined && { picture }),
  }))
  const told = {
    ...signature,
    visualDifferences: signature.visualDifferences || different.length > 0,
    changes: [...signature.changes, ...changes],
  }
  const [first] = different
  if (level === "ignore") return told
  if (first !== undefined) return decided(told, ["looks-different", { page: String(first.page + 1) }], level)
  // That not everything was seen cannot be only noted: nobody knows what there is to note.
  return complete ? told : decided(told, ["not-all-compared"], "fail")
}

function decided(
  signature: SignatureReport,
  [code, values]: readonly [code: ReasonCode, values?: Readonly<Record<string, string>>],
  level: Level,
): SignatureReport {
  return withReason(signature, (level === "fail" ? because : noted)(code, values))
}
