import type { Audited } from "@paraph/core/business/ports"
import { agreeOnCredits } from "@paraph/core/credits/agree"
import type { CreditAgreement, UsualCredits } from "@paraph/core/credits/model"
import { LIMITS } from "@paraph/core/limits"
import { usualCreditsOf } from "@paraph/server/usual-credits"
import { creditAgreement, lockCredits, saveCreditAgreement } from "@paraph/store/postgres/credits"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

/** What is agreed with a business on credits (decisions, "credits used up"). */
export const CREDIT_ACTS: Readonly<Record<string, act.Act>> = {
  "set-credits": {
    usage: "--business ID --price N --included N|unlimited",
    about:
      "what a validation costs this business, and how many credits it may use within a month; counts from now on",
    read: (options) => {
      const id = act.givenId(options, "business")
      const price = amount(act.given(options, "price"), "price")
      const asked = act.given(options, "included")
      const included = asked === "unlimited" ? null : amount(asked, "included")
      return async (desk) => {
        await act.findBusiness(desk, id)
        const tx = {
          lockCredits: () => lockCredits(desk.trx, id),
          creditAgreement: (usual: UsualCredits) => creditAgreement(desk.trx, id, usual),
          saveCreditAgreement: (to: CreditAgreement | null) => saveCreditAgreement(desk.trx, id, to),
          appendAudit: ({ at: _, by: __, ...entry }: Audited) => desk.record({ businessId: id, ...entry }),
        }
        const acting = { at: desk.now, by: desk.by.person, usual: usualCreditsOf(desk.config) }
        await agreeOnCredits(tx, acting, { businessId: id, to: { price, included } })
        return { business: id, price, included: included ?? "unlimited" }
      }
    },
  },
}

function amount(text: string, name: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (value < 0) throw new NotUnderstood(`--${name} is a whole number up to ${LIMITS.credits}.`)
  return value
}
