import { endKey, type KeyParts, type MadeKey, replaceKey } from "../business/make-keys.ts"
import { FEATURES, type Feature } from "../business/model.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Operator } from "./operator.ts"

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

/** AUTH-14: a key that is out. What takes its place is answered once. */
export const resetKeyOf = (
  parts: Parts & KeyParts,
  { email }: Operator,
  { businessId, id }: { readonly businessId: string; readonly id: string },
): Promise<MadeKey> =>
  inBusiness(parts, businessId, async (tx) => {
    const { keyLifetimeDays: days } = await tx.lockSettings()
    return replaceKey(tx, parts, { at: parts.now(), by: email }, { id, days })
  })

export const revokeKeyOf = async (
  parts: Parts,
  { email }: Operator,
  { businessId, id }: { readonly businessId: string; readonly id: string },
): Promise<void> => {
  await inBusiness(parts, businessId, (tx) => endKey(tx, { at: parts.now(), by: email }, id))
}

async function inBusiness<T>(
  { transact, isBusiness }: Parts,
  businessId: string,
  work: Parameters<typeof transact<T>>[1],
): Promise<T> {
  if (!(await isBusiness(businessId))) throw new Refusal("not-found", "There is no such business.")
  return transact(businessId, work)
}
