import type { Logger } from "../telemetry/logs.ts"
import type { WorkerParts } from "../worker-parts.ts"

const AGAIN_MS = 3_600_000

/**
 * New generations before the old ones end, lists and answers before they are stale (ADR 0038). What only the operator can mend is
 * told once an hour, for as long as it is so; an HSM that is away is told by its own health.
 */
export function createAuthorityCare({
  lookAfterAuthority,
  lookAfterSeals,
  now,
  log,
}: Pick<WorkerParts, "lookAfterAuthority" | "lookAfterSeals" | "now"> & {
  log: Logger
}): () => Promise<void> {
  const told = new Map<string, number>()
  return async () => {
    const ofAuthority = await lookAfterAuthority().catch((error: unknown) => {
      log.warn({ error }, "the authority was not looked after")
      return []
    })
    const ofSeals = await lookAfterSeals().catch((error: unknown) => {
      log.warn({ error }, "the seals were not looked after")
      return []
    })
    const problems = [...ofAuthority, ...ofSeals]
    const at = now().getTime()
    for (const problem of problems) {
      if (at - (told.get(problem) ?? -Infinity) < AGAIN_MS) continue
      told.set(problem, at)
      log.error({ problem }, "the authority needs its operator")
    }
    if (problems.length === 0) told.clear()
  }
}
