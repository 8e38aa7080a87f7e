import type { AuthorityParts } from "../authority-parts.ts"
import type { Logger } from "../telemetry/logs.ts"

const AGAIN_MS = 3_600_000

/**
 * New generations before the old ones end, lists and answers before they are stale (ADR 0038). What only the operator can mend is
 * told once an hour, for as long as it is so; an HSM that is away is told by its own health.
 */
export function createAuthorityCare({
  lookAfterAuthority,
  now,
  log,
}: Pick<AuthorityParts, "lookAfterAuthority"> & { now: () => Date; log: Logger }): () => Promise<void> {
  const told = new Map<string, number>()
  return async () => {
    const problems = await lookAfterAuthority().catch((error: unknown) => {
      log.warn({ error }, "the authority was not looked after")
      return []
    })
    const at = now().getTime()
    for (const problem of problems) {
      if (at - (told.get(problem) ?? -Infinity) < AGAIN_MS) continue
      told.set(problem, at)
      log.error({ problem }, "the authority needs its operator")
    }
    if (problems.length === 0) told.clear()
  }
}
