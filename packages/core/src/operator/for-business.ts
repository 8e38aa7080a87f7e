import { endForClaim, endKey } from "../business/make-keys.ts"
import { FEATURES, type Feature } from "../business/model.ts"
import { agreeOnCredits } from "../credits/agree.ts"
import type { CreditAgreement, UsualCredits } from "../credits/model.ts"
import type { Language } from "../language.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Operator } from "./operator.ts"
import { type Judged, judgeSenderName } from "./sender-name.ts"

type Parts = {
  readonly transact: Transact
  readonly now: Clock
  readonly isBusiness: (id: string) => Promise<boolean>
}

/** REG-02: exactly these are switched on from here on; one row of the audit log for each that was not as it is now. */
export function setFeatures(
  parts: Parts,
  { email }: Operator,
  businessId: string,
  wanted: readonly Feature[],
): Promise<readonly Feature[]> {
  return inBusiness(parts, businessId, async (tx) => {
    const { features: before } = await tx.lockSettings()
    for (const feature of FEATURES) {
      const [was, on] = [before.includes(feature), wanted.includes(feature)]
      if (was === on) continue
      await tx.setFeature(feature, on)
      const change = { before: { [feature]: was }, after: { [feature]: on } }
      const target = `business ${businessId}`
      await tx.appendAudit({ at: parts.now(), by: email, act: "set-feature", target, ...change })
    }
    return FEATURES.filter((feature) => wanted.includes(feature))
  })
}

/** Decisions, "credits used up": what a business pays, and how much it may use, from now on. */
export const setCredits = (
  parts: Parts & { readonly usualCredits: UsualCredits },
  { email }: Operator,
  businessId: string,
  to: UsualCredits,
): Promise<CreditAgreement> =>
  inBusiness(parts, businessId, (tx) =>
    agreeOnCredits(tx, { at: parts.now(), by: email, usual: parts.usualCredits }, { businessId, to }),
  )

/** AUTH-14: a key that is out is dead at once. The business claims what takes its place; operators never see it. */
export const resetKeyOf = async (
  parts: Parts,
  { email }: Operator,
  of: { readonly businessId: string; readonly id: string },
  language: Language,
): Promise<void> => {
  await inBusiness(parts, of.businessId, (tx) =>
    endForClaim(tx, { at: parts.now(), by: email }, { ...of, language }),
  )
}

export const revokeKeyOf = async (
  parts: Parts,
  { email }: Operator,
  { businessId, id }: { readonly businessId: string; readonly id: string },
): Promise<void> => {
  await inBusiness(parts, businessId, (tx) => endKey(tx, { at: parts.now(), by: email }, id))
}

export const judgeSenderNameOf = (parts: Parts, { email }: Operator, judged: Judged): Promise<void> =>
  inBusiness(parts, judged.businessId, (tx) => judgeSenderName(tx, { at: parts.now(), by: email }, judged))

async function inBusiness<T>(
  { transact, isBusiness }: Parts,
  businessId: string,
  work: Parameters<typeof transact<T>>[1],
): Promise<T> {
  if (!(await isBusiness(businessId))) throw new Refusal("not-found", "There is no such business.")
  return transact(businessId, work)
}
