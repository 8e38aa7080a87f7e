import type { Evidence } from "../evidence/model.ts"
import { LIMITS } from "../limits.ts"
import { calledFrom, type SignerSession } from "../login/signer.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { addressOf, countedAs, type Destination } from "./destination.ts"
import { type CodeOf, guessedWrong, isAlive, isOf, isSame, used } from "./model.ts"
import type { HashCode } from "./ports.ts"

export type Judged = "right" | "locked" | { readonly left: number }

/**
 * Whether this is the code. A wrong one is counted before anybody hears that it was wrong: so the answer is told after the
 * transaction, by `mustBeRight`, and never thrown within it. A right one is used up.
 */
export async function checkCode(
  tx: Tx,
  hashCode: HashCode,
  { of, to }: { readonly of: CodeOf; readonly to: Destination },
  typed: string,
  at: Date,
): Promise<Judged> {
  const known = await tx.lockCode(of.purpose, of.signatureId)
  if (known === null || !isOf(known, of) || known.codeHash === null || !isAlive(known, at)) return "locked"
  // Whoever has us ask one person for many signatures does not guess more often for it.
  const tries = await tx.addToday("code wrong", countedAs(to), at, 1)
  if (tries > LIMITS.codesWrongPerAddress || known.wrong >= LIMITS.codesWrongEver) return "locked"
  if (!isSame(known.codeHash, hashCode(known, typed))) {
    const left = guessedWrong(known)
    await tx.saveCode(left)
    return { left: left.attemptsLeft }
  }
  await tx.addToday("code wrong", countedAs(to), at, -1)
  await tx.saveCode(used(known))
  return "right"
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
