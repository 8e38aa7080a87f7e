import type { SealReport } from "../jobs.ts"
import type { Read, Transact } from "../ports.ts"
import { lackOf, type PaperParts, sealPaper } from "../report/seal-paper.ts"
import type { Validation } from "./model.ts"
import type { Reported, ReportSealer, WritePdfReport } from "./ports.ts"

export type SealReportParts = PaperParts & {
  readonly read: Read
  readonly transact: Transact
  readonly writePdfReport: WritePdfReport
  readonly reportSealer: ReportSealer
  /** Told where the report is sealed and not kept yet; a test may end the process there. */
  readonly pass: (point: "report-sealed") => void
}

/**
 * Writes one report for people and seals it with the key that the service has for that. What is sealed is written here, from what was kept of
 * the validation: no bytes that lay anywhere get a seal (ADR 0051). However often this is called, the first one that is kept
 * stays; whoever dies on the way leaves nothing.
 */
export async function sealReport(parts: SealReportParts, task: SealReport): Promise<void> {
  const { businessId, validationId, language } = task
  const of = { validationId, language }
  const ordered = await parts.read(businessId, async (reading) => {
    const validation = await reading.findOrderedReport(of, parts.now())
    return validation && { validation, pictures: await reading.listDifferences(validationId) }
  })
  // Deleted, over, or made by somebody else.
  if (ordered === null) return
  const { validation, pictures } = ordered
  const { id, report, asked } = validation
  try {
    const pdf = await written(parts, task, validation, { id, report, asked, pictures })
    parts.pass("report-sealed")
    await parts.transact(businessId, async (tx) => {
      if (!(await tx.keepReport(of, pdf))) return
      const data = { kind: validation.kind, language, sha256: parts.sha256Of(pdf) }
      await tx.appendEvidence(validationId, [{ type: "report.sealed", at: parts.now(), data }])
    })
  } catch (error) {
    const lack = lackOf(error)
    if (lack !== null) await parts.transact(businessId, (tx) => tx.noteReportWaits(of, lack))
    throw error
  }
}

async function written(
  parts: SealReportParts,
  { businessId, language }: SealReport,
  { kind }: Validation,
  reported: Reported,
): Promise<Uint8Array> {
  const sealer = await parts.reportSealer(kind)
  const { id } = reported
  const paper = await parts.writePdfReport({ ...reported, language, kind, sealer: sealer.name })
  return sealPaper(parts, { businessId, kind, id, sealer, reason: reasonOf(id) }, paper)
}

export const reasonOf = (id: string): string => `Report on validation ${id}`
