import type { I18n } from "@lingui/core"
import type { CreditInfos } from "../../api/validation.ts"
import type { Kind } from "../../session/account.ts"

const priceOf = ({ consumptions }: CreditInfos): number =>
  consumptions.find(({ sku }) => sku === "validate-document")?.credits ?? 0

/** Whether one more can be paid for. */
export const leftOf = (infos: CreditInfos): "something" | "nothing" =>
  infos.left === null || priceOf(infos) === 0 || infos.left >= priceOf(infos) ? "something" : "nothing"

/** What it costs and what is left of this month, before one begins. */
export function sayCredits(i18n: I18n, infos: CreditInfos, kind: Kind): string {
  const [price, { left }] = [priceOf(infos), infos]
  if (kind === "demo") return i18n._("A test costs nothing.")
  if (price === 0) return i18n._("A validation costs nothing.")
  const cost = i18n._(
    "{price, plural, one {A validation costs # credit.} other {A validation costs # credits.}}",
    {
      price,
    },
  )
  const rest =
    left === null
      ? i18n._("There is no limit this month.")
      : i18n._("{left, plural, one {# credit is left this month.} other {# credits are left this month.}}", {
          left,
        })
  return `${cost} ${rest}`
}
