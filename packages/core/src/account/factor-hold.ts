import { LIMITS } from "../limits.ts"
import type { AccountSession } from "./model.ts"

/** A factor activates no signing key of a production signature before this time; null: at once. */
export type FactorHold = { readonly heldUntil: Date | null }

export const isHeld = (heldUntil: Date | null, now: Date): boolean => heldUntil !== null && heldUntil > now

/**
 * The hold of a factor that is added or recovered in this session. A session that was opened with an older factor confirms the new
 * one; a password, a mailed code or a recovery code does not, because a thief of the mailbox can get these.
 */
export function holdOfNewFactor(
  { strong, factorHeldUntil }: Pick<AccountSession, "strong" | "factorHeldUntil">,
  now: Date,
): Date | null {
  const isConfirmed = strong && !isHeld(factorHeldUntil, now)
  return isConfirmed ? null : holdFrom(now)
}

export const holdFrom = (now: Date): Date => new Date(now.getTime() + LIMITS.newFactorHoldMs)
