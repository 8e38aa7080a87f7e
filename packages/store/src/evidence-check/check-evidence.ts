import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "../postgres/database.ts"
import type { StorySealer } from "../postgres/evidence.ts"
import { type CheckParts, checkLog } from "./check-log.ts"
import { checkStories } from "./check-stories.ts"
import { type Finding, MOST_FINDINGS } from "./finding.ts"

export type { CheckParts, Finding }

/** All that is kept as evidence, against itself and against what others have kept of it; none found: it holds (ADR 0052). */
export const checkEvidence = (
  db: ServiceDatabase,
  sealer: StorySealer,
  parts: Readonly<Record<"demo" | "production", CheckParts>>,
): Promise<readonly Finding[]> =>
  // As it was at one moment; whoever goes on working is not held up.
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => checkEvidenceIn(trx, sealer, parts))

export async function checkEvidenceIn(
  trx: Trx,
  sealer: StorySealer,
  parts: Readonly<Record<"demo" | "production", CheckParts>>,
): Promise<readonly Finding[]> {
  // A log of some years is read in minutes.
  await sql`set local statement_timeout = 0; `.execute(trx)
  const findings: Finding[] = []
  const take = async (from: AsyncGenerator<Finding>) => {
    for await (const finding of from) if (findings.push(finding) >= MOST_FINDINGS) return
  }
  await take(checkLog(trx, "demo", parts.demo))
  await take(checkLog(trx, "production", parts.production))
  await take(checkStories(trx, sealer))
  return findings
}
