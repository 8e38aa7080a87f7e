import { LIMITS } from "../limits.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { CreditAgreement, UsualCredits } from "./model.ts"

type AgreeTx = Pick<Tx, "lockCredits" | "creditAgreement" | "saveCreditAgreement" | "appendAudit">

/** By an operator, for one business; counts from now on. What was booked before stays as it was. */
export async function agreeOnCredits(
  tx: AgreeTx,
  { at, by, usual }: { readonly at: Date; readonly by: string | null; readonly usual: UsualCredits },
  { businessId, to }: { readonly businessId: string; readonly to: UsualCredits },
): Promise<CreditAgreement> {
  if (!isAmount(to.price) || !(to.included === null || isAmount(to.included)))
    throw new Refusal("constraint-violated", `Credits are whole numbers up to ${LIMITS.credits}.`)
  await tx.lockCredits()
  const { price, included } = await tx.creditAgreement(usual)
  const agreement = { price: to.price, included: to.included, validFrom: at }
  await tx.saveCreditAgreement(agreement)
  const change = { before: { price, included }, after: { ...to } }
  await tx.appendAudit({ at, by, act: "set-credits", target: `business ${businessId}`, ...change })
  return agreement
}

const isAmount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= LIMITS.credits
