import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"

/**
 * What a code is good for: `mailbox` proves that the mailbox, or the telephone, that the sender named is the person's; `release`
 * lets the person's own key sign. A code of the one is never one of the other: each has a row of its own.
 */
export type CodePurpose = "mailbox" | "release"

/** Where a code counts: at one signature, in the session that asked for it, for one thing. */
export type CodeOf = {
  readonly purpose: CodePurpose
  readonly signatureId: string
  readonly sessionHash: Uint8Array
  /** What it was asked for, in the words of who asked, such as the hashes that are to be signed; empty where there is but one thing. */
  readonly binding: string
}

/** One for a signature and a purpose at a time; the code itself is nowhere, its keyed hash is here. */
export type OneTimeCode = CodeOf & {
  readonly number: number
  /** Null until it is made, and again once it was used. */
  readonly codeHash: Uint8Array | null
  readonly askedAt: Date
  /** None: it was guessed at too often, or used. */
  readonly attemptsLeft: number
  /** All askings of the last hour. */
  readonly asked: readonly Date[]
  /** Wrong codes, ever. */
  readonly wrong: number
}

/** The asking that takes the place of the one before; refused where that was a moment ago, or there were too many. */
export function askedAnew(before: OneTimeCode | null, of: CodeOf, at: Date): OneTimeCode {
  mustMayAsk(before, at)
  return {
    ...of,
    number: (before?.number ?? 0) + 1,
    codeHash: null,
    askedAt: at,
    attemptsLeft: LIMITS.codeAttempts,
    asked: [...within(before, at), at],
    wrong: before?.wrong ?? 0,
  }
}

function mustMayAsk(before: OneTimeCode | null, at: Date): void {
  if (before === null) return
  if (before.wrong >= LIMITS.codesWrongEver)
    throw new Refusal("code-locked", "Too many codes were wrong. Please ask the sender.")
  const again = before.askedAt.getTime() + LIMITS.codeResendMs
  const oldest = within(before, at).at(-LIMITS.codesPerHour)
  const free = oldest === undefined ? 0 : oldest.getTime() + HOUR_MS
  const waitMs = Math.max(again, free) - at.getTime()
  if (waitMs > 0)
    throw new Refusal("rate-limited", "A code is on its way. Please wait before you ask for another.", {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
}

const HOUR_MS = 3_600_000
const within = (code: OneTimeCode | null, at: Date): readonly Date[] =>
  (code?.asked ?? []).filter((each) => each.getTime() > at.getTime() - HOUR_MS)

/** Whether it can still be made, or typed: neither too old, nor guessed at too often, nor used. */
export const isAlive = ({ askedAt, attemptsLeft }: OneTimeCode, now: Date): boolean =>
  attemptsLeft > 0 && !isOver(askedAt, now)

const isOver = (askedAt: Date, now: Date): boolean => now.getTime() - askedAt.getTime() >= LIMITS.codeMs

export const isOf = (code: OneTimeCode, of: CodeOf): boolean =>
  code.purpose === of.purpose &&
  code.signatureId === of.signatureId &&
  code.binding === of.binding &&
  isSame(code.sessionHash, of.sessionHash)

/** Used once: it cannot be typed again, and no job that comes late makes it anew. */
export const used = (code: OneTimeCode): OneTimeCode => ({ ...code, codeHash: null, attemptsLeft: 0 })

export const guessedWrong = (code: OneTimeCode): OneTimeCode => ({
  ...code,
  attemptsLeft: code.attemptsLeft - 1,
  wrong: code.wrong + 1,
})

/** What the page shows of it; another session's asking shows as little as none. */
export type Proof = {
  readonly sentAt: Date | null
  readonly resendAt: Date | null
  readonly attemptsLeft: number
}

export function proofOf(code: OneTimeCode | null, of: CodeOf, now: Date): Proof {
  if (code === null || !isOf(code, of) || isOver(code.askedAt, now))
    return { sentAt: null, resendAt: null, attemptsLeft: LIMITS.codeAttempts }
  const resendAt = new Date(code.askedAt.getTime() + LIMITS.codeResendMs)
  return { sentAt: code.askedAt, resendAt, attemptsLeft: code.attemptsLeft }
}

/** Looks at every byte, whichever is the first that differs. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let differs = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) differs |= (one[at] ?? 0) ^ (other[at] ?? 0)
  return differs === 0
}
