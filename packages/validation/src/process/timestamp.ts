// Time-stamps (EN 319 102-1, 5.4), and the proofs of existence that they give (5.6.2.3). The newest is judged first: what
// it proves may save an older one.

import type { Certificate } from "@paraph/pki/certificate"
import { ID_CT_TST_INFO } from "@paraph/pki/timestamp-token"
import { chainOutcome, type JudgedChain, judgeChain } from "../block/chain.ts"
import { acceptAlgorithms, signingCertificate, verifyMark } from "../block/cryptographic.ts"
import { checkImprint, checkNaming, checkPurpose, contentOf, stampUse } from "../block/timestamp-blocks.ts"
import type { Context } from "../context.ts"
import { isCovered, prove } from "../evidence/proofs.ts"
import type { Mark, Material, Stamp } from "../material/material.ts"
import { because, failed, firstFault, mayHaveHeld, type Outcome, PASSED, passed } from "../outcome.ts"
import { validatePast } from "./past.ts"

export type JudgedStamp = {
  readonly stamp: Stamp
  /** Of a time-stamp over a signature. */
  readonly mark?: Mark
  /** Today's verdict (5.4), and with the proofs that newer time-stamps give (5.6.3.4, step 5). */
  readonly basic: Outcome
  readonly outcome: Outcome
  readonly genTime: Date | undefined
  readonly certificate: Certificate | undefined
  readonly chain: JudgedChain | undefined
}

/** All of a document, in the order given: those of signatures first. Adds to the proofs of the context. */
export function judgeStamps(context: Context, { signatures, timestamps }: Material): readonly JudgedStamp[] {
  const all = [
    ...signatures.flatMap((mark) => mark.stamps.map((stamp) => ({ stamp, mark }))),
    ...timestamps.map((stamp) => ({ stamp, mark: undefined })),
  ]
  const judged = new Map<Stamp, JudgedStamp>()
  for (const { stamp, mark } of all.toSorted((a, b) => timeOf(b.stamp) - timeOf(a.stamp))) {
    const basic = judgeBasic(context, stamp)
    const outcome = withPast(context, stamp, basic)
    judged.set(stamp, { stamp, ...(mark && { mark }), ...basic, outcome })
    if (passed(outcome)) extractProofs(context, stamp, mark, { signatures, timestamps })
  }
  return all.flatMap(({ stamp }) => judged.get(stamp) ?? [])
}

function timeOf({ token }: Stamp): number {
  return token?.genTime.getTime() ?? 0
}

type Basic = Pick<JudgedStamp, "basic" | "genTime" | "certificate" | "chain">

function judgeBasic(context: Context, { token, stamped, pdf }: Stamp): Basic {
  const nothing = { genTime: token?.genTime, certificate: undefined, chain: undefined }
  if (pdf?.fault !== undefined && pdf.fault !== "contents-padding")
    return { ...nothing, basic: failed("FORMAT_FAILURE", because("byte-range", { fault: pdf.fault })) }
  // ISO 32000-2, 12.8.5: a document time-stamp is over the document from its first byte on.
  if (pdf?.coverage === "unclear")
    return { ...nothing, basic: failed("FORMAT_FAILURE", because("byte-range", { fault: "coverage" })) }
  const [signer, ...others] = token?.signedData.signerInfos ?? []
  if (token === undefined || signer === undefined || others.length > 0)
    return { ...nothing, basic: failed("FORMAT_FAILURE", because("timestamp-unreadable")) }
  const certificate = signingCertificate(context, token.signedData, signer)
  const content = contentOf(token, signer)
  const { identified, verified, namesCertificate } = verifyMark(certificate, signer, content, ID_CT_TST_INFO)
  const chain = certificate && judgeChain(context, certificate, "timestamp", token.genTime)
  const basic = firstFault(
    () => identified,
    () => checkImprint(token, stamped),
    () => verified,
    () => checkPurpose(certificate),
    () => checkNaming(context, namesCertificate),
    () => chainOutcome(chain),
    () =>
      certificate ? acceptAlgorithms(context, stampUse(token, signer, certificate), context.now) : PASSED,
  )
  return { basic, genTime: token.genTime, certificate, chain }
}

/** 5.6.3.4, step 5 c): what no longer holds today may have held when a newer time-stamp proved that it existed. */
function withPast(context: Context, stamp: Stamp, { basic, certificate, chain }: Basic): Outcome {
  const [signer] = stamp.token?.signedData.signerInfos ?? []
  if (passed(basic) || chain?.path === undefined || certificate === undefined) return basic
  if (stamp.token === undefined || signer === undefined || !mayHaveHeld(basic)) return basic
  const use = stampUse(stamp.token, signer, certificate)
  return validatePast(context, { subject: stamp, path: chain.path, purpose: "timestamp", use }, basic)
}

// 5.6.2.3: a document time-stamp proves what lies wholly in the bytes that it hashes; one over a signature proves the
// value, and by that the signed attributes with the certificate that they name.
function extractProofs(
  { proofs, locations, certificates }: Context,
  stamp: Stamp,
  mark: Mark | undefined,
  { signatures, timestamps }: Pick<Material, "signatures" | "timestamps">,
): void {
  const { type, token, pdf } = stamp
  if (token === undefined) return
  const { genTime } = token
  if (type === "signature") {
    if (mark !== undefined) prove(proofs, mark, genTime)
    const signer = mark?.cms && signingCertificate({ certificates }, mark.cms.signedData, mark.cms.signer)
    if (signer !== undefined && namesByEss(mark, signer)) prove(proofs, signer, genTime)
    return
  }
  const byteRange = pdf?.byteRange
  if (byteRange === undefined) return
  for (const [thing, at] of locations) if (isCovered(at, byteRange)) prove(proofs, thing, genTime)
  for (const one of signatures) {
    if (!isOver(stamp, one)) continue
    prove(proofs, one, genTime)
    for (const inner of one.stamps) prove(proofs, inner, genTime)
  }
  for (const other of timestamps)
    if (other.pdf?.hole !== undefined && isCovered([other.pdf.hole], byteRange)) prove(proofs, other, genTime)
}

/** The signature identifies its certificate by issuer and serial number, which nothing signs; ESS adds a signed hash of it. */
function namesByEss(mark: Mark | undefined, certificate: Certificate): boolean {
  const signer = mark?.cms?.signer
  if (signer === undefined) return false
  const { verified, namesCertificate } = verifyMark(certificate, signer, mark?.cms?.content)
  return passed(verified) && namesCertificate
}

/** Whether a document time-stamp hashes the whole signature. */
export function isOver({ type, pdf }: Stamp, { pdf: { hole } }: Mark): boolean {
  return (
    type === "document" &&
    pdf?.byteRange !== undefined &&
    hole !== undefined &&
    isCovered([hole], pdf.byteRange)
  )
}
