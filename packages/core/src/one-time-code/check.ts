import type { Evidence } from "../evidence/model.ts"
import { LIMITS } from "../limits.ts"
import { everyHash } from "../login/hashes.ts"
import { calledFrom, type SignerSession } from "../login/signer.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { addressOf, countedAs, type Destination } from "./destination.ts"
import { type CodeOf, guessedWrong, isAlive, isOf, isSame, used } from "./model.ts"
import type { HashCode } from "./ports.ts"

export type Checking = {
  readonly of: CodeOf
  readonly to: Destination
  /** The business that asks for the signature. */
  readonly businessId: string
}

export type Judged = "right" | "locked" | { readonly left: number }

/**
 * Whether this is the code. A wrong one is counted before anybody hears that it was wrong: so the answer is told after the
 * transaction, by `mustBeRight`, and never thrown within it. A right one is used up.
 */
export async function checkCode(
  tx: Tx,
  hashCode: HashCode,
  { of, to, businessId }: Checking,
  typed: string,
  at: Date,
): Promise<Judged> {
  const known = await tx.lockCode(of.purpose, of.signatureId)
  if (known === null || !isOf(known, of) || known.codeHash === null || !isAlive(known, at)) return "locked"
  if (known.wrong >= LIMITS.codesWrongEver || !(await countGuess(tx, to, businessId, at))) return "locked"
  const { codeHash } = known
  if (!everyHash(hashCode(known, typed)).some((hash) => isSame(codeHash, hash))) {
    const left = guessedWrong(known)
    await tx.saveCode(left)
    return { left: left.attemptsLeft }
  }
  await uncountGuess(tx, to, businessId, at)
  await tx.saveCode(used(known))
  return "right"
}

/**
 * Counts a guess over all signatures that one business asks this person for, and over all businesses. A business that guesses uses up
 * its own share for the day: the right code of the same person at another business stays valid. False where a share is used up; then
 * the guess does not count over all businesses.
 */
async function countGuess(tx: Tx, to: Destination, businessId: string, at: Date): Promise<boolean> {
  const ofBusiness = await tx.addToday("code wrong in business", `${businessId} ${countedAs(to)}`, at, 1)
  if (ofBusiness > LIMITS.codesWrongPerAddress) return false
  return (await tx.addToday("code wrong", countedAs(to), at, 1)) <= LIMITS.codesWrongInAll
}

async function uncountGuess(tx: Tx, to: Destination, businessId: string, at: Date): Promise<void> {
  await tx.addToday("code wrong in business", `${businessId} ${countedAs(to)}`, at, -1)
  await tx.addToday("code wrong", countedAs(to), at, -1)
}

export function mustBeRight(judged: Judged): void {
  if (judged === "right") return
  if (judged === "locked" || judged.left === 0)
    throw new Refusal("code-locked", "This code is not good any more. Please ask for a new one.")
  throw new Refusal("code-wrong", `The code is wrong. Attempts left: ${judged.left}.`)
}

/** That somebody had the code which only that mailbox or telephone was sent. */
export const passedBy = (
  { signatureId, purpose }: CodeOf,
  to: Destination,
  by: Pick<SignerSession, "ip">,
  at: Date,
): Evidence => ({
  type: "factor.passed",
  at,
  signatureId,
  data: {
    kind: to.channel === "mail" ? "e-mail-code" : "sms-code",
    to: addressOf(to),
    ...(purpose !== "mailbox" && { purpose }),
    ...calledFrom(by),
  },
})
