// One signature through the three processes, each of which goes on where the one before had too little proof: basic
// (EN 319 102-1, 5.3), with time and long-term validation material (5.5), with archival material (5.6).

import type { Certificate } from "@paraph/pki/certificate"
import { acceptMark } from "../block/acceptance.ts"
import { chainOutcome, type JudgedChain, judgeChain } from "../block/chain.ts"
import { acceptAlgorithms, signingCertificate, useOf, verifyMark } from "../block/cryptographic.ts"
import { checkFormat } from "../block/format.ts"
import type { Context } from "../context.ts"
import { provedAt } from "../evidence/proofs.ts"
import type { Mark } from "../material/material.ts"
import { firstFault, mayHaveHeld, type Outcome, PASSED, passed } from "../outcome.ts"
import type { AlgorithmUse } from "../policy/reliability.ts"
import type { BlockReport } from "../report.ts"
import { withTime } from "./long-term.ts"
import { validatePast } from "./past.ts"
import { isOver, type JudgedStamp } from "./timestamp.ts"

export type JudgedMark = {
  readonly mark: Mark
  readonly outcome: Outcome
  readonly blocks: readonly BlockReport[]
  readonly certificate: Certificate | undefined
  readonly chain: JudgedChain | undefined
  /** The earliest time at which the signature is proved to have existed; now, where nothing proves it. */
  readonly existedAt: Date
}

/** `changes` is what the difference analysis says of the revisions behind this signature. */
export function judgeMark(
  context: Context,
  mark: Mark,
  stamps: readonly JudgedStamp[],
  changes: Outcome,
): JudgedMark {
  const blocks = judgeBlocks(context, mark, changes)
  const basic = basicOutcome(blocks)
  const judged = {
    mark,
    certificate: blocks.certificate,
    chain: blocks.chain,
    existedAt: provedAt(context.proofs, mark),
  }
  const isIntact = passed(blocks.format) && passed(blocks.identified) && passed(blocks.verified)
  const longTerm =
    isIntact && mayGoOn(basic)
      ? longTermOutcome(context, blocks, bestSignatureTime(context, mark, stamps))
      : basic
  const archival = isIntact && mayGoOn(longTerm) ? archivalOutcome(context, mark, blocks, longTerm) : longTerm
  return {
    ...judged,
    outcome: archival,
    blocks: [
      { block: "format-checking", ...blocks.format },
      { block: "identification-of-the-signing-certificate", ...blocks.identified },
      { block: "x509-certificate-validation", ...chainOutcome(blocks.chain) },
      { block: "cryptographic-verification", ...blocks.verified },
      {
        block: "signature-acceptance-validation",
        ...firstFault(
          () => blocks.accepted,
          () => blocks.algorithms,
        ),
      },
      { block: "basic", ...basic },
      { block: "long-term", ...longTerm },
      { block: "archival", ...archival },
    ],
  }
}

type Blocks = {
  readonly format: Outcome
  readonly identified: Outcome
  readonly verified: Outcome
  readonly accepted: Outcome
  readonly algorithms: Outcome
  readonly certificate: Certificate | undefined
  readonly chain: JudgedChain | undefined
  readonly use: AlgorithmUse | undefined
}

function judgeBlocks(context: Context, mark: Mark, changes: Outcome): Blocks {
  const { cms } = mark
  const signer = cms?.signer
  const certificate = cms && signingCertificate(context, cms.signedData, signer)
  const verdict = signer && verifyMark(certificate, signer, cms?.content)
  const use = signer && certificate && useOf(signer, certificate, cms?.content)
  return {
    format: firstFault(
      () => checkFormat(mark),
      () => changes,
    ),
    identified: verdict?.identified ?? PASSED,
    verified: verdict?.verified ?? PASSED,
    accepted: acceptMark(context, mark, certificate, verdict?.namesCertificate ?? false),
    algorithms: use ? acceptAlgorithms(context, use, context.now) : PASSED,
    certificate,
    chain: certificate && judgeChain(context, certificate, "signature"),
    use,
  }
}

/** 5.3.4: a wrong signature is wrong whatever its certificate is. */
function basicOutcome({ format, identified, verified, chain, accepted, algorithms }: Blocks): Outcome {
  return firstFault(
    () => format,
    () => identified,
    () => verified,
    () => chainOutcome(chain),
    () => accepted,
    () => algorithms,
  )
}

function longTermOutcome(context: Context, blocks: Blocks, existedAt: Date): Outcome {
  const { certificate, chain, use, accepted } = blocks
  if (certificate === undefined || chain === undefined || use === undefined) return basicOutcome(blocks)
  return firstFault(
    () => withTime(context, certificate, chain, existedAt),
    () => accepted,
    () => acceptAlgorithms(context, use, existedAt),
  )
}

function archivalOutcome(
  context: Context,
  mark: Mark,
  { chain, use, accepted }: Blocks,
  longTerm: Outcome,
): Outcome {
  const path = chain?.path
  if (passed(longTerm) || path === undefined || use === undefined) return longTerm
  return firstFault(
    () => validatePast(context, { subject: mark, path, purpose: "signature", use }, longTerm),
    () => accepted,
  )
}

/** 5.5.4, step 3: the earliest time-stamp that holds today and is over the signature. */
function bestSignatureTime({ now }: Context, mark: Mark, stamps: readonly JudgedStamp[]): Date {
  const times = stamps
    .filter(({ stamp, mark: own, basic }) => passed(basic) && (own === mark || isOver(stamp, mark)))
    .flatMap(({ genTime }) => genTime ?? [])
  return new Date(Math.min(now.getTime(), ...times.map((at) => at.getTime())))
}

// 5.5.4, step 1 and 5.6.3.4, step 2: whatever else was said, no proof of existence would change.
function mayGoOn(outcome: Outcome): boolean {
  return passed(outcome) || mayHaveHeld(outcome)
}
