import type { SealProtocol } from "../jobs.ts"
import type { Read, Transact } from "../ports.ts"
import type { ReportSealer } from "../validation/ports.ts"
import { mustBeTold } from "./must-be-told.ts"
import type { CatchUpLog, MustHold, WriteProtocol } from "./ports.ts"
import { protocolOf } from "./protocol.ts"
import { lackOf, type PaperParts, sealPaper } from "./seal-paper.ts"

export type SealProtocolParts = PaperParts & {
  readonly read: Read
  readonly transact: Transact
  readonly catchUpLog: CatchUpLog
  readonly mustHold: MustHold
  readonly writeProtocol: WriteProtocol
  readonly reportSealer: ReportSealer
  /** Told each point that is passed; a test may end the process there. */
  readonly pass: (point: "protocol-sealed" | "protocol-kept") => void
}

/**
 * Writes the protocol of a request from its evidence, and seals it with the key of reports. It leaves no evidence behind: then it
 * would be outdated by its own making (ADR 0053). However often this is called, the first one that is kept stays; whoever dies on
 * the way leaves nothing.
 */
export async function sealProtocol(parts: SealProtocolParts, task: SealProtocol): Promise<void> {
  const { businessId, requestId, language } = task
  const of = { requestId, language }
  const request = await parts.read(businessId, async (reading) =>
    (await reading.isProtocolOrdered(of)) ? reading.findRequest(requestId) : null,
  )
  // Deleted, or made by somebody else.
  if (request === null) return
  try {
    await parts.catchUpLog(request.kind)
    const told = await parts.read(businessId, async (reading) => ({
      request: await reading.findRequest(requestId),
      story: await reading.findStory(requestId),
    }))
    if (told.request === null || told.story === null) return
    const { kind } = told.request
    // By the log the kind is proved, by which the key is chosen: a row of the database says nothing to a seal.
    await parts.mustHold(requestId, kind, told.story)
    mustBeTold(told.request, told.story.events)
    const protocol = protocolOf(told.request, told.story)
    const sealer = await parts.reportSealer(kind)
    const paper = await parts.writeProtocol({ protocol, story: told.story, language, sealer: sealer.name })
    const by = { businessId, kind, id: requestId, sealer, reason: reasonOf(requestId) }
    const pdf = await sealPaper(parts, by, paper)
    parts.pass("protocol-sealed")
    const lastSeq = told.story.events.at(-1)?.seq ?? 0
    await parts.transact(businessId, (tx) => tx.keepProtocol(of, pdf, lastSeq))
    parts.pass("protocol-kept")
  } catch (error) {
    const lack = lackOf(error)
    if (lack !== null) await parts.transact(businessId, (tx) => tx.noteProtocolWaits(of, lack))
    throw error
  }
}

export const reasonOf = (id: string): string => `Protocol of signature request ${id}`
