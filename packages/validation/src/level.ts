// The level of a signature (EN 319 142-1, 6.2 and 6.3): what it has, not whether that holds.

import type { Context } from "./context.ts"
import { isCovered, provedAt } from "./evidence/proofs.ts"
import { statusesOf } from "./evidence/revocation-index.ts"
import type { Mark } from "./material/material.ts"
import { passed } from "./outcome.ts"
import type { JudgedMark } from "./process/signature.ts"
import { isOver, type JudgedStamp } from "./process/timestamp.ts"
import type { SignatureLevel } from "./report.ts"

const SIGNING_TIME = "1.2.840.113549.1.9.5"
const SIGNING_CERTIFICATES: readonly string[] = ["1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"]

export function levelOf(
  context: Context,
  { mark, chain }: JudgedMark,
  stamps: readonly JudgedStamp[],
): SignatureLevel {
  if (!isBaseline(mark)) return "PDF-NOT-ETSI"
  const over = stamps.filter(
    ({ mark: own, stamp, genTime }) => genTime !== undefined && (own === mark || isOver(stamp, mark)),
  )
  if (over.length === 0) return "PAdES-BASELINE-B"
  const evidence = chain?.path && evidenceFor(context, chain.path)
  if (evidence === undefined) return "PAdES-BASELINE-T"
  const isArchived = over.some(({ stamp: { type, pdf } }) => {
    const byteRange = pdf?.byteRange
    return (
      type === "document" &&
      byteRange !== undefined &&
      evidence.every((item) => isCovered(context.locations.get(item) ?? [], byteRange))
    )
  })
  return isArchived ? "PAdES-BASELINE-LTA" : "PAdES-BASELINE-LT"
}

// EN 319 142-1, 6.3, table 1: no signing-time attribute, and the certificate is named among what is signed.
function isBaseline({ pdf, cms }: Mark): boolean {
  const types = cms?.signer?.signedAttributeList.map(({ type }) => type) ?? []
  return (
    pdf.subFilter === "ETSI.CAdES.detached" &&
    pdf.claims.time !== undefined &&
    !types.includes(SIGNING_TIME) &&
    types.some((type) => SIGNING_CERTIFICATES.includes(type))
  )
}

/** For each certificate below the anchor one status that lies in the document; undefined where one has none. */
function evidenceFor(
  { revocation, locations }: Context,
  path: Parameters<typeof statusesOf>[1],
): readonly object[] | undefined {
  const found: object[] = []
  for (const position of path.certificates.keys()) {
    const status = statusesOf(revocation, path, position).find(({ source }) => locations.has(source))
    if (status === undefined) return undefined
    found.push(status.source)
  }
  return found
}

/** It can be judged for years without asking anybody: evidence of everything lies in it, and a time-stamp that holds proves it. */
export function isLongTerm(
  context: Context,
  judged: JudgedMark,
  stamps: readonly JudgedStamp[],
  level: SignatureLevel,
): boolean {
  if (level !== "PAdES-BASELINE-LT" && level !== "PAdES-BASELINE-LTA") return false
  const isProved = provedAt(context.proofs, judged.mark) < context.now
  const own = stamps.filter(({ mark, outcome }) => mark === judged.mark && passed(outcome))
  return passed(judged.outcome) && isProved && own.every(({ chain }) => hasOwnEvidence(context, chain))
}

function hasOwnEvidence({ revocation, locations }: Context, chain: JudgedStamp["chain"]): boolean {
  const path = chain?.path
  if (path === undefined) return false
  const last = path.certificates.length - 1
  return last < 0 || statusesOf(revocation, path, last).some(({ source }) => locations.has(source))
}
