import { setTimeout as pause } from "node:timers/promises"
import type { Held } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import type { AskedValidation, DifferencePictures } from "@paraph/core/validation/model"
import type { ValidatePdf } from "@paraph/core/validation/ports"
import type { AnchorTold, AskOutside, Compared, JudgeQuestion, PdfRooms } from "@paraph/gateways/pdf"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import type { ValidationPolicy } from "@paraph/validation/policy"
import type { TrustService } from "@paraph/validation/trusted-list"
import type { ToCompare } from "@paraph/validation/validate"
import { type Seen, withPictures } from "@paraph/validation/with-pictures"
import { ofPdf } from "./refusing.ts"

export type Judging = {
  readonly rooms: Pick<PdfRooms, "validate" | "compareAll">
  readonly now: Clock
  /** Whom a key of this kind trusts. */
  readonly anchorsOf: (kind: Kind) => Promise<readonly AnchorTold[]>
  /** Of trusted lists. */
  readonly servicesNamed: (names: readonly string[]) => Promise<readonly TrustService[]>
  readonly revocation: RevocationPorts
  /** All answers to the questions of one document together: whoever is slow holds up nobody else's document. */
  readonly outsideMs?: number
}

/** One process judges, another one compares pictures; none of them sees anything but this document (R18). */
export const validating =
  ({ rooms, now, anchorsOf, servicesNamed, revocation, outsideMs = OUTSIDE_MS }: Judging): ValidatePdf =>
  async (held, asked, kind) => {
    const policy = policyFor(asked)
    const order = { now: now(), policy, anchors: await anchorsOf(kind), online: true }
    const outside = askingWithin(outsideMs, { servicesNamed, revocation })
    const judged = await rooms.validate(held.file, held, order, outside).catch(ofPdf)
    const { toCompare, processorMs } = judged
    const { seen, pictures } = await comparedAll(rooms, held, toCompare, PROCESSOR_MS - processorMs)
    const report = withPictures(judged.report, seen, policy.changes.visual)
    // Which file it was, for the reports; its name is nobody's to vouch for.
    return { report: { ...report, document: { sha256: held.sha256, size: held.sizeBytes } }, pictures }
  }

/** Decisions, "rejecting": what is not rejected is told. */
const policyFor = (asked: AskedValidation): ValidationPolicy => ({
  ...DEFAULT_POLICY,
  changes: {
    undefined: asked.rejectUndefinedChanges ? "fail" : "note",
    visual: asked.rejectVisualDifferences ? "fail" : "note",
    // Another value is a change and a difference to the eye: only a caller who accepts both accepts it (choice 464).
    filled: asked.rejectUndefinedChanges || asked.rejectVisualDifferences ? "fail" : "note",
  },
})

const OUTSIDE_MS = 10_000

/** What is asked of ourselves is not counted, nor is the time for which nobody waits for an answer. */
function askingWithin(
  ms: number,
  { servicesNamed, revocation }: Pick<Judging, "servicesNamed" | "revocation">,
): AskOutside<JudgeQuestion> {
  const ask = async (question: Exclude<JudgeQuestion, { of: "services" }>): Promise<Uint8Array> => {
    if (question.of === "ocsp") return revocation.askOcsp(question.url, question.body)
    if (question.of === "crl") return revocation.fetchCrl(question.url)
    if (revocation.fetchCertificate === undefined) throw new Error("Nobody is asked.")
    return revocation.fetchCertificate(question.url)
  }
  let left = ms
  let open = 0
  let since = 0
  return async (question) => {
    if (question.of === "services") return Buffer.from(JSON.stringify(await servicesNamed(question.names)))
    if (open === 0) since = performance.now()
    open += 1
    const over = new AbortController()
    const until = Math.max(0, left - (performance.now() - since))
    const tooLate = pause(until, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error("The answer took too long.")
    })
    try {
      return await Promise.race([ask(question), tooLate])
    } finally {
      over.abort()
      tooLate.catch(() => undefined)
      open -= 1
      if (open === 0) left -= performance.now() - since
    }
  }
}

/** Of the processor, for one document: who judges it and who compares its pages share it. */
const PROCESSOR_MS = 5_000
/** Of all that are kept for a validation (choice 416). */
const MAX_PICTURES = LIMITS.differencePictures

/** What is not looked at in time is not said to look the same. */
async function comparedAll(
  { compareAll }: Judging["rooms"],
  { file, ...owner }: Held,
  all: readonly ToCompare[],
  processorMs: number,
): Promise<{ readonly seen: readonly Seen[]; readonly pictures: readonly DifferencePictures[] }> {
  const pictures: DifferencePictures[] = []
  if (all.length === 0) return { seen: [], pictures }
  const comparisons = all.map(({ before, pages }) => ({ before, pages }))
  const asked = { comparisons, maxPictures: MAX_PICTURES, processorMs }
  const compared = await compareAll(file, owner, asked).catch(ofPdf)
  const seen = all.map((one, i) => seenOf(one, compared[i], pictures))
  return { seen, pictures }
}

/** Numbers its pictures after those that are there already. */
function seenOf({ field }: ToCompare, compared: Compared | undefined, all: DifferencePictures[]): Seen {
  if (compared === undefined) return { field, complete: false, pages: [] }
  const numbers = new Map<number, number>()
  for (const { page, before, after, difference } of compared.pictures) {
    const n = all.length + 1
    numbers.set(page, n)
    all.push({ n, before, after, difference })
  }
  const pages = compared.pages.map(({ page, different }) => {
    const picture = numbers.get(page)
    return { page, different, ...(picture !== undefined && { picture }) }
  })
  return { field, complete: compared.complete, pages }
}
