import { setTimeout as pause } from "node:timers/promises"
import type { Kind } from "@paraph/core/signature-request/model"
import { AT_ONCE } from "@paraph/store/postgres/evidence-log"
import { LogBroken } from "../log-heads.ts"
import type { WorkerParts } from "../worker-parts.ts"

/** How long an event waits for its index at most. */
export const SEQUENCE_MS = 1_000
/** Of one log before it is the other's turn. */
const MOST_ROUNDS = 10
/** Whoever could not stamp is asked again then. */
const AGAIN_MS = 60_000

type Tending = Pick<
  WorkerParts,
  "logKinds" | "logIsDue" | "sequenceLog" | "signLogHead" | "stampLogHead" | "now" | "log"
>

/** Gives what waits its index, signs a head once a minute and has one stamped once an hour (ADR 0052). */
export function createLogCare(parts: Tending): () => Promise<void> {
  const { logKinds, logIsDue, sequenceLog, now, log } = parts
  const stampAgainAt = new Map<Kind, number>()

  async function sign(kind: Kind): Promise<void> {
    try {
      await parts.signLogHead(kind)
    } catch (error) {
      // What was changed behind our back is told each time; a token that is away is asked again in a second.
      if (error instanceof LogBroken) log.error({ error, kind }, "the evidence log was changed")
      else log.warn({ error, kind }, "no head of the evidence log was signed")
    }
  }

  async function stamp(kind: Kind): Promise<void> {
    if (now().getTime() < (stampAgainAt.get(kind) ?? 0)) return
    try {
      await parts.stampLogHead(kind)
    } catch (error) {
      stampAgainAt.set(kind, now().getTime() + AGAIN_MS)
      log.warn({ error, kind }, "no head of the evidence log was stamped")
    }
  }

  return async () => {
    for (const kind of logKinds)
      try {
        // Whoever floods the one log does not hold up the other.
        for (let n = 0; n < MOST_ROUNDS && (await sequenceLog(kind)) === AT_ONCE; n++);
        const due = await logIsDue(kind)
        if (due.head) await sign(kind)
        if (due.stamp) await stamp(kind)
      } catch (error) {
        log.error({ error, kind }, "the evidence log was not tended")
      }
  }
}

/** Tends the log until it is told to stop. */
export function startTendingLog(parts: Tending): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const tend = createLogCare(parts)
  const tending = (async () => {
    while (!ending.signal.aborted) {
      await tend()
      await pause(SEQUENCE_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: () => {
      ending.abort()
      return tending
    },
  }
}
