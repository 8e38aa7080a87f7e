import { LIMITS } from "../limits.ts"
import type { Attempted, Claimed } from "./model.ts"

export type Answered = {
  readonly delivered: boolean
  readonly message: string
  /** What the receiver asked for, if it did. */
  readonly retryAfterSeconds?: number
}

/**
 * Decisions, "callback delivery": any 2xx ends it; otherwise again with growing pauses for 72 hours, honouring
 * `Retry-After`. The last attempt is at the end of that time, however long the pause would have been. One that was hardly tried by
 * then goes on for a few attempts: a clock was days ahead for a moment, or no worker was there.
 */
export function whatFollows(
  { attempts, giveUpAt }: Pick<Claimed, "attempts" | "giveUpAt">,
  { delivered, message, retryAfterSeconds = 0 }: Answered,
  at: Date,
  { firstPauseMs, random }: { readonly firstPauseMs: number; readonly random: number },
): Attempted {
  if (delivered) return { message, at, next: { state: "COMPLETED" } }
  const isOver = at >= giveUpAt
  if (isOver && attempts + 1 >= LIMITS.leastAttempts) return { message, at, next: { state: "RESIGNED" } }
  const asked = Math.min(retryAfterSeconds * 1000, LIMITS.retryAfterMs)
  const pauseMs = Math.max(pauseAfter(attempts + 1, firstPauseMs, random), asked)
  const dueAt = new Date(
    Math.min(at.getTime() + pauseMs, isOver ? Number.POSITIVE_INFINITY : giveUpAt.getTime()),
  )
  return { message, at, next: { state: "OPEN", dueAt } }
}

/**
 * Twice as long after each failure, up to an hour; then a random part of a quarter is taken off, so that what failed
 * together does not come back together (security, R16). `random` is from 0 to 1.
 */
export function pauseAfter(failures: number, firstPauseMs: number, random: number): number {
  const whole = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 30), LIMITS.deliveryPauseMs)
  return whole * (1 - random / 4)
}
